import { createHmac } from "node:crypto";
import { CompiledQuery, type Kysely, sql } from "kysely";
import { LRUCache } from "lru-cache";
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

type Refused = { ok: false; retryAfterSeconds: number };

type Counter = {
  take(sender: string): Promise<{ ok: true; nth: number } | Refused>;
  giveBack(sender: string): Promise<void>;
};

export type SubmissionLimiter = {
  /**
   * Counts one submission by mailbox and network, unless it is over either limit. `nth` is its place among the network's
   * within the window, from 1; the mailbox's where the network is unknown. `giveBack` uncounts a repeat.
   */
  take(
    kind: SubmissionKind,
    sender: Sender,
  ): Promise<{ ok: true; nth: number; giveBack(): Promise<void> } | Refused>;
};

/**
 * Limits how often each form is sent. PostgreSQL stores the counts, so that instances share them; with SQLite they are
 * in memory.
 */
export function createSubmissionLimiter(
  db: Kysely<Database>,
  limits: SubmissionLimits = submissionLimits,
): SubmissionLimiter {
  const counterOf = isPostgres(db) ? countersInPostgres(db) : countersInMemory();
  const countersOf = (kind: SubmissionKind) => ({
    mailbox: counterOf(`${kind}-mailbox`, limits[kind].perMailbox),
    network: counterOf(`${kind}-address`, limits[kind].perAddress),
  });
  const counters = { message: countersOf("message"), signUp: countersOf("signUp") };

  return {
    async take(kind, { clientAddress, email }) {
      const { mailbox, network } = counters[kind];
      const key = mailboxKey(email);
      const byMailbox = await mailbox.take(key);
      if (!byMailbox.ok || clientAddress === null) {
        return { ...byMailbox, giveBack: () => mailbox.giveBack(key) };
      }
      const networksKey = networkKey(clientAddress);
      const byNetwork = await network.take(networksKey);
      if (!byNetwork.ok) {
        await mailbox.giveBack(key);
        return byNetwork;
      }
      const giveBack = async () => {
        await mailbox.giveBack(key);
        await network.giveBack(networksKey);
      };
      return { ...byNetwork, giveBack };
    },
  };
}

/** Counts requests by network in this process. Returns the seconds to wait, or 0. */
export function createNetworkLimiter(limit: Limit) {
  const counter = countersInMemory()("network", limit);
  return async (clientAddress: string | null): Promise<number> => {
    if (clientAddress === null) return 0;
    const answer = await counter.take(networkKey(clientAddress));
    return answer.ok ? 0 : answer.retryAfterSeconds;
  };
}

/** The library's own memory store keeps a timer for each key without a bound. */
function countersInMemory() {
  // About 10 MB. Past it the oldest windows are dropped, which refuses nobody.
  const counts = new LRUCache<string, number>({ max: 100_000, ttl: 1, noUpdateTTL: true });
  return (name: string, limit: Limit): Counter => ({
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
  });
}

/** Senders are stored under a keyed hash, never in plain text. */
function countersInPostgres(db: Kysely<Database>) {
  const storeClient = {
    query: ({ text, values }: { text: string; values: unknown[] }) =>
      db.executeQuery(CompiledQuery.raw(text, values)),
  };
  let secret: string | undefined;

  async function keyOf(sender: string): Promise<string> {
    if (secret === undefined) {
      const { rows } = await sql<{
        value: string;
      }>`select value from secrets where name = 'rate-limits'`.execute(db);
      secret = rows[0]?.value;
    }
    if (secret === undefined) throw new Error("The secret of the rate limits isn't stored.");
    return createHmac("sha256", secret).update(sender).digest("base64url");
  }

  return (keyPrefix: string, { count: points, windowSeconds: duration }: Limit): Counter => {
    // Loaded where it is used, since it brings a store for every database.
    const opening = import("rate-limiter-flexible").then(({ RateLimiterPostgres }) => {
      const options = { storeClient, storeType: "client", tableName: "rate_limits" };
      return new RateLimiterPostgres({
        ...options,
        ...{ tableCreated: true, keyPrefix, points, duration },
      });
    });
    return {
      async take(sender) {
        const limiter = await opening;
        const key = await keyOf(sender);
        return await limiter.consume(key).then(
          ({ consumedPoints }) => ({ ok: true, nth: consumedPoints }),
          (refusal) => {
            if (refusal instanceof Error) throw refusal;
            return refused(refusal.msBeforeNext);
          },
        );
      },
      async giveBack(sender) {
        await (await opening).reward(await keyOf(sender));
      },
    };
  };
}

function refused(leftMs: number): Refused {
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) };
}
