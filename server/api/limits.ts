import { isIPv6 } from "node:net";
import { LRUCache } from "lru-cache";
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

/** Counts in this process. `take` returns the seconds to wait, or 0. */
function createCounter({ count, windowSeconds }: Limit) {
  // About 3 MB. Dropping the oldest refuses nobody.
  const taken = new LRUCache<string, number>({
    max: 30_000,
    ttl: windowSeconds * 1_000,
    noUpdateTTL: true,
  });
  return {
    take(key: string): number {
      const next = (taken.get(key) ?? 0) + 1;
      if (next > count) return Math.max(1, Math.ceil(taken.getRemainingTTL(key) / 1_000));
      taken.set(key, next);
      return 0;
    },
    giveBack(key: string): void {
      const former = taken.get(key);
      if (former) taken.set(key, former - 1);
    },
  };
}

export function createNetworkLimiter(limit: Limit) {
  const counter = createCounter(limit);
  return (clientAddress: string | null): number =>
    clientAddress === null ? 0 : counter.take(networkKey(clientAddress));
}

export type Sender = { clientAddress: string | null; email: string };

export type SubmissionLimiter = ReturnType<typeof createSubmissionLimiter>;

/** By mailbox and by network. A refusal counts against neither. */
export function createSubmissionLimiter(limits: SubmissionLimits = submissionLimits) {
  const countersOf = (kind: SubmissionKind) => ({
    mailboxes: createCounter(limits[kind].perMailbox),
    networks: createCounter(limits[kind].perAddress),
  });
  const counters = { message: countersOf("message"), signUp: countersOf("signUp") };
  return {
    take(kind: SubmissionKind, { clientAddress, email }: Sender): number {
      const { mailboxes, networks } = counters[kind];
      const mailbox = mailboxKey(email);
      const mailboxWaits = mailboxes.take(mailbox);
      if (mailboxWaits > 0 || clientAddress === null) return mailboxWaits;
      const networkWaits = networks.take(networkKey(clientAddress));
      if (networkWaits > 0) mailboxes.giveBack(mailbox);
      return networkWaits;
    },
    giveBack(kind: SubmissionKind, { clientAddress, email }: Sender): void {
      const { mailboxes, networks } = counters[kind];
      mailboxes.giveBack(mailboxKey(email));
      if (clientAddress !== null) networks.giveBack(networkKey(clientAddress));
    },
  };
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
