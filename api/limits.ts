import { isIPv6 } from "node:net";

/** The window begins with the first submission; null: no limit. */
export type Limit = { count: number; windowSeconds: number } | null;

export type SubmissionKind = "message" | "signUp";

export type SubmissionLimits = Record<
  SubmissionKind,
  {
    /** The sender of a message, or the subscriber. */
    perMailbox: Limit;
    /** An IPv6 network counts as one address. */
    perAddress: Limit;
  }
>;

/** The privacy policy promises this as the maximum. */
const hourSeconds = 60 * 60;

/**
 * Far above what people do, since a refusal costs more than a piece of spam. A flood from many networks is accepted,
 * and its mail is paced.
 */
export const submissionLimits: SubmissionLimits = {
  message: {
    // Room for twenty afterthoughts.
    perMailbox: { count: 20, windowSeconds: hourSeconds },
    // An office behind one address.
    perAddress: { count: 120, windowSeconds: hourSeconds },
  },
  signUp: {
    // However often the form is sent, one confirmation mail an hour goes out.
    perMailbox: { count: 10, windowSeconds: hourSeconds },
    // A trade show on one wireless network.
    perAddress: { count: 300, windowSeconds: hourSeconds },
  },
};

/**
 * The sender behind an address: an IPv4 address, or the first 64 bits of an IPv6 address, since one connection gets all
 * of those (RFC 6177).
 */
export function networkKey(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = ipv6Groups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
    return bytes.join(".");
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** The eight groups of 16 bits; a URL's host has an address's canonical form (WHATWG URL, "IPv6 serializer"). */
function ipv6Groups(address: string): number[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = canonical.split("::");
  const read = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(head), read(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
