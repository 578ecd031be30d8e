import fc from "fast-check";
import { headerBytes, hostileText, inTarget, mostly } from "../hostile-text.ts";
import { get, type WireRequest } from "../wire-request.ts";
import type { Door } from "./door.ts";

const reading = fc.oneof(
  { weight: 6, arbitrary: fc.constant("GET") },
  { weight: 1, arbitrary: fc.constant("HEAD") },
);

function read(targets: fc.Arbitrary<string>): fc.Arbitrary<WireRequest> {
  return fc.tuple(reading, targets).map(([method, target]) => ({ ...get(target), method }));
}

const id = inTarget(
  mostly(
    fc.oneof(
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.constantFrom("1", "2", "3", "03", "3.0", "3e0", " 3", "3 "),
    ),
  ),
);

/** Issues by id, in the path, in the menu's query and as the router asks for their data. */
export const issueDoor: Door = {
  name: "issue ids",
  requests: read(
    fc.oneof(
      fc
        .tuple(id, fc.constantFrom("", ".data", "/", "?x=1"))
        .map(([issue, end]) => `/newsletter/${issue}${end}`),
      fc
        .tuple(id, fc.constantFrom("", "&issue=1", "&x"))
        .map(([issue, end]) => `/newsletter?issue=${issue}${end}`),
      id.map((issue) => `/newsletter.data?issue=${issue}`),
    ),
  ),
};

const words = inTarget(
  mostly(
    fc
      .array(
        fc.constantFrom(
          "lead",
          "leads",
          "quote",
          "invoices",
          "time",
          "the",
          "a",
          "email",
          "agent*",
          "-time",
          '"change order"',
        ),
        { maxLength: 12 },
      )
      .map((list) => list.join(" ")),
  ),
);

/** The search box. */
export const searchDoor: Door = {
  name: "search box",
  requests: read(
    fc.oneof(
      { weight: 5, arbitrary: words.map((query) => `/search?q=${query}`) },
      {
        weight: 1,
        arbitrary: fc.tuple(words, words).map(([one, two]) => `/search?q=${one}&q=${two}`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(inTarget(hostileText), words)
          .map(([name, query]) => `/search.data?${name}=${query}`),
      },
    ),
  ),
};

const segment = fc.oneof(
  inTarget(hostileText),
  fc.constantFrom(
    "newsletter",
    "use-cases",
    "leads",
    "assets",
    "rest",
    "functions",
    "..",
    ".",
    "",
    "%2e%2e",
    "%2f",
    "%5c",
    "\\",
    "~",
    "index.html",
    ".env",
    ".git",
    "__manifest",
    "_root.data",
    "contact.data",
    "sitemap.xml",
    ".well-known",
    "healthz",
    "readyz",
    "favicon.ico",
    "fonts",
  ),
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        inTarget(
          mostly(fc.constantFrom("p", "paths", "version", "_routes", "index", "url", "utm_source")),
        ),
        inTarget(hostileText),
      )
      .map(([name, text]) => `?${name}=${text}`),
  },
);

/** Any path there might be: encodings, dots, slashes, files, the router's own addresses. */
export const pathDoor: Door = {
  name: "paths",
  requests: read(
    fc
      .tuple(
        fc.array(segment, { minLength: 1, maxLength: 5 }),
        fc.constantFrom("", "", "/", ".data"),
        query,
      )
      .map(([segments, end, asked]) => `/${segments.join("/")}${end}${asked}`),
  ),
};

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
