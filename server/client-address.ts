import { BlockList, isIP } from "node:net";

/** Of a longer chain of proxies only the nearest this many are looked at. */
const forwardedHopsMax = 20;

type ClientAddressReader = (hops: {
  /** The other end of the connection. */
  socketAddress: string | null;
  /** The X-Forwarded-For header. */
  forwardedFor: string | null;
}) => string | null;

/**
 * Gives a reader of the visitor's address. The header is believed only as far as trusted proxies wrote it: from the
 * right, the first address that isn't one of theirs is the visitor's. Anyone can send the header, so anything left of
 * that is theirs to invent. `trustedProxies` are valid addresses and CIDR ranges.
 */
export function createClientAddressReader(trustedProxies: string[]): ClientAddressReader {
  const trusted = toBlockList(trustedProxies);
  const isTrusted = (address: string) => trusted.check(address, family(address));

  return ({ socketAddress, forwardedFor }) => {
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

function toBlockList(addressesAndRanges: string[]): BlockList {
  const list = new BlockList();
  for (const entry of addressesAndRanges) {
    const [address = "", bits] = entry.split("/");
    if (bits === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(bits), family(address));
  }
  return list;
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** An address without port, brackets, zone or the IPv6 wrapping of an IPv4 one; null where it is none. */
function plainAddress(text: string): string | null {
  const address = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}
