import { isIPv6 } from "node:net";

/** At most so many within the window, which begins with the first; null: no limit. */
export type Limit = { count: number; windowSeconds: number } | null;

export type SubmissionKind = "message" | "signUp";

export type SubmissionLimits = Record<
  SubmissionKind,
  {
    /** By mailbox: the sender's of a message, the subscriber's of a sign-up. */
    perMailbox: Limit;
    /** By network address; an IPv6 network counts as one. */
    perAddress: Limit;
  }
>;

/** The privacy policy says for how long senders are counted at most. */
const hourSeconds = 60 * 60;

/**
 * How often each form may be sent: far above what people do, since a refusal costs a visitor more than a piece of spam
 * costs the firm. A flood from many networks is taken, and its mail is spaced out.
 */
export const submissionLimits: SubmissionLimits = {
  message: {
    // Room for twenty afterthoughts.
    perMailbox: { count: 20, windowSeconds: hourSeconds },
    // An office or a building behind one address, all of it writing within the hour.
    perAddress: { count: 120, windowSeconds: hourSeconds },
  },
  signUp: {
    // A subscriber gets one confirmation mail an hour, however often the form is sent.
    perMailbox: { count: 10, windowSeconds: hourSeconds },
    // A full hall of a trade show on one wireless network.
    perAddress: { count: 300, windowSeconds: hourSeconds },
  },
};

/**
 * What of a network address counts as one sender: an IPv4 address as it is; of an IPv6 address the first 64 bits, since
 * a connection is given that many addresses and more (RFC 6177).
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

/** The eight groups of 16 bits. A URL's host is the address in its one canonical form (WHATWG URL, "IPv6 serializer"). */
function ipv6Groups(address: string): number[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = canonical.split("::");
  const read = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(head), read(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
