import * as v from "valibot";
import { priorityOf } from "#mail/outbox-jobs.ts";
import { readAddress } from "#mail/read-address.ts";
import { requestAddressChange } from "#newsletter/address-change/request-address-change.ts";
import type { NewsletterDeps } from "#newsletter/newsletter-deps.ts";
import type { SubmissionLimiter } from "../limits/submission-limiter.ts";
import type { BackendFunction } from "./backend-function.ts";
import { mailLinkToken } from "./mail-link-function.ts";
import { readFields } from "./read-fields.ts";
import { tooMany } from "./too-many.ts";

const schema = v.object({ token: mailLinkToken, email: v.string("email must be text.") });

const invalid = { success: false, reason: "invalid_email" } as const;

/**
 * `newsletter-change-address`: `{ token, email }` → `{ success, reason?, message }`; reason `invalid_email` or
 * `not_a_reader`. Every address that mail can be sent to is answered alike, whoever it belongs to.
 */
export function newsletterChangeAddress(
  options: NewsletterDeps,
  limiter: SubmissionLimiter,
): BackendFunction {
  return {
    refusalShape: { success: false },
    async run({ body, clientAddress, requestId }) {
      const email = typeof body.email === "string" ? body.email.toWellFormed() : body.email;
      const read = readFields(schema, { token: body.token, email });
      if (!read.ok) return read;
      const address = readAddress(read.values.email);
      // Before it is counted, as at a sign-up.
      if (address === null) return { ok: true, body: { ...invalid, message: invalidMessage } };
      const taken = await limiter.take("signUp", { clientAddress, email: address });
      if (!taken.ok) return tooMany("changes of address", taken);
      const { token } = read.values;
      const priority = priorityOf(taken.nth);
      const change = { token, email: address, requestId, priority };
      const result = await requestAddressChange(options, change);
      if (result.ok) return { ok: true, body: { success: true, message: askedMessage } };
      const { reason } = result;
      const message = reason === "invalid_email" ? invalidMessage : notAReaderMessage;
      return { ok: true, body: { success: false, reason, message } };
    },
  };
}

const invalidMessage = "Please enter a valid email address.";
const notAReaderMessage =
  "This link belongs to no running subscription. Subscribe with the new address instead.";
const askedMessage =
  "To finish, open the link in our mail to the new address. Until then nothing changes.";
