import type { Logger } from "pino";
import { suspicionOf } from "#contact/held/held-reason.ts";
import { formEvidenceHeader, readFormEvidence } from "#contracts/form-evidence.ts";
import { newsletterSignupSchema } from "#contracts/newsletter-signup.ts";
import { priorityOf } from "#mail/outbox-jobs.ts";
import { readAddress } from "#mail/read-address.ts";
import type { NewsletterDeps } from "#newsletter/newsletter-deps.ts";
import { type SubscribeResult, subscribe } from "#newsletter/subscribe.ts";
import type { SubmissionLimiter } from "../limits/submission-limiter.ts";
import type { BackendFunction, FunctionAnswer } from "./backend-function.ts";
import { readFields } from "./read-fields.ts";
import { tooMany } from "./too-many.ts";

/** `newsletter-signup`: `{ email, webhookUrl? }` → `{ success, duplicate, message }`. */
export function newsletterSignup(
  options: NewsletterDeps & { log: Logger },
  limiter: SubmissionLimiter,
): BackendFunction {
  return {
    refusalShape: { success: false },
    async run({ body, headers, url, clientAddress, requestId }) {
      // Text that is no address is an answer with a message for the visitor, not a broken call.
      const email = typeof body.email === "string" ? body.email.toWellFormed() : body.email;
      const read = readFields(newsletterSignupSchema, { webhookUrl: body.webhookUrl, email });
      if (!read.ok) return read;
      const { webhookUrl } = read.values;
      const address = readAddress(read.values.email);
      // Before it is counted: what can't be taken uses nobody's limit up.
      if (address === null) return answerWith({ ok: false, reason: "invalid_email" });
      const taken = await limiter.take("signUp", { clientAddress, email: address });
      if (!taken.ok) return tooMany("sign-ups", taken);
      if (webhookUrl && webhookUrl !== options.newsletterWebhookUrl) {
        // Not the address itself: whatever a visitor put there can be somebody's secret.
        options.log.warn(
          { requestId },
          "A sign-up named a webhook that is not the configured one; it is ignored",
        );
      }
      const result = await subscribe(options, {
        email: address,
        referrer: headers.get("referer"),
        requestUrl: url,
        clientAddress,
        requestId,
        suspicion: suspicionOf(readFormEvidence(headers.get(formEvidenceHeader))),
        priority: priorityOf(taken.nth),
      });
      return answerWith(result);
    },
  };
}

function answerWith(result: SubscribeResult): FunctionAnswer {
  return {
    ok: true,
    body: {
      success: result.ok,
      duplicate: result.ok && result.duplicate,
      message: messageFor(result),
    },
  };
}

/** Each is true of every case that it answers, and says of a duplicate no more than that it is one. */
function messageFor(result: SubscribeResult): string {
  if (!result.ok) return "Please enter a valid email address.";
  return result.duplicate
    ? "This email is already subscribed to our newsletter. If you have not confirmed it yet, open the link in our confirmation email."
    : "Thank you for subscribing to our newsletter. We send it to confirmed addresses only: to confirm yours, open the link in our confirmation email.";
}
