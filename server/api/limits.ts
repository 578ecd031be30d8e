import { createHmac } from "node:crypto";
import { BlockList, isIP, isIPv6 } from "node:net";
import { setImmediate as nextRound } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { isPostgres } from "#db/database-handle.ts";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";

export type Limit = { count: number; windowSeconds: number };

export type SubmissionKind = "message" | "signUp";

export type SubmissionLimits = Record<SubmissionKind, Record<"perMailbox" | "perAddress", Limit>>;

const hourSeconds = 60 * 60;

/** High, since a refusal costs more than a piece of spam. A flood's mail is paced. */
export const submissionLimits: SubmissionLimits = {
  message: {
    // Room for twenty afterthoughts.
    perMailbox: { count: 20, windowSeconds: hourSeconds },
    // An office behind one address.
    perAddress: { count: 120, windowSeconds: hourSeconds },
  },
  signUp: {
    // One confirmation mail an hour goes out anyway.
    perMailbox: { count: 10, windowSeconds: hourSeconds },
    // A trade show on one wireless network.
    perAddress: { count: 300, windowSeconds: hourSeconds },
  },
};

type Refused = { ok: false; retryAfterSeconds: number };

type Counter = {
  take(sender: string): Promise<{ ok: true } | Refused>;
  giveBack(sender: string): Promise<void>;
};

export type SubmissionLimiter = ReturnType<typeof createSubmissionLimiter>;

/** PostgreSQL stores the counts, so that instances share them. */
export function createSubmissionLimiter(
  db: Kysely<Database>,
  limits: SubmissionLimits = submissionLimits,
) {
  const counterOf = isPostgres(db) ? countersInPostgres(db) : countersInMemory();
  const countersOf = (kind: SubmissionKind) => ({
    mailbox: counterOf(`${kind}-mailbox`, limits[kind].perMailbox),
    network: counterOf(`${kind}-address`, limits[kind].perAddress),
  });
  const counters = { message: countersOf("message"), signUp: countersOf("signUp") };

  return {
    /** `giveBack` uncounts a repeat. */
    async take(
      kind: SubmissionKind,
      { clientAddress, email }: { clientAddress: string | null; email: string },
    ) {
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

/** In this process. Returns the seconds to wait, or 0. */
export function createNetworkLimiter(limit: Limit) {
  const counter = countersInMemory()("network", limit);
  return async (clientAddress: string | null): Promise<number> => {
    if (clientAddress === null) return 0;
    const answer = await counter.take(networkKey(clientAddress));
    return answer.ok ? 0 : answer.retryAfterSeconds;
  };
}

/** Lets the event loop accept and answer others between queued pieces of work. */
export async function letOthersIn(): Promise<void> {
  for (let round = 0; round < 16; round += 1) await nextRound();
}

function countersInMemory() {
  // About 10 MB. Dropping the oldest refuses nobody.
  const counts = new LRUCache<string, number>({ max: 100_000, ttl: 1, noUpdateTTL: true });
  return (name: string, limit: Limit): Counter => ({
    async take(sender) {
      const key = `${name}:${sender}`;
      const count = (counts.get(key) ?? 0) + 1;
      if (count > limit.count) return refused(counts.getRemainingTTL(key));
      counts.set(key, count, { ttl: limit.windowSeconds * 1_000 });
      return { ok: true };
    },
    async giveBack(sender) {
      const key = `${name}:${sender}`;
      const count = counts.get(key);
      if (count) counts.set(key, count - 1);
    },
  });
}

/** Stores senders under a keyed hash. */
function countersInPostgres(db: Kysely<Database>) {
  let secret: string | undefined;

  async function keyOf(name: string, sender: string): Promise<string> {
    if (secret === undefined) {
      const stored = sql<{ value: string }>`select value from secrets where name = 'rate-limits'`;
      secret = (await stored.execute(db)).rows[0]?.value;
    }
    if (secret === undefined) throw new Error("The secret of the rate limits isn't stored.");
    return `${name}:${createHmac("sha256", secret).update(sender).digest("base64url")}`;
  }

  return (name: string, { count, windowSeconds }: Limit): Counter => ({
    async take(sender) {
      const now = Date.now();
      const { rows } = await sql<{ points: number; expire: number }>`
        insert into rate_limits as counted (key, points, expire)
        values (${await keyOf(name, sender)}, 1, ${now + windowSeconds * 1_000})
        on conflict (key) do update set
          points = case when counted.expire > ${now} then counted.points + 1 else 1 end,
          expire = case when counted.expire > ${now} then counted.expire else excluded.expire end
        returning points, expire`.execute(db);
      const { points, expire } = rows[0] ?? { points: 1, expire: now };
      return points > count ? refused(expire - now) : { ok: true };
    },
    async giveBack(sender) {
      const key = await keyOf(name, sender);
      await sql`update rate_limits set points = points - 1 where key = ${key}`.execute(db);
    },
  });
}

function refused(leftMs: number): Refused {
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) };
}

/** An IPv4 address, or 64 bits of an IPv6 address, as one connection gets (RFC 6177). */
export function networkKey(address: string): string {
  if (!isIPv6(address)) return address;
  // A URL's host is canonical (WHATWG URL, "IPv6 serializer").
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  if (canonical.startsWith("::ffff:")) return canonical;
  const [head = [], tail = []] = canonical.split("::").map((part) => part.match(/\w+/g) ?? []);
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}

const forwardedHopsMax = 20;

type Hops = { socketAddress: string | null; forwardedFor: string | null };

/**
 * X-Forwarded-For's rightmost address that isn't a trusted proxy's; visitors can invent those
 * before it.
 */
export function createClientAddressReader(trustedProxies: string[]) {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", bits] = entry.split("/");
    if (bits === undefined) trusted.addAddress(address, family(address));
    else trusted.addSubnet(address, Number(bits), family(address));
  }
  const isTrusted = (address: string) => trusted.check(address, family(address));

  return ({ socketAddress, forwardedFor }: Hops): string | null => {
    let client = plainAddress(socketAddress ?? "");
    const hops = (forwardedFor ?? "").split(",").slice(-forwardedHopsMax);
    while (client !== null && isTrusted(client)) {
      const previous = plainAddress(hops.pop() ?? "");
      if (previous === null) break;
      client = previous;
    }
    return client;
  };
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Without port, brackets, zone or IPv4-mapped prefix; null if malformed. */
function plainAddress(text: string): string | null {
  const address = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}
