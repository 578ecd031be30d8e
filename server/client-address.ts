import { BlockList, isIP } from "node:net";

/** Only this many of the nearest proxies in a chain are read. */
const forwardedHopsMax = 20;

type ClientAddressReader = (hops: {
  /** The other end of the connection. */
  socketAddress: string | null;
  /** The X-Forwarded-For header. */
  forwardedFor: string | null;
}) => string | null;

/**
 * Returns a reader of the visitor's address: in X-Forwarded-For from the right, the first address that isn't a trusted
 * proxy's. Visitors can invent anything left of that. `trustedProxies` are valid addresses and CIDR ranges.
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

/** An address without port, brackets, zone or IPv4-mapped prefix; null if it isn't one. */
function plainAddress(text: string): string | null {
  const address = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}
