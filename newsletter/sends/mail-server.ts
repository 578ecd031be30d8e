import type { Logger } from "pino";
import { isBeforeTheMail, isPermanent, type MailError } from "#mail/create-mailer.ts";
import { type Backoff, backoffDelayMs, describeError } from "#mail/outbox.ts";
import { bounceKindOf, isGoneByCode, type Refusal, statusCodeOf } from "../record-bounce.ts";
import type { RowOutcome } from "./hand-over.ts";

// What the mail server's answers mean for a mail, for its recipient, and for the rate of the send.

export type Answer =
  /** Down, full or closing (421), which says nothing of the mail. `tried`: the mail may have arrived. */
  | { kind: "away"; words: string; tried: boolean; isTooFast: boolean }
  /** 4xx. */
  | { kind: "put off"; words: string }
  /** 5xx about the address. `byWords`: only the words say so, and a server that says it of everybody is at fault. */
  | { kind: "refused"; words: string; refusal: Refusal; byWords: boolean }
  /** 5xx about us: sender, content or name. `refusal` is set at RCPT TO: it is the address's if others are accepted. */
  | { kind: "refuses us"; words: string; refusal: Refusal | null };

/** Nodemailer's words, not the server's: a relay may say the same of the next server. */
const notConnected = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|greeting/i;

/** Nodemailer's own errors about a mail or its envelope. */
const ownObjections = new Set(["EENVELOPE", "EMESSAGE"]);

/** Classifies Nodemailer's error. The recipient's address is removed from the stored words. */
export function readAnswer(error: unknown, email: string): Answer {
  const words = describeError(error).replace(new RegExp(RegExp.escape(email), "gi"), "the address");
  const { code, command = "", responseCode = 0, response = "" } = error as MailError;
  const early =
    isBeforeTheMail(error as MailError) || (responseCode === 0 && notConnected.test(words));
  if (responseCode === 0 && ownObjections.has(code ?? "")) {
    return { kind: "refuses us", words, refusal: null };
  }
  if (early || responseCode < 400 || responseCode === 421) {
    const isTooFast = responseCode === 421 || (responseCode >= 400 && responseCode < 500);
    // A server that answers has not accepted the mail.
    return { kind: "away", words, tried: !early && responseCode === 0, isTooFast };
  }
  if (!isPermanent(error as MailError)) return { kind: "put off", words };
  const atRecipient = /^RCPT TO/.test(command);
  const kind = /^MAIL FROM/.test(command) ? "sender" : bounceKindOf(response);
  const isContent = !atRecipient && kind === "soft" && statusCodeOf(response) === null;
  if (kind === "sender" || isContent) {
    const isAddress = atRecipient && bounceKindOf(response, "soft") === "soft";
    const refusal = isAddress ? ({ kind: "soft", answer: words } as const) : null;
    return { kind: "refuses us", words, refusal };
  }
  const byWords = kind === "hard" && !isGoneByCode(response);
  return { kind: "refused", words, refusal: { kind, answer: words }, byWords };
}

/** What to write after attempt number `attempts`; `answer` is null where the server accepted the mail. */
export function outcomeOf(
  answer: Answer | null,
  {
    attempts,
    now,
    backoff,
    othersAccepted,
  }: { attempts: number; now: Date; backoff: Backoff; othersAccepted: boolean },
): RowOutcome {
  const at = now.toISOString();
  if (answer === null) return { row: { state: "accepted", answer: null, settled_at: at } };
  const { words } = answer;
  const refused = (refusal: Refusal | null): RowOutcome => ({
    row: { state: "refused", answer: words, settled_at: at },
    refusal,
  });
  const deferred = (): RowOutcome => {
    const due_at = new Date(now.getTime() + backoffDelayMs(attempts, backoff)).toISOString();
    return { row: { state: "deferred", answer: words, due_at } };
  };
  const isLast = attempts >= backoff.maxAttempts;
  switch (answer.kind) {
    case "away":
      // It never reached the server, so the attempt doesn't count.
      if (!answer.tried) return { row: { state: "waiting", due_at: at, attempts: attempts - 1 } };
      // After the third broken connection the mail itself is suspected.
      if (attempts <= 3) return { row: { state: "waiting", due_at: at } };
      return isLast ? refused(null) : deferred();
    case "put off":
      return isLast ? refused({ kind: "soft", answer: words }) : deferred();
    case "refuses us":
      return attempts < 3 ? deferred() : refused(othersAccepted ? answer.refusal : null);
    case "refused":
      return refused(answer.refusal);
  }
}

type MailServerLimits = {
  mailsPerSecond: number;
  /** Retried at once after the first break, then after this long, doubling up to `outageBackoffMaxMs`. */
  pollMs: number;
  outageBackoffMaxMs: number;
  /** After this many refusals of us in a row the server refuses everything. */
  refusalsBeforePause: number;
};

/** Tracks the mail server by its answers. Times are those of `performance.now()`. */
export function createMailServerState(limits: MailServerLimits, log: Logger) {
  const { mailsPerSecond, pollMs, outageBackoffMaxMs, refusalsBeforePause } = limits;
  let rate = mailsPerSecond;
  let timesAway = 0;
  let awayAt = Number.NEGATIVE_INFINITY;
  let awayUntil = Number.NEGATIVE_INFINITY;
  let refusalsOfUs = 0;
  let pausedAt = Number.NEGATIVE_INFINITY;
  let hasAccepted = false;

  // At nine accepted in ten the rate holds; at one deferred in five it halves within seconds. It never stops, so that a
  // send notices when it may go faster.
  function changeRate(factor: number) {
    rate = Math.min(mailsPerSecond, Math.max(mailsPerSecond / 50, rate * factor));
  }

  return {
    /** Notes the answer to a mail begun at `begunAt`; null: accepted. */
    note(answer: Answer | null, { begunAt, attempts }: { begunAt: number; attempts: number }) {
      if (answer?.kind === "away") {
        if (answer.isTooFast) changeRate(0.5);
        // Begun before the outage, so it says nothing new.
        if (begunAt < awayAt) return;
        awayAt = performance.now();
        timesAway += 1;
        const backoffMs =
          timesAway === 1 ? 0 : Math.min(outageBackoffMaxMs, pollMs * 2 ** (timesAway - 2));
        awayUntil = awayAt + backoffMs;
        if (timesAway > 1) log.warn({ backoffMs }, "The mail server is unreachable");
        return;
      }
      timesAway = 0;
      if (answer === null) hasAccepted = true;
      const mayBeOurs =
        answer?.kind === "refuses us" || (answer?.kind === "refused" && answer.byWords);
      if (!mayBeOurs) refusalsOfUs = 0;
      // A mail from before a pause would pause the resumed send again. One that is refused again while others are
      // accepted says nothing new of us.
      else if (begunAt > pausedAt && (attempts === 1 || !hasAccepted)) refusalsOfUs += 1;
      if (answer === null) changeRate(1.02);
      else if (answer.kind === "put off") changeRate(0.9);
    },
    /** Mails a second at this moment. */
    rate: () => rate,
    awayUntil: () => awayUntil,
    /** After an outage one mail tests the server. */
    isInDoubt: () => timesAway > 0,
    refusesEverything: () => refusalsOfUs >= refusalsBeforePause,
    /** Since the start or the last pause. */
    hasAccepted: () => hasAccepted,
    notePause() {
      hasAccepted = false;
      refusalsOfUs = 0;
      pausedAt = performance.now();
    },
  };
}
