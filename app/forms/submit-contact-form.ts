import { contactNotices, type Notice } from "#content/notices.ts";
import {
  type ContactField,
  contactFields,
  requiredContactFields,
} from "#contracts/contact-form.ts";
import type { ContactMessage } from "#contracts/contact-message.ts";
import { emailShape } from "#contracts/text.ts";
import { type BackendFunctions, invokeSendMessage } from "../backend-client.ts";
import { idempotencyField } from "./idempotency-key.ts";
import { postedText } from "./posted-text.ts";

/** What is wrong with a field, for the words beside it. */
export type FieldFault = "missing" | "invalid_email";

/** What came of a posted contact form, for the page that the server makes and for the form in the browser alike. */
export type ContactOutcome = { form: "contact"; notice: Notice } & Result;

type Result =
  | { ok: true }
  | {
      ok: false;
      reason: "missing" | "invalid_email" | "failed";
      /** In the order of the form. */
      faults: Partial<Record<ContactField, FieldFault>>;
      values: ContactMessage;
      /** Sent again with the next try, so that a message that did arrive is not sent twice. */
      idempotencyKey: string;
      error?: unknown;
    };

/**
 * Checks the posted message and sends it: required fields first, then the address, both before any call (specification,
 * section 5). `siteEmail` is where a visitor is sent when the message can't be.
 */
export async function submitContactForm(
  backend: BackendFunctions,
  form: FormData,
  siteEmail: string,
): Promise<ContactOutcome> {
  const values = Object.fromEntries(
    contactFields.map((field) => [field, postedText(form, field)]),
  ) as ContactMessage;
  const idempotencyKey = postedText(form, idempotencyField);
  const kept = { form: "contact", ok: false, values, idempotencyKey } as const;

  const missing = requiredContactFields.filter((field) => values[field] === "");
  if (missing.length > 0) {
    const faults = Object.fromEntries(missing.map((field) => [field, "missing" as const]));
    return { ...kept, reason: "missing", faults, notice: contactNotices.missing };
  }
  if (!emailShape.test(values.email)) {
    const faults = { email: "invalid_email" } as const;
    return { ...kept, reason: "invalid_email", faults, notice: contactNotices.invalidEmail };
  }

  const sent = await send(backend, values, idempotencyKey);
  if (sent.ok) return { form: "contact", ok: true, notice: contactNotices.sent };
  const notice = contactNotices.failed(siteEmail);
  return { ...kept, reason: "failed", faults: {}, notice, error: sent.error };
}

async function send(backend: BackendFunctions, message: ContactMessage, idempotencyKey: string) {
  try {
    return await invokeSendMessage(backend, message, idempotencyKey);
  } catch (error) {
    return { ok: false, error } as const;
  }
}

/** The field that the visitor mends first. */
export function firstFault(outcome: ContactOutcome): ContactField | undefined {
  return outcome.ok ? undefined : contactFields.find((field) => outcome.faults[field]);
}
