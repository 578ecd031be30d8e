import type { Logger } from "pino";
import { comparableWords, type Failure, meaningOf } from "#mail/mail-answer.ts";
import { type Backoff, backoffDelayMs } from "#mail/outbox.ts";
import type { HandedOver, RowOutcome } from "./recipients.ts";

export type Refused = Extract<Failure, { kind: "answer" }>;

export function isRefused(failure: Failure | null): failure is Refused {
  return failure?.kind === "answer" && failure.meaning.about !== "later";
}

type Attempt = { attempts: number; now: Date; backoff: Backoff };

export function outcomeOf(
  failure: Failure | null,
  { attempts, now, backoff }: Attempt,
): RowOutcome {
  const at = now.toISOString();
  if (failure === null) return { row: { state: "accepted", answer: null, settled_at: at } };
  const isLast = attempts >= backoff.maxAttempts;
  if (failure.kind === "away") {
    // It never reached the server, so the attempt doesn't count.
    if (!failure.tried) return { row: { state: "waiting", due_at: at, attempts: attempts - 1 } };
    // After the third broken connection the mail itself is suspected.
    if (attempts <= 3) return { row: { state: "waiting", due_at: at } };
    return isLast ? refused(failure, at, null) : deferred(failure, { attempts, now, backoff });
  }
  if (!isLast) return deferred(failure, { attempts, now, backoff });
  return refused(failure, at, { kind: "soft", answer: failure.words });
}

function refused({ words }: Failure, at: string, refusal: RowOutcome["refusal"]): RowOutcome {
  return { row: { state: "refused", answer: words, settled_at: at }, refusal };
}

function deferred({ words }: Failure, { attempts, now, backoff }: Attempt): RowOutcome {
  const due_at = new Date(now.getTime() + backoffDelayMs(attempts, backoff)).toISOString();
  return { row: { state: "deferred", answer: words, due_at } };
}

/** Charges a subscriber only for the address, and if other mail was accepted or the code is unambiguous. */
export function outcomeOfRefusal(
  failure: Refused,
  { attempts, now, backoff }: Attempt,
  { othersAccepted, isLast, saidOnce }: JudgedBy,
): RowOutcome {
  const { meaning, stage, words } = failure;
  const at = now.toISOString();
  if (meaning.about === "address") {
    const isProven = isLast ? saidOnce && (othersAccepted || meaning.byCode) : othersAccepted;
    if (isProven) return refused(failure, at, { kind: meaning.kind, answer: words });
  }
  const isLimit = meaning.about === "us" && meaning.isLimit;
  if (attempts < (isLimit ? backoff.maxAttempts : 3)) {
    return deferred(failure, { attempts, now, backoff });
  }
  // A blaming code at RCPT TO for one recipient is that server's own policy.
  const isTheirs =
    stage === "recipient" &&
    meaningOf({ stage, words }, "soft").about === "address" &&
    othersAccepted;
  return refused(failure, at, isTheirs ? { kind: "soft", answer: words } : null);
}

/** Puts a refused mail behind those that weren't tried, and charges nobody. */
export function putBack({ words }: Refused, now: Date): RowOutcome {
  return { row: { state: "deferred", answer: words, due_at: now.toISOString() } };
}

type MailServerLimits = {
  mailsPerSecond: number;
  /** Retried at once after the first break, then after this long, doubling up to `outageBackoffMaxMs`. */
  pollMs: number;
  outageBackoffMaxMs: number;
  /** Refusals in a row that may be our fault, or failed sign-ins, before the sends pause. */
  refusalsBeforePause: number;
};

/** `isLast`: no other mail followed. `saidOnce`: no other mail got these words. */
type JudgedBy = { othersAccepted: boolean; isLast: boolean; saidOnce: boolean };

type Withheld = { mail: HandedOver; failure: Refused };

/** Tracks the mail server by its answers. Times are `performance.now()`. */
export function createMailServerState(limits: MailServerLimits, log: Logger) {
  const { mailsPerSecond, pollMs, outageBackoffMaxMs, refusalsBeforePause } = limits;
  let rate = mailsPerSecond;
  let timesAway = 0;
  let signInsRefused = 0;
  let awayAt = Number.NEGATIVE_INFINITY;
  let awayUntil = Number.NEGATIVE_INFINITY;
  let pauses = 0;
  let hasAccepted = false;
  let trouble: string | null = null;
  let withheld: (Withheld & { refusedAt: number; said: string; isNews: boolean })[] = [];

  // Holds the rate at nine accepted in ten and halves it at one deferred in five.
  function changeRate(factor: number) {
    rate = Math.min(mailsPerSecond, Math.max(mailsPerSecond / 50, rate * factor));
  }

  function noteAway(failure: Extract<Failure, { kind: "away" }>, begunAt: number) {
    if (failure.isBusy && !failure.hasFewerConnections) changeRate(0.5);
    if (begunAt < awayAt) return;
    awayAt = performance.now();
    timesAway += 1;
    signInsRefused = failure.isRefused ? signInsRefused + 1 : 0;
    const backoffMs =
      timesAway === 1 ? 0 : Math.min(outageBackoffMaxMs, pollMs * 2 ** (timesAway - 2));
    awayUntil = awayAt + backoffMs;
    if (timesAway === 1) return;
    trouble = failure.words;
    log.warn({ backoffMs, words: failure.words }, "The mail server can't be used");
  }

  return {
    note(failure: Failure | null, { begunAt }: { begunAt: number }) {
      if (failure?.kind === "away") return noteAway(failure, begunAt);
      timesAway = 0;
      signInsRefused = 0;
      trouble = null;
      if (failure === null) {
        hasAccepted = true;
        changeRate(1.02);
      } else if (failure.meaning.about === "later") changeRate(0.9);
    },
    pauses: () => pauses,
    /** False if a pause has come since the hand-over. */
    withhold(one: Withheld, pausesBefore: number): boolean {
      if (pauses !== pausesBefore) return false;
      const said = comparableWords(one.failure.words);
      // A second refusal while others are accepted says nothing new.
      const isNews = one.mail.attempts === 1 || !hasAccepted;
      withheld.push({ ...one, refusedAt: performance.now(), said, isNews });
      return true;
    },
    /** Returns refusals from before an accepted mail was begun; null: all. */
    takeWithheld(acceptedBegunAt: number | null) {
      const isTaken = (refusedAt: number) =>
        refusedAt < (acceptedBegunAt ?? Number.POSITIVE_INFINITY);
      const taken = withheld.filter(({ refusedAt }) => isTaken(refusedAt));
      withheld = withheld.filter(({ refusedAt }) => !isTaken(refusedAt));
      const times = Map.groupBy(taken, ({ said }) => said);
      return taken.map(({ mail, failure, said }) => ({
        mail,
        failure,
        judgedBy: {
          othersAccepted: hasAccepted,
          isLast: acceptedBegunAt === null,
          saidOnce: times.get(said)?.length === 1,
        },
      }));
    },
    rate: () => rate,
    awayUntil: () => awayUntil,
    isInDoubt: () => timesAway > 0,
    trouble: () => trouble,
    reasonToPause(): string | null {
      if (signInsRefused >= refusalsBeforePause) {
        return `the mail server refused ${signInsRefused} connections in a row, the last with: ${trouble}`;
      }
      const news = withheld.filter(({ isNews }) => isNews);
      const mayBeOurs = news.filter(
        ({ failure: { meaning } }) => meaning.about !== "address" || !meaning.byCode,
      ).length;
      // Five addresses of one firm may have gone; ten in the same words are no chance.
      const inSameWords =
        news.length - 1 - news.findLastIndex(({ said }) => said !== news.at(-1)?.said);
      const isSame = inSameWords >= 2 * refusalsBeforePause;
      if (mayBeOurs < refusalsBeforePause && !isSame) return null;
      const count = Math.max(mayBeOurs, isSame ? inSameWords : 0);
      const words = news.at(-1)?.failure.words;
      return `the mail server refused ${count} mails in a row, the last with: ${words}`;
    },
    notePause() {
      hasAccepted = false;
      signInsRefused = 0;
      pauses += 1;
    },
  };
}
