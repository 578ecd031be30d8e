import { newsletterName } from "#content/site.ts";
import { confirmAddressChange } from "#newsletter/address-change/confirm-address-change.ts";
import type { NewsletterDeps } from "#newsletter/newsletter-deps.ts";
import type { BackendFunction } from "./backend-function.ts";
import { mailLinkFunction } from "./mail-link-function.ts";

const messages = {
  unknown_token:
    "This link is no longer valid. Please check that it is complete, or ask for the change again.",
  unsubscribed: `This address has been taken off the list. Subscribe again to receive ${newsletterName}.`,
};

/** `newsletter-confirm-address`: `{ token }` → `{ success, reason?, message }`; reason `unknown_token` or `unsubscribed`. */
export function newsletterConfirmAddress(options: NewsletterDeps): BackendFunction {
  return mailLinkFunction(async (link) => {
    const result = await confirmAddressChange(options, link);
    return result.ok
      ? { success: true, message: `${newsletterName} will come to your new address from now on.` }
      : { success: false, reason: result.reason, message: messages[result.reason] };
  });
}
