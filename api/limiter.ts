import { createHmac, randomBytes } from "node:crypto";
import { CompiledQuery, type Kysely, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { isPostgres } from "#db/database-handle.ts";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import {
  type Limit,
  networkKey,
  type SubmissionKind,
  type SubmissionLimits,
  submissionLimits,
} from "./limits.ts";

type Sender = { clientAddress: string | null; email: string };

type Counted = { ok: true; nth: number } | { ok: false; retryAfterSeconds: number };

type Counter = {
  take(key: string): Promise<Counted>;
  giveBack(key: string): Promise<void>;
};

/** About 10 MB. Past it the oldest windows are dropped, which refuses nobody. */
const maxKeysInMemory = 100_000;

export type Taken =
  | {
      ok: true;
      /**
       * Its place among the network's submissions within the window, from 1; the mailbox's where the network is
       * unknown.
       */
      nth: number;
      /** Uncounts a repeat. */
      giveBack(): Promise<void>;
    }
  | { ok: false; retryAfterSeconds: number };

export type SubmissionLimiter = {
  /** Counts one submission by mailbox and network, unless it is over either limit. */
  take(kind: SubmissionKind, sender: Sender): Promise<Taken>;
};

/**
 * Limits how often each form is sent. PostgreSQL stores the counts, so that instances share them; with SQLite they are
 * in memory. Senders are counted under a keyed hash, never in plain text.
 */
export function createSubmissionLimiter(
  db: Kysely<Database>,
  limits: SubmissionLimits = submissionLimits,
): SubmissionLimiter {
  const readSecret = isPostgres(db) ? storedSecret(db) : newSecret();
  const counterOf = isPostgres(db) ? countersInPostgres(db) : countersInMemory();
  const countersOf = (kind: SubmissionKind) => ({
    mailbox: counterOf(`${kind}-mailbox`, limits[kind].perMailbox),
    network: counterOf(`${kind}-address`, limits[kind].perAddress),
  });
  const counters = { message: countersOf("message"), signUp: countersOf("signUp") };

  return {
    async take(kind, { clientAddress, email }) {
      const secret = await readSecret();
      const senders = [
        { counter: counters[kind].mailbox, sender: mailboxKey(email) },
        { counter: counters[kind].network, sender: clientAddress && networkKey(clientAddress) },
      ];
      const counted: { counter: Counter; key: string }[] = [];
      const giveBack = async () => {
        for (const { counter, key } of counted) await counter.giveBack(key);
      };
      let nth = 1;
      for (const { counter, sender } of senders) {
        if (!counter || sender === null) continue;
        const key = createHmac("sha256", secret).update(sender).digest("base64url");
        const answer = await counter.take(key);
        if (!answer.ok) {
          await giveBack();
          return answer;
        }
        counted.push({ counter, key });
        nth = answer.nth;
      }
      return { ok: true, nth, giveBack };
    },
  };
}

/** Counts requests by network in this process. Returns the seconds to wait, or 0. */
export function createNetworkLimiter(limit: NonNullable<Limit>) {
  const counter = countersInMemory()("network", limit);
  return async (clientAddress: string | null): Promise<number> => {
    if (!counter || clientAddress === null) return 0;
    const answer = await counter.take(networkKey(clientAddress));
    return answer.ok ? 0 : answer.retryAfterSeconds;
  };
}

/** The library's own memory store keeps a timer for each key without a bound. */
function countersInMemory() {
  const counts = new LRUCache<string, number>({
    max: maxKeysInMemory,
    ttl: 1,
    noUpdateTTL: true,
  });
  return (name: string, limit: Limit): Counter | null =>
    limit && {
      async take(sender) {
        const key = `${name}:${sender}`;
        const nth = (counts.get(key) ?? 0) + 1;
        if (nth > limit.count) return refused(counts.getRemainingTTL(key));
        counts.set(key, nth, { ttl: limit.windowSeconds * 1_000 });
        return { ok: true, nth };
      },
      async giveBack(sender) {
        const key = `${name}:${sender}`;
        const count = counts.get(key);
        if (count) counts.set(key, count - 1);
      },
    };
}

function countersInPostgres(db: Kysely<Database>) {
  const storeClient = {
    query: ({ text, values }: { text: string; values: unknown[] }) =>
      db.executeQuery(CompiledQuery.raw(text, values)),
  };
  return (name: string, limit: Limit): Counter | null => {
    if (!limit) return null;
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: "client",
      tableName: "rate_limits",
      tableCreated: true,
      keyPrefix: name,
      points: limit.count,
      duration: limit.windowSeconds,
    });
    return {
      async take(key) {
        try {
          return { ok: true, nth: (await limiter.consume(key)).consumedPoints };
        } catch (refusal) {
          if (refusal instanceof RateLimiterRes) return refused(refusal.msBeforeNext);
          throw refusal;
        }
      },
      async giveBack(key) {
        await limiter.reward(key);
      },
    };
  };
}

function refused(leftMs: number): Counted {
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) };
}

function newSecret(): () => Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  return async () => secret;
}

/** Read once, and again after a failure. */
function storedSecret(db: Kysely<Database>): () => Promise<string> {
  let secret: string | null = null;
  return async () => {
    if (secret === null) {
      const { rows } = await sql<{
        value: string;
      }>`select value from secrets where name = 'rate-limits'`.execute(db);
      secret = rows[0]?.value ?? null;
    }
    if (secret === null) throw new Error("The secret of the rate limits is not in the database.");
    return secret;
  };
}
