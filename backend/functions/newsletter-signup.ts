import { formEvidenceHeader, readFormEvidence } from "#contracts/form-evidence.ts";
import { newsletterSignupSchema } from "#contracts/newsletter-signup.ts";
import type { BackendOptions } from "../backend.ts";
import { readAddress } from "../email/read-address.ts";
import { suspicionOf } from "../held/held-reason.ts";
import type { SubmissionLimiter } from "../limits/create-submission-limiter.ts";
import { type SubscribeResult, subscribe } from "../newsletter/subscribe.ts";
import { turnOf } from "../outbox/turn.ts";
import type { BackendFunction, FunctionAnswer } from "./backend-function.ts";
import { readFields } from "./read-fields.ts";
import { tooMany } from "./too-many.ts";

/** `newsletter-signup`: `{ email, webhookUrl? }` → `{ success, duplicate, message }`. */
export function newsletterSignup(
  options: BackendOptions,
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
        turn: turnOf(taken.nth),
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

function messageFor(result: SubscribeResult): string {
  if (!result.ok) return "Please enter a valid email address.";
  if (!result.duplicate) {
    return "Thank you for subscribing to our newsletter. We are sending you an email: open the link in it to confirm your address.";
  }
  switch (result.state) {
    case "confirmed":
      return "This email is already subscribed to our newsletter.";
    case "unconfirmed":
      return "This email is already subscribed to our newsletter, but not confirmed yet. Please open the link in the email we sent you.";
    case "confirmation_sent_again":
      return "This email is already subscribed to our newsletter, but not confirmed yet. We are sending you the confirmation email again.";
  }
}
