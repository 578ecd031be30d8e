import fc from "fast-check";
import { headerBytes, hostileText } from "../hostile-text.ts";
import { get } from "../wire-request.ts";
import type { Door } from "./door.ts";

const reading = fc.oneof(
  { weight: 6, arbitrary: fc.constant("GET") },
  { weight: 1, arbitrary: fc.constant("HEAD") },
);

const names = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Authorization",
  "Cache-Control",
  "Cookie",
  "Forwarded",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "If-Range",
  "Origin",
  "Pragma",
  "Range",
  "Referer",
  "Sec-Fetch-Site",
  "Sec-Purpose",
  "TE",
  "Trailer",
  "User-Agent",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "X-HTTP-Method-Override",
  "X-Original-URL",
  "X-Request-Id",
  "X-Rewrite-URL",
  "Host",
  "Expect",
  "Upgrade",
  "Connection",
  "Via",
  "Max-Forwards",
  "Save-Data",
];
const header = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: fc.stringMatching(/^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,30}$/) },
    ),
    fc.oneof(
      fc.constantFrom(
        "*",
        "*;q=0",
        "gzip;q=nan, br;q=-1",
        "identity;q=0",
        "br",
        "bytes=0-0",
        "bytes=-1",
        "bytes=0-,1-",
        "bytes=9999999-",
        "bytes=5-2",
        'W/"x"',
        "127.0.0.1, 10.0.0.1",
        "::1",
        "evil.example",
        "evil.example:x",
        "/etc",
        "DELETE",
        "websocket",
        "100-continue",
        "close",
        "keep-alive",
        "h2c",
        "trailers",
      ),
      fc
        .array(fc.constantFrom("a", "gzip", ";q=1", ",", "bytes=0-1", '"x"'), { maxLength: 80 })
        .map((parts) => parts.join(",")),
      hostileText,
    ),
  )
  .map(([name, text]): [string, string] => [name, headerBytes(text)]);

/** Pages and files asked for under hostile headers, doubled ones among them. */
export const headerDoor: Door = {
  name: "headers",
  requests: fc
    .tuple(
      reading,
      fc.constantFrom(
        "/",
        "/pricing",
        "/newsletter",
        "/newsletter/3",
        "/contact",
        "/robots.txt",
        "/feed.xml",
        "/nothing-here",
        "/healthz",
        "/rest/v1/final_newsletters?select=id",
        "/favicon.ico",
        "/search?q=lead",
      ),
      fc.array(header, { minLength: 1, maxLength: 8 }),
    )
    .map(([method, target, headers]) => ({ ...get(target, headers), method })),
};
