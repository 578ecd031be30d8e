import { newsletterName } from "#content/site.ts";
import type { NewsletterDeps } from "#newsletter/newsletter-deps.ts";
import { unsubscribe } from "#newsletter/unsubscribe.ts";
import type { BackendFunction } from "./backend-function.ts";
import { mailLinkFunction } from "./mail-link-function.ts";

/** `newsletter-unsubscribe`: `{ token }` → `{ success, reason?, message }`; the only reason is `unknown_token`. */
export function newsletterUnsubscribe(options: NewsletterDeps): BackendFunction {
  return mailLinkFunction(async (link) => {
    const result = await unsubscribe(options, link);
    return result.ok
      ? {
          success: true,
          message: `You’re unsubscribed. We won’t send you ${newsletterName} again.`,
        }
      : {
          success: false,
          reason: result.reason,
          message: `This link is not valid. Write to ${options.site.email} and we will take your address off the list.`,
        };
  });
}
