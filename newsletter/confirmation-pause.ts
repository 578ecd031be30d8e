import type { Selectable } from "kysely";
import type { OutboxTable } from "#db/tables.ts";

/** A mailbox is sent no second mail about a sign-up sooner, whoever asks for it and however the address is spelled. */
export const confirmationPauseMs = 60 * 60 * 1000;

/** The latest such mail's row in the outbox. */
export type LatestMail = Pick<
  Selectable<OutboxTable>,
  "created_at" | "next_attempt_at" | "delivered_at" | "failed_at"
>;

/**
 * Until when the mailbox gets no other mail; null where it may at once. A mail that waits for the mail server to come
 * back would arrive together with a second one, so it counts however old it is.
 */
export function pauseAfter(mail: LatestMail, now: Date): Date | null {
  const waits = mail.delivered_at === null && mail.failed_at === null;
  const mailedAt = waits
    ? Math.max(now.getTime(), Date.parse(mail.next_attempt_at))
    : Date.parse(mail.delivered_at ?? mail.failed_at ?? mail.created_at);
  const until = new Date(mailedAt + confirmationPauseMs);
  return until > now ? until : null;
}

/** Whether it is sure that the mail has not arrived: each attempt is over, and was answered with a refusal. */
export function isRefusedEachTime(attempts: number | null, refusals: number | null): boolean {
  return attempts !== null && attempts > 0 && refusals === attempts;
}
