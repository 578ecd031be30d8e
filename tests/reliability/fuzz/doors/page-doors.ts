import fc from "fast-check";
import { hostileText, inTarget, mostly } from "../hostile-text.ts";
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
