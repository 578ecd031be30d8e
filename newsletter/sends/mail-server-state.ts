import type { Logger } from "pino";
import type { createDomainBackoff } from "./domain-backoff.ts";
import type { Answer } from "./read-answer.ts";
import type { SendLimits } from "./send-limits.ts";
import type { createSendSpeed } from "./send-speed.ts";

type MailServerStateOptions = {
  limits: Pick<SendLimits, "pollMs" | "outageBackoffMaxMs" | "refusalsBeforePause">;
  speed: ReturnType<typeof createSendSpeed>;
  domainBackoff: ReturnType<typeof createDomainBackoff>;
  clock: () => Date;
  log: Logger;
};

/** What the answers of the mail server say of itself, of a domain and of us. Its times are those of `performance.now()`. */
export function createMailServerState({
  limits,
  speed,
  domainBackoff,
  clock,
  log,
}: MailServerStateOptions) {
  /** How often in a row it was away, with a back-off between each. */
  let timesAway = 0;
  let awayAt = Number.NEGATIVE_INFINITY;
  let awayUntil = Number.NEGATIVE_INFINITY;
  let refusalsOfUs = 0;
  let pausedAt = Number.NEGATIVE_INFINITY;

  function noteAway(isTooFast: boolean, begunAt: number) {
    if (isTooFast) speed.note("too_fast");
    // What was under way already when the server went away says nothing new.
    if (begunAt < awayAt) return;
    awayAt = performance.now();
    timesAway += 1;
    const backoffMs = timesAway === 1 ? 0 : limits.pollMs * 2 ** (timesAway - 2);
    awayUntil = awayAt + Math.min(limits.outageBackoffMaxMs, backoffMs);
    if (timesAway > 1) log.warn({ backoffMs }, "The mail server is away");
  }

  return {
    /** `null` is a mail that was taken. */
    note(answer: Answer | null, { domain, begunAt }: { domain: string; begunAt: number }) {
      if (answer?.kind === "away") {
        noteAway(answer.isTooFast, begunAt);
        return;
      }
      timesAway = 0;
      if (answer?.kind !== "refuses us") refusalsOfUs = 0;
      // What was under way already when the send paused itself would pause it again after it has been resumed.
      else if (begunAt > pausedAt) refusalsOfUs += 1;
      if (answer === null) {
        speed.note("accepted");
        domainBackoff.accepted(domain);
      } else if (answer.kind === "put off") {
        speed.note("put_off");
        domainBackoff.putOff(domain, clock());
      }
    },
    /** Before then it is left alone. */
    awayUntil: () => awayUntil,
    /** After an outage one mail finds out whether it's over. */
    isInDoubt: () => timesAway > 0,
    /** Whether it has gone away since, and not for a moment. */
    hasGoneAwaySince: (time: number) => timesAway > 1 && time < awayAt,
    /** Whether it takes nothing of ours, so that going on would only use up the readers. */
    refusesUs: () => refusalsOfUs >= limits.refusalsBeforePause,
    /** A send has paused itself for that: what is under way still counts no more. */
    notePause() {
      refusalsOfUs = 0;
      pausedAt = performance.now();
    },
  };
}
