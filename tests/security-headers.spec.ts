import type { RequestOptions } from "node:http";
import { sitePages } from "./every-page/routes.ts";
import { type RawAnswer, requestRaw } from "./raw-request.ts";
import { provider } from "./scheduling-provider.ts";
import { expect, test } from "./site-test.ts";

// An https address, as the site has it where it's public; it is asked past what ends TLS.
test.use({ siteSettings: { ...provider, SITE_URL: "https://chalkline.example" } });

const wanted = {
  "x-content-type-options": /^nosniff$/,
  "referrer-policy": /^strict-origin-when-cross-origin$/,
  // The provider's frame opens windows, and takes payments by the browser.
  "cross-origin-opener-policy": /^same-origin-allow-popups$/,
  "cross-origin-resource-policy": /^(same|cross)-origin$/,
  "permissions-policy":
    /\bcamera=\(\), .*\bmicrophone=\(\).*, payment=\(self "https:\/\/[\w.]+"\)$/,
  "strict-transport-security": /^max-age=31536000$/,
};

type Asked = { path: string; options?: RequestOptions; body?: string };

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const own = { ...form, origin: "https://chalkline.example" };
const foreign = { ...form, origin: "https://attacker.example" };
const posted = (path: string, headers: Record<string, string>, body: string): Asked => ({
  path,
  options: { method: "POST", headers },
  body,
});
const head = (headers: Record<string, string>): RequestOptions => ({ headers });

const answers: [name: string, status: number, Asked][] = [
  ...sitePages.map(({ path, status }): [string, number, Asked] => [path, status, { path }]),
  ["head of a page", 200, { path: "/", options: { method: "HEAD" } }],
  ["compressed page", 200, { path: "/", options: head({ "accept-encoding": "br" }) }],
  ["file", 200, { path: "/favicon.svg" }],
  ["missing file", 404, { path: "/assets/gone-12345678.js" }],
  ["feed", 200, { path: "/feed.xml" }],
  ["robots", 200, { path: "/robots.txt" }],
  ["health", 200, { path: "/healthz" }],
  ["readiness", 200, { path: "/readyz" }],
  ["issues", 200, { path: "/rest/v1/final_newsletters?select=id" }],
  ["unknown table", 404, { path: "/rest/v1/secrets" }],
  ["empty sign-up", 422, posted("/functions/v1/newsletter-signup", json, "{}")],
  ["another of Supabase's services", 404, posted("/auth/v1/token", json, "{}")],
  ["unknown function", 404, posted("/functions/v1/nothing", json, "{}")],
  ["form from nowhere", 400, posted("/contact", form, "email=")],
  ["form of the site", 400, posted("/contact", own, "email=")],
  ["form of another site", 403, posted("/contact", foreign, "email=")],
  // Declared and not sent: the answer doesn't wait for it.
  ["too large", 413, posted("/contact", { ...own, "content-length": "1000000" }, "email=")],
  ["method that pages don't know", 405, { path: "/", options: { method: "PUT" } }],
  ["question of another origin", 405, { path: "/", options: { method: "OPTIONS" } }],
  ["address that can't be read", 404, { path: "/%ff" }],
  ["long address", 404, { path: `/${"a".repeat(9_000)}` }],
  ["host that can't be read", 400, { path: "/search?q=x", options: head({ host: "a b" }) }],
];

test("every answer carries the security headers, and no cookie", async ({ site }) => {
  for (const [name, wanted, asked] of answers) {
    const { path, options, body } = asked;
    const { status, headers } = await requestRaw(site.url, { ...options, path }, body);
    expect(status, name).toBe(wanted);
    expectSafe(headers, name);
    // Other sites may show the site's pictures, and load nothing else of it.
    const type = String(headers["content-type"]);
    const loadedBy = type.startsWith("image/") ? "cross-origin" : "same-origin";
    if (status === 200) expect(headers["cross-origin-resource-policy"], name).toBe(loadedBy);
    const { etag } = headers;
    if (status !== 200 || !etag || options) continue;
    const again = await requestRaw(site.url, { ...head({ "if-none-match": `${etag}` }), path });
    expect(again.status, `${name}, again`).toBe(304);
    expectSafe(again.headers, `${name}, again`);
  }
});

test("no page allows inline scripts, or styles beyond an issue's", async ({ site }) => {
  for (const { path } of sitePages) {
    const { headers, body } = await requestRaw(site.url, { path });
    const policy = directivesOf(headers);
    expect(policy.get("default-src"), path).toBe("'self'");
    for (const unused of ["object-src", "media-src", "worker-src"]) {
      expect(policy.get(unused), `${path}: ${unused}`).toBe("'none'");
    }
    expect(policy.get("script-src"), path).toMatch(
      /^'self'( 'sha256-[\w+/=]+')+ https:\/\/assets\./,
    );
    expect(policy.get("style-src"), path).toMatch(
      /^'self' 'sha256-[\w+/=]+' https:\/\/assets\.\S+$/,
    );
    expect(policy.get("frame-ancestors"), path).toBe("'none'");
    expect(policy.get("base-uri"), path).toBe("'none'");
    expect(policy.get("form-action"), path).toBe("'self'");
    const showsIssue = /^\/newsletter(\/\d+|\?issue=\d+)?$/.test(path);
    expect(policy.has("style-src-attr"), path).toBe(showsIssue);
    if (!showsIssue) expect(body.match(/<[^>]*\sstyle=/g), path).toBeNull();
    expect(body, path).not.toContain("nonce=");
  }
});

function expectSafe(headers: RawAnswer["headers"], name: string) {
  for (const [header, value] of Object.entries(wanted))
    expect(headers[header], `${header} of ${name}`).toMatch(value);
  expect(headers["set-cookie"], name).toBeUndefined();
}

function directivesOf(headers: RawAnswer["headers"]): Map<string, string> {
  const policy = String(headers["content-security-policy"]).split("; ");
  return new Map(
    policy.map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );
}
