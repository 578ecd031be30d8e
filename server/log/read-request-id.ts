import { randomUUID } from "node:crypto";
import type { Context } from "hono";

/** What proxies make: a UUID, or as many hexadecimal digits. Anything else could be words of a visitor's. */
const handedOn = /^[0-9a-f-]{16,64}$/i;

/** The id that a proxy in front has given the request in `X-Request-Id`, or a new one. */
export function readRequestId(c: Context): string {
  const given = c.req.header("X-Request-Id") ?? "";
  return handedOn.test(given) ? given : randomUUID();
}
