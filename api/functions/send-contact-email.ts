import { isQuick, suspicionOf } from "#contact/held/held-reason.ts";
import { isRepeat, type SubmitMessageDeps, submitMessage } from "#contact/submit-message.ts";
import { contactMessageSchema } from "#contracts/contact-message.ts";
import { formEvidenceHeader, readFormEvidence } from "#contracts/form-evidence.ts";
import { idempotencyKeyShape } from "#contracts/idempotency-key.ts";
import { priorityOf } from "#mail/outbox-jobs.ts";
import type { SubmissionLimiter } from "../limits/submission-limiter.ts";
import type { BackendFunction } from "./backend-function.ts";
import { readFields } from "./read-fields.ts";
import { tooMany } from "./too-many.ts";

/**
 * `send-contact-email`: the seven fields → `{ success: true }`. With an `Idempotency-Key` header, the same key and
 * words make one message, and a repeat is answered like the first call, even past a limit, and not counted.
 */
export function sendContactEmail(
  options: SubmitMessageDeps,
  limiter: SubmissionLimiter,
): BackendFunction {
  return {
    refusalShape: {},
    async run({ body, headers, clientAddress, requestId }) {
      const idempotencyKey = headers.get("idempotency-key");
      if (idempotencyKey !== null && !idempotencyKeyShape.test(idempotencyKey)) {
        return {
          ok: false,
          status: 400,
          error: "Idempotency-Key has to be 1 to 200 visible ASCII characters.",
        };
      }
      const read = readFields(contactMessageSchema, body);
      if (!read.ok) return read;
      const message = read.values;
      const taken = await limiter.take("message", { clientAddress, email: message.email });
      if (!taken.ok && !(await isRepeat(options, message, idempotencyKey))) {
        return tooMany("messages", taken);
      }
      const evidence = readFormEvidence(headers.get(formEvidenceHeader));
      const { repeated } = await submitMessage(options, message, {
        idempotencyKey,
        clientAddress,
        requestId,
        suspicion: suspicionOf(evidence),
        isQuick: isQuick(evidence),
        // A repeat past a limit adds nothing that could wait.
        priority: taken.ok ? priorityOf(taken.nth) : undefined,
      });
      if (repeated && taken.ok) await taken.giveBack();
      return { ok: true, body: { success: true } };
    },
  };
}
