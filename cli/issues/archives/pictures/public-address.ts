import { BlockList, isIP } from "node:net";

/** What the registries of IANA set apart from the addresses of the open network (RFC 6890, and what came after it). */
const apart = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  apart.addSubnet(network, prefix, "ipv4");
}
// Of the space for single hosts: tunnels, translation, benchmarks and examples.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  apart.addSubnet(network, prefix, "ipv6");
}

const hosts = new BlockList();
hosts.addSubnet("2000::", 3, "ipv6");

/**
 * Whether an IP address is one of the open network: not this machine's, not of a network at home or in a data centre
 * (where machines answer that trust whoever is inside), nor one that stands for another.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !apart.check(address, "ipv4");
    case 6:
      return hosts.check(address, "ipv6") && !apart.check(address, "ipv6");
    default:
      return false;
  }
}
