import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppOptions, createApp } from "./app.ts";
import { createRenderQueue } from "./page-cache/render-queue.ts";
import { formMaxBytes } from "./page-policy/site-limits.ts";
import { readConfig, siteSettings } from "./settings.ts";

const page = (body: string, init?: ResponseInit) =>
  new Response(`<!doctype html><title>Page</title>${body}`, {
    ...init,
    headers: { "Content-Type": "text/html; charset=utf-8", ...init?.headers },
  });

/** As the framework writes one of the built site. */
const builtPage = (nonce = "") =>
  page(
    `<link rel="modulepreload" href="/assets/root-1.js" nonce="${nonce}"/>` +
      `<link nonce="${nonce}" rel="stylesheet" href="/assets/root-D3qV4ydW.css"/>` +
      `<script nonce="${nonce}" type="module" async="">import "/assets/root-1.js";</script>`,
  );

let clientDirectory = "";

beforeAll(() => {
  clientDirectory = mkdtempSync(path.join(tmpdir(), "app-test-"));
  mkdirSync(path.join(clientDirectory, "assets"), { recursive: true });
  writeFileSync(path.join(clientDirectory, "assets/root-D3qV4ydW.css"), "a{}".repeat(2_000));
});

afterAll(() => rmSync(clientDirectory, { recursive: true, force: true }));

type Line = Record<string, unknown>;

function appWith(options: Partial<AppOptions> = {}, env: Record<string, string> = {}) {
  const lines: Line[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const read = readConfig({ SITE_URL: "https://chalkline.example", ...env });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const app = createApp({
    settings: siteSettings(read.config),
    site: (_request, { nonce }) => builtPage(nonce),
    backend: null,
    isReady: async () => true,
    log,
    clientDirectory,
    trustedProxies: [],
    queue: createRenderQueue(),
    ...options,
  });
  const ask = async (target: string, init?: RequestInit, socketAddress = "203.0.113.9") =>
    app.request(`http://localhost${target}`, init, { socketAddress });
  return { ask, lines };
}

describe("every answer", () => {
  test("carries a request id and the security headers", async () => {
    const { ask } = appWith();
    for (const target of ["/", "/healthz", "/favicon.svg", "/rest/v1/x", "/assets/gone.js"]) {
      const { headers } = await ask(target);
      expect(headers.get("X-Request-Id"), target).toMatch(/^[\w-]{36}$/);
      expect(headers.get("X-Content-Type-Options"), target).toBe("nosniff");
      expect(headers.get("Referrer-Policy"), target).toBe("strict-origin-when-cross-origin");
      expect(headers.get("Strict-Transport-Security"), target).toBe("max-age=31536000");
      expect(headers.get("Cross-Origin-Opener-Policy"), target).toBe("same-origin");
      expect(headers.get("Permissions-Policy"), target).toContain("camera=()");
    }
  });

  test("of a picture may stand in mails and other sites' pages, and is never taken for anything else", async () => {
    const picture = new Response("GIF89a", { headers: { "Content-Type": "image/gif" } });
    const { ask } = appWith({ backend: () => picture });
    const { status, headers } = await ask(`/pictures/${"a".repeat(43)}.gif`);
    expect(status).toBe(200);
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    const { headers: ofPage } = await ask("/");
    expect(ofPage.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
  });

  test("takes the request id of a proxy, and no words that somebody sends in its place", async () => {
    const { ask } = appWith();
    const idFor = async (given: string) =>
      (await ask("/", { headers: { "X-Request-Id": given } })).headers.get("X-Request-Id");
    const proxys = "0f3a9d6b8c1e4f52a7b0c9d8e7f60514";
    expect(await idFor(proxys)).toBe(proxys);
    expect(await idFor("Pat-Featherstone=born-1970")).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });

  test("promises https only where the site's address is https", async () => {
    const { ask } = appWith({}, { SITE_URL: "http://localhost:3000" });
    expect((await ask("/")).headers.has("Strict-Transport-Security")).toBe(false);
  });

  test("leaves one line in the log, with nothing about the visitor", async () => {
    const { ask, lines } = appWith({}, {});
    await ask("/contact?email=mia@example.com", { headers: { "User-Agent": "Firefox" } });
    expect(lines).toEqual([
      expect.objectContaining({ method: "GET", route: "/contact", status: 200, msg: "Request" }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/mia@|203\.0\.113|Firefox/);
  });

  test("is known in the log by its route, and never by what somebody typed", async () => {
    const { ask, lines } = appWith({ backend: () => new Response() });
    for (const target of [
      "/newsletter/3",
      "/pat-featherstone",
      "/search?q=Pat",
      "/rest/v1/pat",
      "/functions/v1/newsletter-signup",
      "/functions/v1/pat",
      "/assets/pat.js",
      "/%ffpat",
    ]) {
      await ask(target);
    }
    expect(lines.map(({ route }) => route)).toEqual([
      "/newsletter/:issueId",
      "(unknown)",
      "/search",
      "/rest/*",
      "/functions/v1/newsletter-signup",
      "/functions/*",
      "/assets/*",
      "(unknown)",
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/pat/i);
  });
});

describe("pages", () => {
  test("trust the scripts and styles that their own code put inline, and no others", async () => {
    const { ask } = appWith({
      site: (_request, { nonce }) =>
        page(
          `<style nonce="${nonce}">a{}</style><script nonce="${nonce}" async="">run()</script>` +
            `<script src="/a.js" nonce="${nonce}"></script><link href="/b.css" nonce="${nonce}"/>` +
            "<p><script>injected()</script><style>b{}</style></p>",
        ),
    });
    const response = await ask("/");
    const policy = response.headers.get("Content-Security-Policy");
    // printf 'a{}' | openssl dgst -sha256 -binary | base64
    expect(policy).toContain(
      "style-src 'self' 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk=';",
    );
    // printf 'run()' | openssl dgst -sha256 -binary | base64
    expect(policy).toContain(
      "script-src 'self' 'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ=';",
    );
    expect(await response.text()).toBe(
      "<!doctype html><title>Page</title><style>a{}</style>" +
        '<script async="">run()</script><script src="/a.js"></script><link href="/b.css"/>' +
        "<p><script>injected()</script><style>b{}</style></p>",
    );
  });

  test("that the framework writes otherwise are sent, under no other policy, and logged once", async () => {
    const { ask, lines } = appWith({ site: () => page("Hello") });
    const pages = [await ask("/"), await ask("/about")];
    for (const response of pages) {
      expect(response.headers.get("Content-Security-Policy")).toContain("script-src 'self';");
      expect(await response.text()).toBe("<!doctype html><title>Page</title>Hello");
    }
    const warnings = lines.filter(({ unexpected }) => unexpected);
    expect(warnings).toContainEqual(
      expect.objectContaining({ level: 40, unexpected: expect.stringContaining("module script") }),
    );
    expect(new Set(warnings.map(({ unexpected }) => unexpected)).size).toBe(warnings.length);
  });

  test("make a nonce for one answer alone, so that nobody learns the next one", async () => {
    const nonces: unknown[] = [];
    const { ask } = appWith({
      site: (_request, { nonce }) => {
        nonces.push(nonce);
        return page("");
      },
    });
    await ask("/");
    await ask("/");
    expect(new Set(nonces).size).toBe(2);
    expect(nonces).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
  });

  test("allow style attributes only where an issue's body is shown", async () => {
    const { ask } = appWith();
    for (const target of ["/newsletter", "/newsletter?issue=2", "/newsletter/12"]) {
      const policy = (await ask(target)).headers.get("Content-Security-Policy");
      expect(policy, target).toContain("style-src-attr 'unsafe-inline'");
    }
    for (const target of ["/", "/search?q=a", "/newsletter/confirm", "/nothing"]) {
      const policy = (await ask(target)).headers.get("Content-Security-Policy");
      expect(policy, target).not.toContain("unsafe-inline");
    }
  });

  test("may use styles put in by script where they come from sources", async () => {
    const { ask } = appWith({ clientDirectory: null });
    const policy = (await ask("/")).headers.get("Content-Security-Policy");
    expect(policy).toContain("style-src 'self' 'unsafe-inline';");
  });

  test("let only the scheduling provider's hosts in", async () => {
    const site = () => page("");
    const withProvider = appWith(
      { site },
      {
        SCHEDULING_ASSET_HOST: "https://assets.calendly.com",
        SCHEDULING_URL: "https://calendly.com/x/30min",
      },
    );
    const policy = (await withProvider.ask("/")).headers.get("Content-Security-Policy");
    expect(policy).toContain("script-src 'self' https://assets.calendly.com;");
    expect(policy).toContain("frame-src https://calendly.com;");
    const without = (await appWith({ site }).ask("/")).headers.get("Content-Security-Policy");
    expect(without).toContain("script-src 'self';");
    expect(without).toContain("frame-src 'none';");
  });

  test("may call a hosted backend where one is set", async () => {
    const { ask } = appWith(
      {},
      {
        BACKEND_URL: "https://abc.supabase.co",
        BACKEND_ANON_KEY: "sb_publishable_abc",
      },
    );
    expect((await ask("/")).headers.get("Content-Security-Policy")).toContain(
      "connect-src 'self' https://abc.supabase.co;",
    );
  });

  test("that are somebody's own are compressed for those who ask", async () => {
    const results = "<p>A result. </p>".repeat(200);
    const { ask } = appWith({ site: () => page(results) });
    const gzip = { headers: { "Accept-Encoding": "gzip, br" } };
    const response = await ask("/search?q=a", gzip);
    expect(response.headers.get("Content-Encoding")).toBe("gzip");
    expect(response.headers.get("Vary")).toBe("Accept-Encoding");
    expect(gunzipSync(await response.arrayBuffer()).toString()).toContain(results);
    const plain = await ask("/search?q=a");
    expect(plain.headers.get("Content-Encoding")).toBeNull();
    expect(await plain.text()).toContain(results);
  });

  test("wait for their turn in a short queue, past which they say when to try again", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    let asked = 0;
    const { ask, lines } = appWith({
      site: async () => {
        asked += 1;
        await mayAnswer.promise;
        return page("Results");
      },
      queue: createRenderQueue({ concurrency: 1, waitingMax: 1 }),
    });
    const first = ask("/search?q=1");
    const second = ask("/search?q=2");
    const refused = await ask("/search?q=3");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe("5");
    expect(refused.headers.get("Cache-Control")).toBe("no-store");
    expect(await refused.text()).toContain("try again");
    expect(asked).toBe(1);
    mayAnswer.resolve();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test("are made of what they depend on alone, and other spellings lead to them", async () => {
    const { ask } = appWith({ site: (request) => page(new URL(request.url).search) });
    expect(await (await ask("/newsletter?a=b&issue=2")).text()).toMatch(/>\?issue=2$/);
    const redirect = await ask("/Newsletter/?issue=2", { method: "POST", body: "a=b" });
    expect(redirect.status).toBe(308);
    expect(redirect.headers.get("Location")).toBe("/newsletter?issue=2");
  });

  test("that a visitor leaves while they are made are no error", async () => {
    const leaving = new AbortController();
    const { ask, lines } = appWith({
      site: async () => {
        leaving.abort();
        throw new Error("The visitor has left");
      },
    });
    await ask("/search?q=a", { signal: leaving.signal });
    expect(lines).toEqual([expect.objectContaining({ status: 499, level: 30 })]);
  });

  test("keep their own words, status and headers", async () => {
    const { ask } = appWith({
      site: () => page("Nothing here", { status: 404, headers: { "X-Robots-Tag": "noindex" } }),
    });
    const response = await ask("/nothing");
    expect(response.status).toBe(404);
    expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(await response.text()).toContain("Nothing here");
  });

  test("carry tags for a CDN where a word for them is set, and not a byte of it otherwise", async () => {
    const tagOf = async (options: Partial<AppOptions>, target: string) =>
      (await appWith(options).ask(target)).headers.get("Cache-Tag");
    expect(await tagOf({}, "/newsletter/3")).toBeNull();
    expect(await tagOf({ cacheTags: "firm" }, "/newsletter/3")).toBe(
      "firm,firm-issues,firm-issue-3",
    );
    expect(await tagOf({ cacheTags: "firm" }, "/healthz")).toBeNull();
  });

  test("are asked for again each time by browsers, and never kept where they failed", async () => {
    const cachingOf = async (target: string) =>
      (await appWith().ask(target)).headers.get("Cache-Control");
    const forPages = "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
    expect(await cachingOf("/")).toBe(forPages);
    const forIssues = "public, max-age=0, s-maxage=5, must-revalidate";
    expect(await cachingOf("/newsletter/3")).toBe(forIssues);
    expect(await cachingOf("/newsletter?issue=3")).toBe(forIssues);
    expect(await cachingOf("/sitemap.xml")).toBe(forIssues);
    expect(await cachingOf("/search?q=quotes")).toBe("public, max-age=0, must-revalidate");
    expect(await cachingOf("/pricing.data")).toBe("public, max-age=0, must-revalidate");
    const failed = await appWith({
      site: () => page("", { status: 503, headers: { "Cache-Control": "max-age=60" } }),
    }).ask("/newsletter");
    expect(failed.headers.get("Cache-Control")).toBe("no-store");
    const body = new URLSearchParams("a=b");
    const posted = await appWith().ask("/contact", { method: "POST", body });
    expect(posted.headers.get("Cache-Control")).toBe("no-store");
  });

  test("answer HEAD with the headers of GET and no body", async () => {
    const { ask } = appWith({
      site: (request) => page(request.method === "GET" ? "<script>run()</script>" : ""),
    });
    const [head, get] = [await ask("/", { method: "HEAD" }), await ask("/")];
    expect(await head.text()).toBe("");
    expect(head.headers.get("Content-Security-Policy")).toBe(
      get.headers.get("Content-Security-Policy"),
    );
  });

  test("are told the visitor's address through trusted proxies only", async () => {
    const seen: unknown[] = [];
    const { ask } = appWith({
      site: (_request, origin) => {
        seen.push(origin.clientAddress);
        return page("");
      },
      trustedProxies: ["10.0.0.0/8"],
    });
    const forwarded = { headers: { "X-Forwarded-For": "198.51.100.1" } };
    await ask("/", forwarded, "10.0.0.1");
    await ask("/", forwarded, "203.0.113.9");
    expect(seen).toEqual(["198.51.100.1", "203.0.113.9"]);
  });
});

describe("limits of pages", () => {
  test.each(["PUT", "DELETE", "PATCH", "OPTIONS"])("refuse %s", async (method) => {
    const response = await appWith().ask("/", { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET, HEAD, POST");
  });

  test.each(["/%E0%A4%A", "/%", "/%ff", "/a%00b"])("answer 400 to %s", async (target) => {
    const response = await appWith().ask(target);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("can&#39;t be read");
  });

  test.each(["%00", "%E0%A4%A", "%", "a%00b.data"])(
    "let the website say that there is no issue %s",
    async (id) => {
      const { ask } = appWith({ site: (request) => page(new URL(request.url).pathname) });
      const html = await (await ask(`/newsletter/${id}`)).text();
      expect(html).toMatch(/\/newsletter\/0(\.data)?$/);
    },
  );

  test("refuse a form where none is taken, without making a page", async () => {
    const { ask } = appWith({ site: () => Promise.reject(new Error("made")) });
    for (const target of ["/pricing", "/nothing", "/newsletter/3", "/robots.txt"]) {
      const response = await ask(target, { method: "POST", body: "a=b" });
      expect([response.status, response.headers.get("Allow")], target).toEqual([405, "GET, HEAD"]);
    }
  });

  test("say of what is no form that it can't be read, without making a page", async () => {
    const { ask, lines } = appWith({ site: () => Promise.reject(new Error("made")) });
    for (const target of ["/contact", "/newsletter", "/newsletter/confirm?token=a"]) {
      const response = await ask(target, { method: "POST", body: "a=b" });
      expect(response.status, target).toBe(400);
      expect(await response.text()).toContain("That form can&#39;t be read");
    }
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test("answer 414 to an endless address", async () => {
    expect((await appWith().ask(`/?q=${"a".repeat(9_000)}`)).status).toBe(414);
    expect((await appWith().ask(`/?q=${"a".repeat(2_000)}`)).status).toBe(200);
  });

  test("answer 413 to a form that is larger than the longest message, declared or not, and say that the connection ends", async () => {
    const { ask } = appWith({
      site: async (request) => page(String((await request.text()).length)),
    });
    const largest = "a".repeat(formMaxBytes);
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const declared = (body: string) =>
      ask("/contact", {
        method: "POST",
        body,
        headers: { ...type, "Content-Length": `${body.length}` },
      });
    const streamed = (body: string) =>
      ask("/contact", {
        method: "POST",
        body: new Blob([body]).stream(),
        headers: type,
        duplex: "half",
      } as RequestInit);
    expect((await declared(`${largest}a`)).status).toBe(413);
    const refused = await streamed(`${largest}a`);
    expect(refused.status).toBe(413);
    expect(refused.headers.get("Connection")).toBe("close");
    expect(await (await declared(largest)).text()).toContain(String(formMaxBytes));
    expect(await (await streamed(largest)).text()).toContain(String(formMaxBytes));
  });
});

describe("files", () => {
  test.each([
    "/assets/../../package.json",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/assets/gone-LB6z7iC_.js",
  ])("that don't exist are a short 404: %s", async (target) => {
    const { ask } = appWith({ site: () => page("", { status: 404 }) });
    const response = await ask(target);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('"name"');
  });
});

describe("the backend", () => {
  test("answers its paths, with the visitor's address", async () => {
    const { ask } = appWith({
      backend: async (request, origin) =>
        Response.json({
          target: new URL(request.url).pathname,
          origin,
          body: await request.text(),
        }),
    });
    const response = await ask("/functions/v1/newsletter-signup", { method: "POST", body: "{}" });
    expect(await response.json()).toEqual({
      target: "/functions/v1/newsletter-signup",
      origin: { clientAddress: "203.0.113.9", requestId: response.headers.get("X-Request-Id") },
      body: "{}",
    });
  });

  test("that is hosted elsewhere leaves its paths answering 404 with an object", async () => {
    const response = await appWith().ask("/rest/v1/final_newsletters?select=*");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "PGRST125", message: expect.any(String) });
  });
});

describe("health", () => {
  test("is ready only while the database answers", async () => {
    expect((await appWith().ask("/readyz")).status).toBe(200);
    expect((await appWith({ isReady: async () => false }).ask("/readyz")).status).toBe(503);
    expect((await appWith({ isReady: async () => false }).ask("/healthz")).status).toBe(200);
  });
});

describe("a throw", () => {
  const failing = {
    site: () => Promise.reject(new Error("secret detail of the database")),
    backend: () => Promise.reject(new Error("secret detail of the database")),
  };

  test("becomes a plain page with the request's number, and a line in the log with the error", async () => {
    const { ask, lines } = appWith(failing);
    const response = await ask("/pricing");
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
  });

  test.each(["/rest/v1/final_newsletters", "/functions/v1/newsletter-signup"])(
    "becomes a JSON object at %s",
    async (target) => {
      const response = await appWith(failing).ask(target);
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ code: "XX000", hint: null });
    },
  );
});
