import * as v from "valibot";
import { mailLinkTokenMaxLength as maxLength } from "#contracts/mail-link.ts";
import type { BackendFunction } from "./backend-function.ts";
import { readFields } from "./read-fields.ts";

/** The secret of a link in mail, as the functions behind them take it. */
export const mailLinkToken = v.pipe(
  v.string("token must be text."),
  v.nonEmpty("token is required."),
  v.maxLength(maxLength, `token is longer than ${maxLength} characters.`),
);

/**
 * The body of the functions behind links in mail. `way` is how somebody leaves: by the page's button, or a mail
 * program's.
 */
const tokenSchema = v.object({
  token: mailLinkToken,
  way: v.optional(v.picklist(["link", "one_click"], "way is link or one_click.")),
});

type FollowedLink = v.InferOutput<typeof tokenSchema> & { requestId: string | null };

type Followed =
  | { success: true; message: string }
  | { success: false; reason: string; message: string };

/** A function behind a link in mail: `{ token }` → `{ success, reason?, message }`. */
export function mailLinkFunction(
  follow: (link: FollowedLink) => Promise<Followed>,
): BackendFunction {
  return {
    refusalShape: { success: false },
    async run({ body, requestId }) {
      const read = readFields(tokenSchema, body);
      return read.ok ? { ok: true, body: await follow({ ...read.values, requestId }) } : read;
    },
  };
}
