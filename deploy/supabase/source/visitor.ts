import { createClientAddressReader } from "#server/listening/client-address.ts";

/**
 * Reads the visitor's address. Who connected is what the project's gateway says, in `CF-Connecting-IP` or last in
 * `X-Forwarded-For`; where that is a trusted proxy, such as the site's own server, what it wrote before itself is
 * believed, as the site itself believes its proxies.
 */
export function createVisitorReader(
  trustedProxies: string[],
): (headers: Pick<Headers, "get">) => string | null {
  const read = createClientAddressReader(trustedProxies);
  return (headers) => {
    const hops = (headers.get("X-Forwarded-For") ?? "").split(",").map((hop) => hop.trim());
    const connected = headers.get("CF-Connecting-IP")?.trim() || (hops.at(-1) ?? "");
    const at = hops.lastIndexOf(connected);
    const before = at === -1 ? [] : hops.slice(0, at);
    return read({ socketAddress: connected || null, forwardedFor: before.join(",") });
  };
}
