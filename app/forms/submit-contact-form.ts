import type { ActionFunctionArgs } from "react-router";
import { contactNotices, type Notice, type OtherWays } from "#content/notices.ts";
import {
  type ContactField,
  type ContactMessage,
  contactFields,
  requiredContactFields,
} from "#contracts/contact-message.ts";
import type { Forms } from "#contracts/ports.ts";
import { emailShape } from "#contracts/text.ts";
import { siteContext } from "../site-services.ts";
import {
  isHoneypotFilled,
  pageMadeField,
  postedIdempotencyKey,
  postedOpenForMs,
} from "./form-parts.tsx";
import { postedText, refusePostedForm } from "./posted-form.ts";

/** What is wrong with a field, for the words beside it. */
type FieldFault = "missing" | "invalid_email";

/** What came of a posted contact form, for the page that the server makes and for the form in the browser alike. */
export type ContactOutcome = { form: "contact"; notice: Notice } & Result;

type Result =
  | {
      ok: true;
      /** What was sent, for the page to show again: the form is blank by then. */
      values: ContactMessage;
      /** When the answer came, by the clock of whoever made the call (ISO 8601). */
      receivedAt: string;
    }
  | {
      ok: false;
      reason: "missing" | "invalid_email" | "rate_limited" | "unavailable" | "failed";
      /** In the order of the form. */
      faults: Partial<Record<ContactField, FieldFault>>;
      values: ContactMessage;
      /** Sent again with the next try, so that a message that did arrive is not sent twice. */
      idempotencyKey: string;
      /** When the page was made that the visitor began on; empty where that isn't known. */
      pageMadeAt: string;
      /** With `rate_limited` and `unavailable`: when to try again. */
      retryAfterSeconds?: number;
      /** The function answered that it can't take these words. */
      isRefusal?: boolean;
      error?: unknown;
    };

/**
 * Checks the posted message and sends it: required fields first, then the address, both before any call (specification,
 * section 5). `site` names where a visitor is sent when the message can't be. `openForMs` is how long the page has been
 * open, where that is known.
 */
export async function submitContactForm(
  forms: Pick<Forms, "sendMessage">,
  form: FormData,
  { site, openForMs }: { site: OtherWays; openForMs: number | null },
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

  const evidence = { honeypotFilled: isHoneypotFilled(form), openForMs };
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

/** The field that the visitor mends first. */
export function firstFault(outcome: ContactOutcome): ContactField | undefined {
  return outcome.ok ? undefined : contactFields.find((field) => outcome.faults[field]);
}

/**
 * The action of the contact page: takes the form where scripts are off or not there yet. The page that answers is the
 * page itself, with the fields kept after a failure. A visitor who refreshes it posts the same words with the same key
 * again, which the backend makes one message of, so there is no redirect to protect.
 */
export async function contactAction({ request, context }: ActionFunctionArgs) {
  const { settings, forms, reportError } = context.get(siteContext);
  const form = await request.formData();
  const outcome = await submitContactForm(forms, form, {
    site: settings,
    openForMs: postedOpenForMs(form, Date.now()),
  });
  return outcome.ok ? outcome : refusePostedForm(reportError, outcome, statuses[outcome.reason]);
}

const statuses = {
  missing: 400,
  invalid_email: 400,
  rate_limited: 429,
  // Its own backend, whose database is away; a hosted one that fails is a bad gateway.
  unavailable: 503,
  failed: 502,
};
