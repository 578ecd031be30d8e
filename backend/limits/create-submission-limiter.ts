import { createHmac, randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { isPostgres } from "../database/is-postgres.ts";
import type { Database } from "../database/tables.ts";
import { mailboxKey } from "../email/mailbox-key.ts";
import type { Counter } from "./counter.ts";
import { createMemoryCounter } from "./memory-counter.ts";
import { networkKey } from "./network-key.ts";
import { createPostgresCounter } from "./postgres-counter.ts";
import type { Limit, SubmissionKind, SubmissionLimits } from "./submission-limits.ts";

const secretName = "rate-limits";
const secretBytes = 32;
/** The one key of what is counted without regard to its sender. */
const allSenders = "all";

export type SubmissionSender = { clientAddress: string | null; email: string };

export type Taken =
  | {
      ok: true;
      /** Which one of its sender's it is within the window, from 1: by the address, or by the mailbox where that isn't known. */
      nth: number;
      /** Counts it as not having happened, for what turned out to be a repeat. */
      giveBack(): Promise<void>;
    }
  | { ok: false; retryAfterSeconds: number };

export type SubmissionLimiter = {
  /** Counts one submission, unless that would be one too many: then none of its counts is kept. */
  take(kind: SubmissionKind, sender: SubmissionSender): Promise<Taken>;
};

type Scope = keyof SubmissionLimits[SubmissionKind];

/**
 * Counts submissions by mailbox, by network address and, past an address's first, overall. With PostgreSQL the counts
 * are in the database, so that several copies of the server share them; on SQLite, which one server writes, in memory,
 * so that counting costs no write. Addresses are counted under a keyed hash and never stored as they are.
 */
export function createSubmissionLimiter(
  db: Kysely<Database>,
  limits: SubmissionLimits,
): SubmissionLimiter {
  const counters = createCounters(db, limits);
  const readSecret = isPostgres(db) ? storedSecret(db) : ownSecret();

  return {
    async take(kind, { clientAddress, email }) {
      const secret = await readSecret();
      const hashed = (text: string) =>
        createHmac("sha256", secret).update(text).digest("base64url");
      const { perMailbox, perAddress, furtherOnes } = counters[kind];
      const counted: [Counter, string][] = [];
      const giveBack = async () => {
        for (const [counter, key] of counted) await counter.undo(key);
      };
      const sender = { nth: 1, windowEndsInSeconds: 0 };
      const steps: [Counter | null, string | null][] = [
        [perMailbox, hashed(mailboxKey(email))],
        [perAddress, clientAddress === null ? null : hashed(networkKey(clientAddress))],
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
      if (sender.nth > 1 && furtherOnes) {
        if (!(await furtherOnes.count(allSenders)).ok) {
          await giveBack();
          // By then the sender's next one is its first again.
          return { ok: false, retryAfterSeconds: sender.windowEndsInSeconds };
        }
        counted.push([furtherOnes, allSenders]);
      }
      return { ok: true, nth: sender.nth, giveBack };
    },
  };
}

function createCounters(db: Kysely<Database>, limits: SubmissionLimits) {
  const create = (kind: SubmissionKind, scope: Scope) =>
    createCounter(db, `${kind}-${scope}`, limits[kind][scope]);
  const ofKind = (kind: SubmissionKind) => ({
    perMailbox: create(kind, "perMailbox"),
    perAddress: create(kind, "perAddress"),
    furtherOnes: create(kind, "furtherOnes"),
  });
  return { message: ofKind("message"), signUp: ofKind("signUp") };
}

function createCounter(db: Kysely<Database>, keyPrefix: string, limit: Limit): Counter | null {
  if (limit === null) return null;
  return isPostgres(db) ? createPostgresCounter(db, keyPrefix, limit) : createMemoryCounter(limit);
}

/** Dies with the process, and so do the counts that are kept under it. */
function ownSecret() {
  const secret = randomBytes(secretBytes);
  return () => secret;
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
