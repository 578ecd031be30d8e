import { newsletterName } from "#content/site.ts";
import type { NewsletterDeps } from "../newsletter/newsletter-deps.ts";
import { unsubscribe } from "../newsletter/unsubscribe.ts";
import type { BackendFunction } from "./backend-function.ts";
import { newsletterTokenSchema } from "./newsletter-token.ts";
import { readFields } from "./read-fields.ts";

/** `newsletter-unsubscribe`: `{ token }` → `{ success, reason?, message }`; the only reason is `unknown_token`. */
export function newsletterUnsubscribe(options: NewsletterDeps): BackendFunction {
  return {
    refusalShape: { success: false },
    async run({ body, requestId }) {
      const read = readFields(newsletterTokenSchema, body);
      if (!read.ok) return read;
      const result = await unsubscribe(options, { ...read.values, requestId });
      return {
        ok: true,
        body: result.ok
          ? {
              success: true,
              message: `You are unsubscribed. We won't send you ${newsletterName} again.`,
            }
          : {
              success: false,
              reason: result.reason,
              message: `This link is not valid. Write to ${options.site.email} and we will take your address off the list.`,
            },
      };
    },
  };
}
