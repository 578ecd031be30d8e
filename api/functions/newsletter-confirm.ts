import { newsletterName } from "#content/site.ts";
import { confirmSubscription } from "#newsletter/confirm-subscription.ts";
import type { NewsletterDeps } from "#newsletter/newsletter-deps.ts";
import type { BackendFunction } from "./backend-function.ts";
import { mailLinkFunction } from "./mail-link-function.ts";

const messages = {
  unknown_token: "This link is not valid. Please check that it is complete, or subscribe again.",
  unsubscribed: `This address has been taken off the list. Subscribe again to receive ${newsletterName}.`,
};

/** `newsletter-confirm`: `{ token }` → `{ success, reason?, message }`; reason `unknown_token` or `unsubscribed`. */
export function newsletterConfirm(options: NewsletterDeps): BackendFunction {
  return mailLinkFunction(async (link) => {
    const result = await confirmSubscription(options, link);
    return result.ok
      ? { success: true, message: `Your subscription to ${newsletterName} is confirmed.` }
      : { success: false, reason: result.reason, message: messages[result.reason] };
  });
}
