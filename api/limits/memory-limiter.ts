import { randomBytes } from "node:crypto";
import type { Counter } from "./counter.ts";
import { createMemoryCounter } from "./memory-counter.ts";
import { type SubmissionLimiter, senderKeys } from "./submission-limiter.ts";
import type { Limit, SubmissionKind, SubmissionLimits } from "./submission-limits.ts";

const secretBytes = 32;
/** The one key of what is counted without regard to its sender. */
const allSenders = "all";

/** Counts in this process's memory. */
export function createMemoryLimiter(limits: SubmissionLimits): SubmissionLimiter {
  // Dies with the process, and so do the counts that are kept under it.
  const secret = randomBytes(secretBytes).toString("base64url");
  const counters = { message: countersOf("message"), signUp: countersOf("signUp") };

  function countersOf(kind: SubmissionKind) {
    const { perMailbox, perAddress, furtherOnes, furtherPerSite } = limits[kind];
    const create = (limit: Limit) => limit && createMemoryCounter(limit);
    return {
      perMailbox: create(perMailbox),
      perAddress: create(perAddress),
      furtherOnes: create(furtherOnes),
      furtherPerSite: create(furtherPerSite),
    };
  }

  return {
    async take(kind, asker) {
      const { mailbox, address, site } = senderKeys(asker, secret);
      const { perMailbox, perAddress, furtherOnes, furtherPerSite } = counters[kind];
      const counted: [Counter, string][] = [];
      const giveBack = async () => {
        for (const [counter, key] of counted) await counter.undo(key);
      };
      const sender = { nth: 1, windowEndsInSeconds: 0 };
      const steps: [Counter | null, string | null][] = [
        [perMailbox, mailbox],
        [perAddress, address],
      ];
      for (const [counter, key] of steps) {
        if (counter === null || key === null) continue;
        const answer = await counter.count(key);
        if (!answer.ok) {
          await giveBack();
          return { ok: false, retryAfterSeconds: answer.windowEndsInSeconds };
        }
        counted.push([counter, key]);
        Object.assign(sender, answer);
      }
      const further: [Counter | null, string | null][] = [
        [furtherPerSite, site],
        [furtherOnes, allSenders],
      ];
      for (const [counter, key] of sender.nth > 1 ? further : []) {
        if (counter === null || key === null) continue;
        if (!(await counter.count(key)).ok) {
          await giveBack();
          // By then the sender's next one is its first again.
          return { ok: false, retryAfterSeconds: sender.windowEndsInSeconds };
        }
        counted.push([counter, key]);
      }
      return { ok: true, nth: sender.nth, giveBack };
    },
  };
}
