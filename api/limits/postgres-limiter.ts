import { type Kysely, sql } from "kysely";
import { createBatcher } from "#db/batcher.ts";
import type { Database } from "#db/tables.ts";
import {
  type Asked,
  countShared,
  forgetPastCounts,
  type SharedCount,
  uncountShared,
} from "./shared-counts.ts";
import { type SubmissionLimiter, senderKeys, type Taken } from "./submission-limiter.ts";
import type { SubmissionKind, SubmissionLimits } from "./submission-limits.ts";

const secretName = "rate-limits";
const batchMaxItems = 200;
/** Keys that are known to be at their limit, some 150 bytes each. */
const fullMaxKeys = 10_000;
const forgetEveryMs = 5 * 60_000;

/** A limit that a submission is held to, and the key under which it is counted. */
type Step = { key: string; count: number; windowMs: number };

/** The steps of one submission; past the sender's first, those of `further` too. */
type Submission = { steps: readonly Step[]; further: readonly Step[] };

type Decided = { nth: number; usedKeys: readonly string[] } | { refusedBy: Step; leftMs: number };

/**
 * Counts in the database, for all copies of the server together. What is submitted at the same time is counted in one
 * statement, and what of it is refused is given back in another one.
 */
export function createPostgresLimiter(
  db: Kysely<Database>,
  limits: SubmissionLimits,
): SubmissionLimiter {
  const readSecret = storedSecret(db);
  /** Until when a key is known to be at its limit: a sender far over it is refused without asking the database. */
  const fullUntil = new Map<string, number>();
  let forgottenAt = performance.now();

  const count = createBatcher(
    async (submissions: readonly Submission[]) => {
      const counted = await countShared(db, askedOf(submissions));
      const used = new Map<string, number>();
      const decided = submissions.map((submission) => decide(submission, counted, used));
      const surplus = [...counted].map(([key, { added }]) => [key, added - (used.get(key) ?? 0)]);
      const givenBack = surplus.filter((entry): entry is [string, number] => Number(entry[1]) > 0);
      if (givenBack.length > 0) await uncountShared(db, new Map(givenBack));
      await forgetNowAndThen();
      return decided;
    },
    { maxItems: batchMaxItems },
  );

  const uncount = createBatcher(
    async (keyLists: readonly (readonly string[])[]) => {
      const counts = new Map<string, number>();
      for (const key of keyLists.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
      await uncountShared(db, counts);
      for (const key of counts.keys()) fullUntil.delete(key);
      return keyLists.map(() => undefined);
    },
    { maxItems: batchMaxItems },
  );

  async function forgetNowAndThen() {
    if (performance.now() - forgottenAt < forgetEveryMs) return;
    forgottenAt = performance.now();
    await forgetPastCounts(db);
  }

  function isFull({ key }: Step): number | null {
    const leftMs = (fullUntil.get(key) ?? 0) - performance.now();
    return leftMs > 0 ? leftMs : null;
  }

  function rememberFull(key: string, leftMs: number) {
    fullUntil.delete(key);
    fullUntil.set(key, performance.now() + leftMs);
    for (const oldest of fullUntil.keys()) {
      if (fullUntil.size <= fullMaxKeys) break;
      fullUntil.delete(oldest);
    }
  }

  return {
    async take(kind, asker): Promise<Taken> {
      const submission = submissionOf(kind, limits[kind], senderKeys(asker, await readSecret()));
      if (submission.steps.length === 0) {
        return { ok: true, nth: 1, giveBack: async () => {} };
      }
      for (const step of submission.steps) {
        const leftMs = isFull(step);
        if (leftMs !== null) return refusal(leftMs);
      }
      const decided = await count(submission);
      if ("refusedBy" in decided) {
        // What is over for all senders is not over for the first one of each.
        const isSenders = submission.steps.includes(decided.refusedBy);
        if (isSenders) rememberFull(decided.refusedBy.key, decided.leftMs);
        return refusal(decided.leftMs);
      }
      const { nth, usedKeys } = decided;
      return { ok: true, nth, giveBack: () => uncount(usedKeys) };
    },
  };
}

function refusal(leftMs: number): Taken {
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) };
}

function submissionOf(
  kind: SubmissionKind,
  { perMailbox, perAddress, furtherOnes, furtherPerSite }: SubmissionLimits[SubmissionKind],
  { mailbox, address, site }: ReturnType<typeof senderKeys>,
): Submission {
  const step = (
    key: string,
    { count, windowSeconds }: { count: number; windowSeconds: number },
  ) => ({
    key,
    count,
    windowMs: windowSeconds * 1000,
  });
  return {
    steps: [
      ...(perMailbox ? [step(`${kind}-mailbox:${mailbox}`, perMailbox)] : []),
      ...(perAddress && address ? [step(`${kind}-address:${address}`, perAddress)] : []),
    ],
    // After all others in the order of keys, as it is counted after them.
    further: [
      ...(furtherPerSite && site ? [step(`~${kind}-further-site:${site}`, furtherPerSite)] : []),
      ...(furtherOnes ? [step(`~${kind}-further`, furtherOnes)] : []),
    ],
  };
}

function askedOf(submissions: readonly Submission[]): Map<string, Asked> {
  const asked = new Map<string, Asked>();
  for (const { steps, further } of submissions) {
    for (const { key, windowMs } of steps) {
      const entry = asked.get(key) ?? { count: 0, windowMs, further: [] };
      entry.count += 1;
      if (key === steps.at(-1)?.key) entry.further = further;
      asked.set(key, entry);
    }
  }
  return asked;
}

/** In the order of asking; a submission that is refused leaves its places to those after it. */
function decide(
  { steps, further }: Submission,
  counted: ReadonlyMap<string, SharedCount>,
  used: Map<string, number>,
): Decided {
  const placeOf = ({ key }: Step) => {
    const { total, added } = counted.get(key) ?? { total: 0, added: 0 };
    return total - added + (used.get(key) ?? 0) + 1;
  };
  const leftOf = (step?: Step) => counted.get(step?.key ?? "")?.leftMs ?? 0;
  const full = steps.find((step) => placeOf(step) > step.count);
  if (full) return { refusedBy: full, leftMs: leftOf(full) };
  const sender = steps.at(-1);
  const nth = sender ? placeOf(sender) : 1;
  const furtherSteps = nth > 1 ? further : [];
  const fullOfFurther = furtherSteps.find((step) => placeOf(step) > step.count);
  // By then the sender's next one is its first again.
  if (fullOfFurther) return { refusedBy: fullOfFurther, leftMs: leftOf(sender) };
  const usedKeys = [...steps, ...furtherSteps].map(({ key }) => key);
  for (const key of usedKeys) used.set(key, (used.get(key) ?? 0) + 1);
  return { nth, usedKeys };
}

/** Read once; a read that fails is tried again with the next submission. */
function storedSecret(db: Kysely<Database>) {
  let reading: Promise<string> | undefined;
  async function read() {
    const { rows } = await sql<{
      value: string;
    }>`select value from secrets where name = ${secretName}`.execute(db);
    if (!rows[0]) throw new Error("The secret of the rate limits is missing from the database.");
    return rows[0].value;
  }
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}
