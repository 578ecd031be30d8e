import { newsletterName } from "#content/site.ts";
import { confirmSubscription } from "../newsletter/confirm-subscription.ts";
import type { NewsletterDeps } from "../newsletter/newsletter-deps.ts";
import type { BackendFunction } from "./backend-function.ts";
import { newsletterTokenSchema } from "./newsletter-token.ts";
import { readFields } from "./read-fields.ts";

const messages = {
  unknown_token: "This link is not valid. Please check that it is complete, or subscribe again.",
  unsubscribed: `This address has been taken off the list. Subscribe again to receive ${newsletterName}.`,
};

/** `newsletter-confirm`: `{ token }` → `{ success, reason?, message }`; reason `unknown_token` or `unsubscribed`. */
export function newsletterConfirm(options: NewsletterDeps): BackendFunction {
  return {
    refusalShape: { success: false },
    async run({ body, requestId }) {
      const read = readFields(newsletterTokenSchema, body);
      if (!read.ok) return read;
      const result = await confirmSubscription(options, { ...read.values, requestId });
      return {
        ok: true,
        body: result.ok
          ? { success: true, message: `Your subscription to ${newsletterName} is confirmed.` }
          : { success: false, reason: result.reason, message: messages[result.reason] },
      };
    },
  };
}
