import type { FormEvidence } from "#contracts/form-evidence.ts";

/** Why a message or a sign-up is held back as suspected spam. */
export type HeldReason =
  /** The field that people don't see was filled in. */
  | "hidden_field"
  /** Of earlier releases: the form was sent sooner after its page opened than a person can. */
  | "too_fast"
  /** Of earlier releases: another spelling of the address had just been sent a confirmation mail. */
  | "same_mailbox";

/** What the way a form was filled in speaks for; null where nothing speaks against its sender. */
export function suspicionOf({ honeypotFilled }: FormEvidence): HeldReason | null {
  return honeypotFilled ? "hidden_field" : null;
}

/**
 * Less time than this between opening the contact page and sending its form is a program's and mostly not a person's.
 * Milliseconds. The form asks for four fields and a press of the button, of which a browser fills in three by itself.
 */
export const leastOpenForMs = 1_500;

/** Whether a message was sent sooner after its page opened than people are. It is delivered, and its mail says so. */
export function isQuick({ openForMs }: FormEvidence): boolean {
  return openForMs !== null && openForMs < leastOpenForMs;
}
