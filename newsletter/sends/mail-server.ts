import type { Logger } from "pino";
import type { MailError } from "#mail/create-mailer.ts";
import { type Backoff, backoffDelayMs, describeError } from "#mail/outbox.ts";
import { bounceKindOf } from "../bounce-kind.ts";
import type { Refusal } from "../record-bounce.ts";
import type { RowOutcome } from "./hand-over.ts";

// What the mail server's answers mean: for the mail, for its recipient, and for the pace of all others.

/** Why a mail wasn't accepted. */
export type Answer =
  /** The server is away, full or closes down (421): nothing is said of the mail. `tried`: it may have arrived. */
  | { kind: "away"; words: string; tried: boolean; isTooFast: boolean }
  /** 4xx: the receiver may take it later. */
  | { kind: "put off"; words: string }
  /** 5xx of the address. */
  | { kind: "refused"; words: string; refusal: Refusal }
  /** 5xx of ours: sender, content, name. */
  | { kind: "refuses us"; words: string };

/** Commands and codes before any mail is spoken of. A connection that broke says `CONN` at whatever moment it did. */
const beforeTheMail = /^(?:EHLO|HELO|LHLO|STARTTLS|AUTH)/;
const beforeTheMailCodes = new Set(["EAUTH", "ETLS", "EDNS", "EPROXY", "ENOAUTH"]);
/** In our own words, not the server's: a relay may say as much of where it would send the mail on to. */
const notConnected = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|greeting/i;

/** What Nodemailer finds wrong with a mail or its envelope before it asks the server. */
const ownObjections = new Set(["EENVELOPE", "EMESSAGE"]);

/** Reads what Nodemailer says of a mail that didn't go. The recipient's address is left out of the words that are stored. */
export function readAnswer(error: unknown, email: string): Answer {
  const words = withoutAddress(describeError(error), email);
  const { code, command = "", responseCode = 0, response = "" } = error as MailError;
  const isGreeting = command === "CONN" && responseCode !== 0;
  const early =
    beforeTheMail.test(command) ||
    beforeTheMailCodes.has(code ?? "") ||
    isGreeting ||
    (responseCode === 0 && notConnected.test(words));
  if (responseCode === 0 && ownObjections.has(code ?? "")) return { kind: "refuses us", words };
  if (early || responseCode < 400 || responseCode === 421) {
    const isTooFast = responseCode === 421 || (responseCode >= 400 && responseCode < 500);
    // A server that answers at all says that it has not accepted the mail.
    return { kind: "away", words, tried: !early && responseCode === 0, isTooFast };
  }
  if (responseCode < 500 || /^5\d\d[ -]4\.\d+\.\d+/.test(response)) {
    return { kind: "put off", words };
  }
  const kind = /^MAIL FROM/.test(command) ? "sender" : bounceKindOf(response);
  if (kind === "sender") return { kind: "refuses us", words };
  return { kind: "refused", words, refusal: { kind, answer: words } };
}

function withoutAddress(words: string, email: string): string {
  const literal = email.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return words.replace(new RegExp(literal, "gi"), "the address");
}

/** A mail whose connection broke goes again at once, so often; then it may be the mail itself. */
const attemptsAtOnce = 3;

/** How often a mail is tried that the server refuses for something of ours. */
const attemptsWhenRefusingUs = 3;

/** What becomes of a row whose mail wasn't accepted. */
export function outcomeOf(
  answer: Answer,
  { attempts, now, backoff }: { attempts: number; now: Date; backoff: Backoff },
): RowOutcome {
  const { words } = answer;
  const later = () => new Date(now.getTime() + backoffDelayMs(attempts, backoff));
  const isLast = attempts >= backoff.maxAttempts;
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

/** What an answer makes of the rate: nine in ten accepted hold it, one in five deferred halves it within seconds. */
const rateFactors = { accepted: 1.02, "put off": 0.9, tooFast: 0.5 };

/** A send is never slower than this part of its rate, so that it notices when it may be faster. */
const slowestPart = 1 / 50;

type MailServerLimits = {
  mailsPerSecond: number;
  /** After a first break it is asked again at once, then after this long, doubling up to `outageBackoffMaxMs`. */
  pollMs: number;
  outageBackoffMaxMs: number;
  /** So many refusals in a row that speak of us and not of a recipient mean that it refuses everything. */
  refusalsBeforePause: number;
};

/** The state of the mail server, by its answers. Times are those of `performance.now()`. */
export function createMailServerState(limits: MailServerLimits, log: Logger) {
  const { mailsPerSecond, pollMs, outageBackoffMaxMs, refusalsBeforePause } = limits;
  let rate = mailsPerSecond;
  let timesAway = 0;
  let awayAt = Number.NEGATIVE_INFINITY;
  let awayUntil = Number.NEGATIVE_INFINITY;
  let refusalsOfUs = 0;
  let pausedAt = Number.NEGATIVE_INFINITY;

  function changeRate(factor: number) {
    rate = Math.min(mailsPerSecond, Math.max(mailsPerSecond * slowestPart, rate * factor));
  }

  return {
    /** Notes an answer to a mail begun at `begunAt`; null where it was accepted. */
    note(answer: Answer | null, begunAt: number) {
      if (answer?.kind === "away") {
        if (answer.isTooFast) changeRate(rateFactors.tooFast);
        // What was under way already when the server went away says nothing new.
        if (begunAt < awayAt) return;
        awayAt = performance.now();
        timesAway += 1;
        const backoffMs = timesAway === 1 ? 0 : pollMs * 2 ** (timesAway - 2);
        awayUntil = awayAt + Math.min(outageBackoffMaxMs, backoffMs);
        if (timesAway > 1) log.warn({ backoffMs }, "The mail server is away");
        return;
      }
      timesAway = 0;
      if (answer?.kind !== "refuses us") refusalsOfUs = 0;
      // What was under way when the send paused itself would pause it again after it is resumed.
      else if (begunAt > pausedAt) refusalsOfUs += 1;
      if (answer === null) changeRate(rateFactors.accepted);
      else if (answer.kind === "put off") changeRate(rateFactors["put off"]);
    },
    /** Mails a second at this moment. */
    rate: () => rate,
    awayUntil: () => awayUntil,
    /** After an outage one mail finds out whether it is over. */
    isInDoubt: () => timesAway > 0,
    refusesEverything: () => refusalsOfUs >= refusalsBeforePause,
    notePause() {
      refusalsOfUs = 0;
      pausedAt = performance.now();
    },
  };
}
