import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import pino from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readConfig, siteSettings } from "#settings/settings.ts";
import { createHttp, type HttpOptions } from "./http.ts";
import { createMetrics } from "./metrics.ts";
import { formMaxBytes } from "./page-address.ts";

const page = (body: string, init?: ResponseInit) =>
  new Response(`<!doctype html><title>Page</title>${body}`, {
    ...init,
    headers: { "Content-Type": "text/html; charset=utf-8", ...init?.headers },
  });

/** As the framework writes one of the built site. */
const builtPage = (nonce = "") => page(`<script nonce="${nonce}">start()</script>`);

let clientDirectory = "";

beforeAll(() => {
  clientDirectory = mkdtempSync(path.join(tmpdir(), "http-test-"));
  mkdirSync(path.join(clientDirectory, "assets"), { recursive: true });
  writeFileSync(path.join(clientDirectory, "assets/root-D3qV4ydW.css"), "a{}".repeat(2_000));
  writeFileSync(path.join(clientDirectory, "favicon.svg"), "<svg/>");
  writeFileSync(path.join(clientDirectory, "sw.js"), "end()");
  writeFileSync(path.join(clientDirectory, "favicon.svg.gz"), "compressed");
});

afterAll(() => rmSync(clientDirectory, { recursive: true, force: true }));

type Line = Record<string, unknown>;

function httpWith(options: Partial<HttpOptions> = {}, env: Record<string, string> = {}) {
  const lines: Line[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const read = readConfig({ SITE_URL: "https://chalkline.example", ...env });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const answer = createHttp({
    settings: siteSettings(read.config),
    site: (_request, { nonce }) => builtPage(nonce),
    backend: () => new Response("asked"),
    isReady: async () => true,
    archiveVersion: async () => "1",
    metrics: createMetrics(),
    log,
    clientDirectory,
    styles: "a{}",
    trustedProxies: [],
    cacheTags: null,
    ...options,
  });
  const ask = async (target: string, init?: RequestInit, socketAddress = "203.0.113.9") => {
    const address = target.startsWith("/") ? `http://localhost${target}` : target;
    return await answer(new Request(address, init), { socketAddress });
  };
  return { ask, lines };
}

const form = { "Content-Type": "application/x-www-form-urlencoded" };

test("every answer keeps a proxy's request id, and no words sent in its place", async () => {
  const { ask } = httpWith();
  const idFor = async (given: string) =>
    (await ask("/search?q=a", { headers: { "X-Request-Id": given } })).headers.get("X-Request-Id");
  const proxys = "0f3a9d6b8c1e4f52a7b0c9d8e7f60514";
  expect(await idFor(proxys)).toBe(proxys);
  expect(await idFor("Pat-Featherstone=born-1970")).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
});

test("every answer leaves a line in the log that names its route and nothing of the visitor", async () => {
  const { ask, lines } = httpWith({ backend: () => new Response() });
  const named: [string, string][] = [
    ["/newsletter/3", "/newsletter/:issueId"],
    ["/contact?sheet=mia@example.com", "/contact"],
    ["/pat-featherstone", "(unknown)"],
    ["/search?q=Pat", "/search"],
    ["/rest/v1/pat", "/rest/*"],
    ["/functions/v1/newsletter-signup", "/functions/v1/newsletter-signup"],
    ["/functions/v1/pat", "/functions/*"],
    ["/assets/pat.js", "/assets/*"],
  ];
  for (const [target] of named) await ask(target, { headers: { "User-Agent": "Firefox" } });
  const requests = lines.filter(({ msg }) => msg === "Request");
  expect(requests.map(({ route }) => route)).toEqual(named.map(([, route]) => route));
  expect(JSON.stringify(lines)).not.toMatch(/pat|mia@|203\.0\.113|Firefox/i);
});

test("a health check may ask by GET, HEAD or OPTIONS whether the server is up and can answer", async () => {
  let isReady = true;
  const { ask } = httpWith({ isReady: async () => isReady });
  const statuses = (target: string) =>
    Promise.all(
      ["GET", "HEAD", "OPTIONS"].map(async (method) => {
        const { status, headers } = await ask(target, { method });
        return [status, headers.get("Cache-Control")];
      }),
    );
  const well = [200, 200, 204].map((status) => [status, "no-store"]);
  for (const target of ["/healthz", "/readyz"]) expect(await statuses(target)).toEqual(well);
  isReady = false;
  expect(await statuses("/healthz")).toEqual(well);
  expect(await statuses("/readyz")).toEqual([503, 503, 503].map((status) => [status, "no-store"]));
});

test("a page is compressed for those who ask, cached or not", async () => {
  const words = "<p>A result. </p>".repeat(200);
  const { ask } = httpWith({ site: () => page(words) });
  const own = await ask("/search?q=a", { headers: { "Accept-Encoding": "gzip, br" } });
  expect(own.headers.get("Content-Encoding")).toBe("gzip");
  expect(gunzipSync(await own.arrayBuffer()).toString()).toContain(words);
  const cached = await ask("/", { headers: { "Accept-Encoding": "gzip, br" } });
  expect(cached.headers.get("Content-Encoding")).toBe("br");
  expect(brotliDecompressSync(await cached.arrayBuffer()).toString()).toContain(words);
  for (const [accepted, encoding] of [
    ["gzip, br;q=0", "gzip"],
    ["br;q=0.5, gzip;q=0", "br"],
    ["identity", null],
    ["zebra, brat", null],
  ] as const) {
    const { headers } = await ask("/", { headers: { "Accept-Encoding": accepted } });
    expect(headers.get("Content-Encoding"), accepted).toBe(encoding);
    expect(headers.get("Vary")).toBe("accept-encoding");
  }
  expect(await (await ask("/search?q=a")).text()).toContain(words);
});

test("a page carries tags for a CDN where a word for them is set", async () => {
  const tagOf = async (cacheTags: string | null, target: string) =>
    (await httpWith({ cacheTags }).ask(target)).headers.get("Cache-Tag");
  expect(await tagOf(null, "/newsletter/3")).toBeNull();
  expect(await tagOf("firm", "/newsletter/3")).toBe("firm,firm-issues,firm-issue-3");
  expect(await tagOf("firm", "/healthz")).toBeNull();
});

test("a page says for how long others may cache it, and never when it failed or took a form", async () => {
  const cachingOf = async (target: string, init?: RequestInit) =>
    (await httpWith().ask(target, init)).headers.get("Cache-Control");
  expect(await cachingOf("/")).toBe("public, max-age=0, s-maxage=60, stale-while-revalidate=600");
  for (const target of ["/newsletter/3", "/newsletter?issue=3", "/sitemap.xml"])
    expect(await cachingOf(target)).toBe("public, max-age=0, s-maxage=5, must-revalidate");
  for (const target of ["/search?q=quotes", "/contact?sheet=leads", "/newsletter/confirm?token=a"])
    expect(await cachingOf(target), target).toBe("no-store");
  const ahead = { headers: { Purpose: "prefetch" } };
  expect(await cachingOf("/pricing", ahead)).toBe("private, max-age=10");
  const failing = httpWith({
    site: () => page("", { status: 503, headers: { "Cache-Control": "max-age=60" } }),
  });
  expect((await failing.ask("/newsletter")).headers.get("Cache-Control")).toBe("no-store");
  const body = new URLSearchParams("a=b");
  expect(await cachingOf("/contact", { method: "POST", body })).toBe("no-store");
});

test("a page waits for its turn in a short queue, past which it is refused for a few seconds", async () => {
  const mayAnswer = Promise.withResolvers<void>();
  let asked = 0;
  const { ask, lines } = httpWith({
    site: async () => {
      asked += 1;
      await mayAnswer.promise;
      return page("Results");
    },
  });
  const searches = Array.from({ length: 60 }, (_, nth) => ask(`/search?q=${nth}`));
  const sent = ask("/contact", { method: "POST", headers: form, body: "a=b" });
  const refused = await Promise.race(searches);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("Retry-After")).toBe("5");
  expect(refused.headers.get("Cache-Control")).toBe("no-store");
  expect(asked).toBe(2);
  mayAnswer.resolve();
  const statuses = (await Promise.all(searches)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect((await sent).status).toBe(200);
  expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("a page is refused to a network that searches without end, and to no other", async () => {
  const { ask } = httpWith();
  const statusFrom = async (address: string) => (await ask("/search?q=a", {}, address)).status;
  for (let nth = 0; nth < 100; nth += 1) expect(await statusFrom("198.51.100.7")).toBe(200);
  expect(await statusFrom("198.51.100.7")).toBe(429);
  expect(await statusFrom("198.51.100.8")).toBe(200);
});

/** A site that says how often it was asked, and an archive whose version is set. */
function archiveSite(archive = { version: "1", isAway: false, hangs: false }) {
  let made = 0;
  const seen: string[] = [];
  const { ask } = httpWith({
    async site(request, { hasMissingPage }) {
      const { pathname, search } = new URL(request.url);
      seen.push(pathname + search);
      made += 1;
      if (archive.isAway) throw new Error("The database is away");
      const isMissing = /\/(?:0|999|no-such-page)$/.test(pathname);
      if (isMissing && hasMissingPage) return new Response(null, { status: 404 });
      return page(`version ${archive.version}`, { status: isMissing ? 404 : 200 });
    },
    async archiveVersion() {
      if (archive.hangs) await delay(60_000, undefined, { ref: false });
      if (archive.isAway) throw new Error("The database is away");
      return archive.version;
    },
  });
  return { ask, seen, archive, made: () => made };
}

test("a page is rendered once for everybody who asks meanwhile, whatever else the query says", async () => {
  const { ask, seen } = archiveSite();
  await Promise.all(Array.from({ length: 20 }, (_, nth) => ask(`/pricing?utm_source=${nth}`)));
  await ask("/newsletter?a=b&issue=2");
  await ask("/newsletter?issue=2");
  expect(seen).toEqual(["/pricing", "/newsletter?issue=2"]);
});

test("the last good page is shown while the database is away or hangs", async () => {
  for (const trouble of ["isAway", "hangs"] as const) {
    const { ask, archive } = archiveSite();
    await ask("/newsletter");
    archive[trouble] = true;
    await delay(1_100);
    for (let nth = 0; nth < 5; nth += 1) {
      const response = await ask("/newsletter");
      expect(response.status).toBe(200);
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    }
  }
});

test("an outage is hidden for a day and no longer, whether pages fail or throw", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-23T15:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  for (const failure of ["answered", "thrown"]) {
    const archive = { isAway: false };
    const { ask } = httpWith({
      async site() {
        if (archive.isAway && failure === "thrown") throw new Error("The database is away");
        return page("Words", { status: archive.isAway ? 503 : 200 });
      },
    });
    for (const target of ["/newsletter", "/pricing"]) await ask(target);
    archive.isAway = true;
    vi.setSystemTime(Date.now() + 23 * 60 * 60_000);
    for (const target of ["/newsletter", "/pricing"])
      expect((await ask(target)).status, `${target}, ${failure}`).toBe(200);
    vi.setSystemTime(Date.now() + 2 * 60 * 60_000);
    for (const target of ["/newsletter", "/pricing", "/newsletter"])
      expect((await ask(target)).status, `${target}, ${failure}`).toBeGreaterThanOrEqual(500);
  }
});

test("the missing page is rendered once for everything that doesn't exist", async () => {
  const { ask, seen } = archiveSite();
  for (let nth = 0; nth < 30; nth += 1) expect((await ask(`/no/${nth}`)).status).toBe(404);
  for (const odd of ["abc", "-1", "0012", "999"]) {
    const response = await ask(`/newsletter/${odd}`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("version");
  }
  expect(seen).toEqual(["/no-such-page", "/newsletter/0", "/newsletter/999"]);
});

test("an address in another spelling redirects, query and all", async () => {
  const { ask } = httpWith();
  for (const [target, canonical] of [
    ["/Pricing", "/pricing"],
    ["/pricing//?a=b", "/pricing?a=b"],
    ["/Newsletter/12/", "/newsletter/12"],
    ["/pricing.", "/pricing"],
    ["/newsletter/12),", "/newsletter/12"],
    ["/contact%22%3E?a=b", "/contact?a=b"],
    ["/about%E2%80%9D", "/about"],
  ]) {
    const response = await ask(target ?? "");
    expect([response.status, response.headers.get("Location")]).toEqual([308, canonical]);
  }
});

test.each(["/%E0%A4%A", "/%", "/a%00b", "//evil.example", "/pricing/index.html", "/a.data"])(
  "an address of no page is answered with the missing page: %s",
  async (target) => {
    const { ask } = httpWith({ site: () => page("Nothing", { status: 404 }) });
    expect((await ask(target)).status).toBe(404);
  },
);

test("an address with a token or a search is never cached", async () => {
  let made = 0;
  const { ask } = httpWith({
    site: () => {
      made += 1;
      return page("");
    },
  });
  for (const target of ["/newsletter/confirm?token=abc", "/search?%71=leads"])
    for (let nth = 0; nth < 2; nth += 1) await ask(target);
  expect(made).toBe(4);
});

const unmade = { site: () => Promise.reject(new Error("made")) };

test("a form is refused where none is taken, and so are other methods", async () => {
  const { ask } = httpWith(unmade);
  for (const target of ["/pricing", "/nothing", "/newsletter/3", "/robots.txt"]) {
    const response = await ask(target, { method: "POST", body: "a=b" });
    expect([response.status, response.headers.get("Allow")], target).toEqual([405, "GET, HEAD"]);
  }
  for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
    const response = await ask("/", { method });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST"]);
  }
});

test("a form from another site, or one that can't be read, never reaches a page", async () => {
  const { ask, lines } = httpWith(unmade);
  const body = "a=b";
  const foreign = { ...form, Origin: "https://attacker.example" };
  expect((await ask("/contact", { method: "POST", headers: foreign, body })).status).toBe(403);
  for (const target of ["/contact", "/newsletter"])
    expect((await ask(target, { method: "POST", body })).status, target).toBe(400);
  expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("a form in another charset than UTF-8 is refused, and never read as another text", async () => {
  const site: HttpOptions["site"] = async (request) => page(await request.text());
  const { ask } = httpWith({ site });
  const post = (type: string, body: BodyInit) =>
    ask("/contact", { method: "POST", headers: { "Content-Type": type }, body });
  const encoded = form["Content-Type"];
  expect((await post(encoded, "firstName=Andr%C3%A9+100%")).status).toBe(200);
  const latin1 = Buffer.from("firstName=Andr\u00e9", "latin1");
  const part = 'Content-Disposition: form-data; name="firstName"';
  const multipart = Buffer.from(`--x\r\n${part}\r\n\r\nAndr\u00e9\r\n--x--\r\n`, "latin1");
  for (const [type, body] of [
    [`${encoded}; charset=iso-8859-1`, "firstName=Andr%E9"],
    [encoded, "firstName=Andr%E9"],
    [encoded, latin1],
    ["multipart/form-data; boundary=x", multipart],
  ] as const) {
    const response = await post(type, body);
    expect([response.status, await response.text()], type).toEqual([
      400,
      expect.stringContaining("send the form from its page"),
    ]);
  }
});

test("a form is judged by Fetch Metadata where a proxy takes its origin away", async () => {
  const { ask } = httpWith();
  const statusOf = async (headers: Record<string, string>, target = "/contact") =>
    (await ask(target, { method: "POST", headers: { ...form, ...headers }, body: "a=b" })).status;
  expect(await statusOf({ Origin: "null", "Sec-Fetch-Site": "same-origin" })).toBe(200);
  expect(await statusOf({ "Sec-Fetch-Site": "same-origin" })).toBe(200);
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ Origin: "null", "Sec-Fetch-Site": "cross-site" })).toBe(403);
  expect(await statusOf({ "Sec-Fetch-Site": "cross-site" })).toBe(403);
  // An in-app browser, or a proxy that strips headers.
  expect(await statusOf({ Origin: "null" })).toBe(200);
});

test("a form larger than the longest message is answered with 413, declared or not", async () => {
  const { ask } = httpWith({
    site: async (request) => page(String((await request.text()).length)),
  });
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    ask("/contact", {
      method: "POST",
      body,
      headers: { ...form, ...headers },
      duplex: "half",
    } as RequestInit);
  const largest = "a".repeat(formMaxBytes);
  const declared = (body: string) => post(body, { "Content-Length": `${body.length}` });
  const streamed = (body: string) => post(new Blob([body]).stream());
  for (const send of [declared, streamed]) {
    const refused = await send(`${largest}a`);
    expect([refused.status, refused.headers.get("Connection")]).toEqual([413, "close"]);
    expect(await (await send(largest)).text()).toContain(String(formMaxBytes));
  }
});

test("a visitor behind a proxy may send a form under another name of the site, by https that ends at the proxy", async () => {
  const { ask } = httpWith({ trustedProxies: ["127.0.0.1"] });
  const headers = { ...form, Origin: "https://www.other.example" };
  const sent = { method: "POST", headers, body: "a=b" };
  expect((await ask("http://www.other.example/contact", sent, "127.0.0.1")).status).toBe(200);
  expect((await ask("http://site.example/contact", sent, "127.0.0.1")).status).toBe(403);
});

test("files are answered with what the build compressed, hashed names for a year", async () => {
  const { ask } = httpWith();
  const asset = await ask("/assets/root-D3qV4ydW.css?x=y");
  expect(asset.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(asset.headers.get("Content-Type")).toContain("text/css");
  const icon = await ask("/favicon.svg", { headers: { "Accept-Encoding": "gzip" } });
  expect(icon.headers.get("Content-Encoding")).toBe("gzip");
  expect(icon.headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(await icon.text()).toBe("compressed");
});

test.each(["/assets/../../package.json", "/assets/%2e%2e/%2e%2e/package.json", "/assets/gone.js"])(
  "a file that doesn't exist is a short 404: %s",
  async (target) => {
    const { ask } = httpWith({ site: () => page("", { status: 404 }) });
    const response = await ask(target);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('"name"');
  },
);

const failing = {
  site: () => Promise.reject(new Error("secret detail of the database")),
  backend: () => Promise.reject(new Error("secret detail of the database")),
};

test.each(["/pricing", "/search?q=a"])(
  "a thrown error becomes a plain page with the request's number: %s",
  async (target) => {
    const { ask, lines } = httpWith(failing);
    const response = await ask(target);
    const html = await response.text();
    expect(response.status).toBe(500);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Content-Security-Policy")).toContain("script-src 'self';");
    expect(html).toContain("Something broke on our side");
    expect(html).not.toContain("secret detail");
    const id = response.headers.get("X-Request-Id") ?? "none";
    expect(html).toContain(id);
    expect(lines).toContainEqual(
      expect.objectContaining({
        requestId: id,
        err: expect.objectContaining({ message: "secret detail of the database" }),
      }),
    );
  },
);

test.each(["/rest/v1/final_newsletters", "/functions/v1/newsletter-signup"])(
  "a thrown error becomes a JSON object at %s",
  async (target) => {
    const response = await httpWith(failing).ask(target);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: "XX000", hint: null });
  },
);
