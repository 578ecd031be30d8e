import { isIPv6 } from "node:net";

/** The window begins with the first submission. */
export type Limit = { count: number; windowSeconds: number };

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
  // A URL's host has an address's canonical form (WHATWG URL, "IPv6 serializer").
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  // An IPv4 address in the other's form.
  if (canonical.startsWith("::ffff:")) return canonical;
  const [head = [], tail = []] = canonical.split("::").map((part) => part.match(/\w+/g) ?? []);
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}
