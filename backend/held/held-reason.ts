import type { FormEvidence } from "#contracts/form-evidence.ts";

/** Why a message or a sign-up is held back as suspected spam. */
export type HeldReason =
  /** The field that people don't see was filled in. */
  | "hidden_field"
  /** The form was sent sooner after its page opened than a person can. */
  | "too_fast"
  /** A sign-up for a mailbox that another spelling of the address has just been sent a confirmation mail for. */
  | "same_mailbox";

/**
 * Less time than this between opening the page and sending its form is a program's and not a person's. Milliseconds.
 * The contact form asks for four fields and a press of the button, of which a browser fills in three by itself; the
 * sign-up for one. People take several times as long, so that slow clocks and quick typists stay well clear.
 */
export const leastOpenForMs = { message: 1_500, signUp: 700 } as const;

/** What the way a form was filled in speaks for; null where nothing speaks against its sender. */
export function suspicionOf(
  form: keyof typeof leastOpenForMs,
  { trapFilled, openForMs }: FormEvidence,
): HeldReason | null {
  if (trapFilled) return "hidden_field";
  return openForMs !== null && openForMs < leastOpenForMs[form] ? "too_fast" : null;
}
