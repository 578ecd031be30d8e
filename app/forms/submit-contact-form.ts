import {
  type ContactField,
  type ContactMessage,
  contactFields,
  requiredContactFields,
} from "#content/contact-message.ts";
import { contactNotices, type Notice, type OtherWays } from "#content/notices.ts";
import { emailShape } from "#content/text.ts";
import type { FormEvidence, Forms } from "../ports.ts";
import {
  type Failure,
  isHoneypotFilled,
  pageMadeField,
  postedIdempotencyKey,
  postedText,
} from "./form-parts.tsx";

export type ContactOutcome = { form: "contact"; notice: Notice } & Result;

type Result =
  | {
      ok: true;
      values: ContactMessage;
      /** ISO 8601. */
      receivedAt: string;
    }
  | ({
      ok: false;
      reason: "missing" | "invalid_email" | "rate_limited" | "unavailable" | "failed";
      faults: Partial<Record<ContactField, "missing" | "invalid_email">>;
      values: ContactMessage;
      /** Reused by the next try, so that no message is sent twice. */
      idempotencyKey: string;
      /** Empty if unknown. */
      pageMadeAt: string;
    } & Failure);

/** Required fields first, then the address, before any call (specification, section 5). */
export async function submitContactForm(
  forms: Pick<Forms, "sendMessage">,
  form: FormData,
  { site, ...known }: { site: OtherWays } & Omit<FormEvidence, "honeypotFilled" | "wordingHash">,
): Promise<ContactOutcome> {
  const values = Object.fromEntries(
    contactFields.map((field) => [field, postedText(form, field)]),
  ) as ContactMessage;
  const idempotencyKey = postedIdempotencyKey(form);
  const pageMadeAt = postedText(form, pageMadeField);
  const kept = { form: "contact", ok: false, values, idempotencyKey, pageMadeAt } as const;

  const missing = requiredContactFields.filter((field) => values[field] === "");
  if (missing.length > 0) {
    const faults = Object.fromEntries(missing.map((field) => [field, "missing" as const]));
    return { ...kept, reason: "missing", faults, notice: contactNotices.missing };
  }
  if (!emailShape.test(values.email)) {
    const faults = { email: "invalid_email" } as const;
    return { ...kept, reason: "invalid_email", faults, notice: contactNotices.invalidEmail };
  }

  const evidence = { honeypotFilled: isHoneypotFilled(form), ...known };
  const sent = await forms.sendMessage(values, { idempotencyKey, evidence });
  if (sent.ok) {
    const receivedAt = new Date().toISOString();
    return { form: "contact", ok: true, values, receivedAt, notice: contactNotices.sent };
  }
  if (sent.reason === "rate_limited") {
    const { reason, retryAfterSeconds } = sent;
    const notice = contactNotices.limited(retryAfterSeconds, site);
    return { ...kept, reason, faults: {}, notice, retryAfterSeconds };
  }
  const notice = contactNotices.failed(site.email);
  const failed = { ...kept, faults: {}, notice, error: sent.error };
  if (sent.reason !== "unavailable") {
    return { ...failed, reason: "failed", isRefusal: "isRefusal" in sent && sent.isRefusal };
  }
  return { ...failed, reason: sent.reason, retryAfterSeconds: sent.retryAfterSeconds };
}

export function firstFault(outcome: ContactOutcome): ContactField | undefined {
  return outcome.ok ? undefined : contactFields.find((field) => outcome.faults[field]);
}
