import { isIPv6 } from "node:net";

const networkGroups = 4;
const siteGroups = 3;

/**
 * What of a network address counts as one sender: an IPv4 address as it is; of an IPv6 address the first 64 bits, since
 * a connection is given that many addresses and more (RFC 6177).
 */
export function networkKey(address: string): string {
  return firstGroups(address, networkGroups);
}

/**
 * What of it counts as one site: of an IPv6 address the first 48 bits, of which a household or a rented server may have
 * all.
 */
export function siteKey(address: string): string {
  return firstGroups(address, siteGroups);
}

function firstGroups(address: string, count: number): string {
  if (!isIPv6(address)) return address;
  const groups = ipv6Groups(address);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) return ipv4Of(groups);
  return `${groups
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(":")}::/${count * 16}`;
}

/** The eight groups of 16 bits. A URL's host is the address in its one canonical form (WHATWG URL, "IPv6 serializer"). */
function ipv6Groups(address: string): number[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const read = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const before = read(head);
  const after = read(tail ?? "");
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function ipv4Of(groups: number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}
