import { wordBeginnings } from "../../growth/sample-issue.ts";
import { visitedPages } from "../../visitors/visited-pages.ts";
import type { HostileKind, HostileRequest, HostileShape } from "./hostile-request.ts";
import { spellingsOf } from "./spellings.ts";

/** 500 of these are 33 KB: what one connection is sent in one go. */
const missingPathLength = 20;
const pipelinedPaths = 500;

/** The attacks of requests, in the order of the report. `restQueries` are what the search over the grammar found. */
export function hostileKinds(restQueries: HostileRequest[]): HostileKind[] {
  return [
    {
      name: "unknown paths",
      connections: 1_000,
      pipelined: pipelinedPaths,
      shapes: unknownPaths,
    },
    { name: "spellings and queries", connections: 200, pipelined: 20, shapes: oddSpellings },
    {
      name: "REST",
      connections: 100,
      pipelined: 2,
      shapes: restQueries.map((query) => ({ name: shortened(query), request: () => query })),
    },
    { name: "search", connections: 100, pipelined: 2, shapes: searches },
    { name: "broken forms", connections: 100, pipelined: 1, shapes: brokenForms },
    { name: "fresh `.data`", connections: 200, pipelined: 4, shapes: freshData },
  ];
}

export const slowConnections = { name: "slow connections", connections: 4_000 };

/** What everybody may ask, to compare with. */
export const cachedPage: HostileShape = { name: "/", request: () => ({ target: "/" }) };

const unknownPaths: HostileShape[] = [
  shape("/GnP5…", (n) => `/${fresh(n).padEnd(missingPathLength, "x")}`),
  shape("under /newsletter", (n) => `/newsletter/${fresh(n)}`),
  shape("an issue that isn't there", (n) => `/newsletter/${1_000_000 + n}`),
  shape("8,000 letters", (n) => `/${fresh(n)}${"long".repeat(2_000)}`),
  shape("encoded, 3,000 letters", (n) => `/${fresh(n)}${"%C3%A9".repeat(500)}`),
  shape("500 segments", (n) => `/${fresh(n)}${"/a".repeat(500)}`),
  shape("with words of a script", (n) => `/<script>${fresh(n)}`.replaceAll("<", "%3C")),
  shape("under /assets", (n) => `/assets/${fresh(n)}.js`),
  shape("under /functions", (n) => `/functions/v1/${fresh(n)}`),
  shape("under /rest", (n) => `/rest/v1/${fresh(n)}`),
];

const oddSpellings: HostileShape[] = visitedPages.flatMap((path) => [
  ...spellingsOf(path)
    .slice(0, 8)
    .map(({ target }) => shape(target, (n) => withQuery(target, fresh(n)))),
  shape(`${path}?…=…`, (n) => `${path}?${fresh(n)}=${fresh(n + 1)}`),
  shape(`${path}?issue=…`, (n) => `${path}?issue=${n}&x=${fresh(n)}`),
  shape(`${path}? and 4,000 letters`, (n) => `${path}?${fresh(n)}=${"q".repeat(4_000)}`),
]);

const searches: HostileShape[] = [
  shape("a word", (n) => `/search?q=${fresh(n)}`),
  shape("a word of the site", (n) => `/search?q=automation%20${fresh(n)}`),
  shape("a letter", (n) => `/search?q=${"abcdefghijklmnopqrstuvwxyz"[n % 26]}&x=${n}`),
  shape("50 words", (n) => `/search?q=${`quote+invoice+lead+${fresh(n)}+`.repeat(13)}`),
  shape("2,000 letters", (n) => `/search?q=${fresh(n)}${"automation".repeat(200)}`),
  shape("beginnings of words", (n) => `/search?q=a+b+c+d+e+s+t+${fresh(n)}`),
  shape("three letters of many words", (n) => `/search?q=${beginnings(n)}`),
  shape("the same, and a word that isn't there", (n) => `/search?q=${beginnings(n)}+${fresh(n)}`),
  shape("as data", (n) => `/search.data?q=${fresh(n)}`),
];

function beginnings(n: number): string {
  return [0, 1, 2, 3, 4]
    .map((offset) => wordBeginnings[(n * 7 + offset * 5) % wordBeginnings.length])
    .join("+");
}

const freshData: HostileShape[] = [
  shape("archive", (n) => `/newsletter.data?${fresh(n)}`),
  shape(
    "archive, one route",
    (n) => `/newsletter.data?_routes=newsletter%2Farchive%2Fnewsletter&${fresh(n)}`,
  ),
  shape("an older issue", (n) => `/newsletter.data?issue=${1 + (n % 90)}&${fresh(n)}`),
  shape("an issue", (n) => `/newsletter/${1 + (n % 90)}.data?${fresh(n)}`),
  shape("home", (n) => `/_root.data?${fresh(n)}`),
  shape("a page", (n) => `/pricing.data?${fresh(n)}`),
  shape("of no page", (n) => `/${fresh(n)}.data`),
  shape("unknown routes", (n) => `/newsletter.data?_routes=${fresh(n)}`),
];

const json = { "content-type": "application/json" };
const urlencoded = { "content-type": "application/x-www-form-urlencoded" };
const multipart = { "content-type": "multipart/form-data; boundary=x" };
const functions = ["/functions/v1/newsletter-signup", "/functions/v1/send-contact-email"];

const brokenForms: HostileShape[] = [
  ...functions.flatMap((target) => [
    posted("no JSON", target, json, (n) => `{"email":"${fresh(n)}`),
    posted("no address", target, json, () => '{"email":"x"}'),
    posted("nested arrays", target, json, () => `{"email":${"[".repeat(40_000)}`),
    posted("95 KB of names", target, json, (n) => `{${manyNames(n)}"email":"x"}`),
    posted("95 KB of address", target, json, (n) => `{"email":"${"a@".repeat(47_000)}${n}"}`),
    posted("another type", target, { "content-type": "text/plain" }, (n) => fresh(n)),
  ]),
  ...["/contact", "/newsletter"].flatMap((target) => [
    posted("empty", target, urlencoded, () => ""),
    posted("95 KB of pairs", target, urlencoded, (n) => "a=b&".repeat(23_000) + fresh(n)),
    posted("half a multipart", target, multipart, (n) => `--x\r\nContent-Dis${fresh(n)}`),
    posted("9,000 parts", target, multipart, manyParts),
    posted("no address", target, urlencoded, (n) => `email=x&firstName=${fresh(n)}&message=m`),
    posted("no form", target, json, () => "{}"),
  ]),
];

function manyParts(): string {
  return `${"--x\r\n\r\n\r\n".repeat(9_000)}--x--\r\n`;
}

function manyNames(n: number): string {
  return Array.from({ length: 8_000 }, (_, index) => `"${n}${index}":1,`)
    .join("")
    .slice(0, 95_000);
}

function shape(name: string, target: (n: number) => string): HostileShape {
  return { name, request: (n) => ({ target: target(n) }) };
}

function posted(
  name: string,
  target: string,
  headers: HostileRequest["headers"],
  body: (n: number) => string,
): HostileShape {
  const request = (n: number) => ({ method: "POST" as const, target, headers, body: body(n) });
  return { name: `${target}: ${name}`, request };
}

function withQuery(target: string, query: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}${query}`;
}

/** Letters that no request before it had. */
function fresh(n: number): string {
  return `n${n.toString(36)}${runId}`;
}
const runId = process.hrtime.bigint().toString(36).slice(-6);

function shortened({ target, headers = {} }: HostileRequest): string {
  const asked = Object.values(headers).map((value) => `, ${value}`);
  const query = target.slice(target.indexOf("?"));
  const words = query.length <= 60 ? query : `${query.slice(0, 44)}… (${query.length} letters)`;
  return words + asked.join("");
}
