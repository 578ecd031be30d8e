import { createHmac, randomBytes } from "node:crypto";
import { CompiledQuery, type Kysely, sql } from "kysely";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { isPostgres } from "../database/is-postgres.ts";
import type { Database } from "../database/tables.ts";
import { mailboxKey } from "../email/mailbox-key.ts";
import { networkKey } from "./network-key.ts";
import type { Limit, SubmissionKind, SubmissionLimits } from "./submission-limits.ts";

/** Where copies of the server count together on PostgreSQL; made by a migration, in the shape the library expects. */
const countersTable = "rate_limits";
const secretName = "rate-limits";
const secretBytes = 32;

export type SubmissionSender = { clientAddress: string | null; email: string };

export type Taken =
  | {
      ok: true;
      /** Counts it as not having happened, for what turned out to be a repeat. */
      giveBack(): Promise<void>;
    }
  | { ok: false; retryAfterSeconds: number };

export type SubmissionLimiter = {
  /** Counts one submission, unless that would be one too many. */
  take(kind: SubmissionKind, sender: SubmissionSender): Promise<Taken>;
};

type Counter = RateLimiterMemory | RateLimiterPostgres;
type Scope = keyof SubmissionLimits[SubmissionKind];

/**
 * Counts submissions by network address, by mailbox and overall (`rate-limiter-flexible`). With PostgreSQL the counts
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
      const counted: [Counter, string][] = [];
      // In this order, so that what one sender is refused is not counted against everybody, and nothing is remembered
      // of a mailbox once the whole site is past its limit.
      const steps: [Scope, string | null][] = [
        ["perAddress", clientAddress === null ? null : hashed(networkKey(clientAddress))],
        ["overall", "all"],
        ["perMailbox", hashed(mailboxKey(email))],
      ];
      for (const [scope, key] of steps) {
        const counter = counters[kind][scope];
        if (counter === null || key === null) continue;
        const refused = await consume(counter, key);
        if (refused) return { ok: false, retryAfterSeconds: refused.retryAfterSeconds };
        counted.push([counter, key]);
      }
      const giveBack = async () => {
        for (const [counter, key] of counted) await counter.reward(key);
      };
      return { ok: true, giveBack };
    },
  };
}

async function consume(counter: Counter, key: string) {
  try {
    await counter.consume(key);
    return null;
  } catch (refusal) {
    // The library rejects with its result where the limit is reached, and with an error where it can't count.
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
  }
}

function createCounters(db: Kysely<Database>, limits: SubmissionLimits) {
  const create = (kind: SubmissionKind, scope: Scope) =>
    createCounter(db, `${kind}-${scope}`, limits[kind][scope]);
  const ofKind = (kind: SubmissionKind) => ({
    perAddress: create(kind, "perAddress"),
    perMailbox: create(kind, "perMailbox"),
    overall: create(kind, "overall"),
  });
  return { message: ofKind("message"), signUp: ofKind("signUp") };
}

function createCounter(db: Kysely<Database>, keyPrefix: string, limit: Limit): Counter | null {
  if (limit === null) return null;
  const options = { keyPrefix, points: limit.count, duration: limit.windowSeconds };
  if (!isPostgres(db)) return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: queryingThrough(db),
    storeType: "client",
    tableName: countersTable,
    tableCreated: true,
    // A sender that is far over its limit is refused without asking the database each time.
    inMemoryBlockOnConsumed: limit.count + 1,
  });
}

/** The one method of a pg client that the library calls, on the connections that Kysely keeps. */
function queryingThrough(db: Kysely<Database>) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
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
