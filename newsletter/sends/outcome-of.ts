import { backoffDelayMs } from "#mail/outbox.ts";
import type { Answer } from "./read-answer.ts";
import type { SendLimits } from "./send-limits.ts";
import type { RowOutcome } from "./settle-row.ts";

/** A mail at which the connection broke off goes again at once, so often; then it may be the mail itself. */
const attemptsAtOnce = 3;

/** How often a mail is tried that the server refuses for something of ours. */
const attemptsWhenRefusingUs = 3;

/** What becomes of a row after an answer that says that the mail wasn't taken. */
export function outcomeOf(
  answer: Answer,
  { attempts, now, limits }: { attempts: number; now: Date; limits: Pick<SendLimits, "backoff"> },
): RowOutcome {
  const { words } = answer;
  const later = () => new Date(now.getTime() + backoffDelayMs(attempts, limits.backoff));
  const isLast = attempts >= limits.backoff.maxAttempts;
  switch (answer.kind) {
    case "away":
      if (!answer.tried || attempts <= attemptsAtOnce) {
        return { event: "hand back", dueAt: now, tried: answer.tried };
      }
      if (isLast) return { event: "refuse", answer: words, refusal: null };
      return { event: "defer", answer: words, dueAt: later() };
    case "put off":
      if (!isLast) return { event: "defer", answer: words, dueAt: later() };
      return { event: "refuse", answer: words, refusal: { kind: "soft", answer: words } };
    case "refuses us":
      if (attempts < attemptsWhenRefusingUs) {
        return { event: "defer", answer: words, dueAt: later() };
      }
      return { event: "refuse", answer: words, refusal: null };
    case "refused":
      return { event: "refuse", answer: words, refusal: answer.refusal };
  }
}
