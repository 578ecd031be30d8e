import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import pino from "pino";
import { expect, test } from "vitest";
import { siteSettings } from "#settings/settings.ts";
import { configOf } from "#tests/config-of.ts";
import { newFolder } from "#tests/test-folder.ts";
import { createClientAddressReader, createHttp, type HttpOptions } from "./http.ts";
import { formMaxBytes } from "./page-address.ts";

const page = (body: string, init?: ResponseInit) =>
  new Response(`<!doctype html><title>Page</title>${body}`, {
    ...init,
    headers: { "Content-Type": "text/html; charset=utf-8", ...init?.headers },
  });

/** As the framework writes one of the built site. */
const builtPage = (nonce = "") => page(`<script nonce="${nonce}">start()</script>`);

type Line = Record<string, unknown>;

function httpWith(options: Partial<HttpOptions> = {}) {
  const lines: Line[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const answer = createHttp({
    settings: siteSettings(configOf({ SITE_URL: "https://chalkline.example" })),
    site: (_request, { nonce }) => builtPage(nonce),
    backend: () => new Response("asked"),
    isReady: async () => true,
    archiveVersion: async () => "1",
    log,
    clientDirectory: newFolder(),
    styles: "a{}",
    trustedProxies: [],
    ...options,
  });
  const ask = async (target: string, init?: RequestInit, socketAddress = "203.0.113.9") => {
    const address = target.startsWith("/") ? `http://localhost${target}` : target;
    return await answer(new Request(address, init), { socketAddress });
  };
  return { ask, lines };
}

const form = { "Content-Type": "application/x-www-form-urlencoded" };

test("a health check hears whether the server is up and can answer", async () => {
  let isReady = true;
  const { ask } = httpWith({ isReady: async () => isReady });
  const statuses = async () => [(await ask("/healthz")).status, (await ask("/readyz")).status];
  expect(await statuses()).toEqual([200, 200]);
  isReady = false;
  expect(await statuses()).toEqual([200, 503]);
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

test("a page says for how long others may cache it, and never when it failed or took a form", async () => {
  const cachingOf = async (target: string, init?: RequestInit) =>
    (await httpWith().ask(target, init)).headers.get("Cache-Control");
  expect(await cachingOf("/")).toBe("public, max-age=0, s-maxage=60, stale-while-revalidate=600");
  for (const target of ["/newsletter/3", "/newsletter?issue=3", "/sitemap.xml"])
    expect(await cachingOf(target)).toBe("public, max-age=0, s-maxage=5, must-revalidate");
  for (const target of ["/search?q=quotes", "/contact?sheet=leads", "/newsletter/confirm?token=a"])
    expect(await cachingOf(target), target).toBe("no-store");
  const failing = httpWith({
    site: () => page("", { status: 503, headers: { "Cache-Control": "max-age=60" } }),
  });
  expect((await failing.ask("/newsletter")).headers.get("Cache-Control")).toBe("no-store");
  const body = new URLSearchParams("a=b");
  expect(await cachingOf("/contact", { method: "POST", body })).toBe("no-store");
});

test("a page is refused to a network that searches without end, and to no other", async () => {
  const { ask } = httpWith();
  const statusFrom = async (address: string) => (await ask("/search?q=a", {}, address)).status;
  for (let nth = 0; nth < 100; nth += 1) expect(await statusFrom("198.51.100.7")).toBe(200);
  expect(await statusFrom("198.51.100.7")).toBe(429);
  expect(await statusFrom("198.51.100.8")).toBe(200);
});

test("the last good page is shown while the database is away or hangs", async () => {
  for (const trouble of ["isAway", "hangs"] as const) {
    const archive = { isAway: false, hangs: false };
    const { ask } = httpWith({
      async site() {
        if (archive.isAway) throw new Error("The database is away");
        return page("Words");
      },
      async archiveVersion() {
        if (archive.hangs) await delay(60_000, undefined, { ref: false });
        if (archive.isAway) throw new Error("The database is away");
        return "1";
      },
    });
    await ask("/newsletter");
    archive[trouble] = true;
    await delay(1_100);
    const response = await ask("/newsletter");
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  }
});

test("an address in another spelling redirects, query and all", async () => {
  const { ask } = httpWith();
  for (const [target, canonical] of [
    ["/Pricing", "/pricing"],
    ["/pricing//?a=b", "/pricing?a=b"],
    ["/pricing.", "/pricing"],
    ["/newsletter/12),", "/newsletter/12"],
    ["/contact%22%3E?a=b", "/contact?a=b"],
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

const unmade = { site: () => Promise.reject(new Error("made")) };

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
  const clientDirectory = newFolder();
  mkdirSync(path.join(clientDirectory, "assets"));
  writeFileSync(path.join(clientDirectory, "assets/root-D3qV4ydW.css"), "a{}".repeat(2_000));
  writeFileSync(path.join(clientDirectory, "favicon.svg"), "<svg/>");
  writeFileSync(path.join(clientDirectory, "favicon.svg.gz"), "compressed");
  const { ask } = httpWith({ clientDirectory });
  const asset = await ask("/assets/root-D3qV4ydW.css?x=y");
  expect(asset.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(asset.headers.get("Content-Type")).toContain("text/css");
  const icon = await ask("/favicon.svg", { headers: { "Accept-Encoding": "gzip" } });
  expect(icon.headers.get("Content-Encoding")).toBe("gzip");
  expect(icon.headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(await icon.text()).toBe("compressed");
});

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

test.each([
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", "1.1.1.1, 198.51.100.1, 192.0.2.7", "198.51.100.1"],
  ["fd00::1", "2001:db8::5", "2001:db8::5"],
  ["10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["10.0.0.1", null, "10.0.0.1"],
  ["10.0.0.1", "<script>", "10.0.0.1"],
])(
  "a visitor's address from %s, forwarded for %j, is %s",
  (socketAddress, forwardedFor, client) => {
    const read = createClientAddressReader(["10.0.0.0/8", "fd00::/8", "192.0.2.7"]);
    expect(read({ socketAddress, forwardedFor })).toBe(client);
  },
);
