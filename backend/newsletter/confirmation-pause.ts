/** A mailbox is sent no second mail about a sign-up sooner, whoever asks for it and however the address is spelled. */
export const confirmationPauseMs = 60 * 60 * 1000;

/** The latest such mail's row in the outbox. */
export type LatestMail = {
  createdAt: string;
  nextAttemptAt: string;
  deliveredAt: string | null;
  failedAt: string | null;
};

/**
 * Until when the mailbox gets no other mail; null where it may at once. A mail that waits for the mail server to come
 * back would arrive together with a second one, so it counts however old it is.
 */
export function pauseAfter(mail: LatestMail, now: Date): Date | null {
  const waits = mail.deliveredAt === null && mail.failedAt === null;
  const mailedAt = waits
    ? Math.max(now.getTime(), Date.parse(mail.nextAttemptAt))
    : Date.parse(mail.deliveredAt ?? mail.failedAt ?? mail.createdAt);
  const until = new Date(mailedAt + confirmationPauseMs);
  return until > now ? until : null;
}
