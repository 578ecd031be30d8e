import { createHash } from "node:crypto";
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { readConfig, siteSettings } from "#settings/settings.ts";
import { finishDocument } from "./document.ts";

const nonce = "0123456789abcdef0123456789abcdef";
const script = `<script nonce="${nonce}">start()</script>`;

const rendered = [
  "<!doctype html><html><head><title>A <script> in a title</title>",
  '<script type="application/ld+json">{"@type":"Organization"}</script>',
  `</head><body><main>Words</main>${script}</body></html>`,
].join("");

const styles = "a{--end:</style><script>}";

function finish(page: string, env = {}) {
  const read = readConfig({ SITE_URL: "https://chalkline.example", ...env });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const settings = siteSettings(read.config);
  return finishDocument(page, { settings, nonce, showsIssueBody: false, styles });
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const directive = (policy: string, name: string) =>
  policy.split("; ").find((each) => each.startsWith(`${name} `)) ?? "";

test("code that the site didn't write gets no hash", () => {
  const injected = "<p>Words</p><script>injected()</script><style>b{}</style>";
  const { html, policy } = finish(rendered.replace("</main>", `${injected}</main>`));
  expect(html).toContain(injected);
  expect(policy).not.toContain(hashOf("injected()"));
  expect(policy).not.toContain(hashOf("b{}"));
});

test("a tag in a comment, an attribute or a field's text is none", () => {
  const hidden = `<!--${script}--><p title="<script>a()</script>">Words</p><textarea>${script}</textarea>`;
  const { html, policy } = finish(hidden);
  expect(html).toBe(hidden);
  expect(directive(policy, "script-src")).toBe("script-src 'self'");
});

test("the site's styles are in the head, and the policy allows them", () => {
  const { html, policy } = finish(rendered);
  const [, written = ""] = /<style>([^<]*<.*?)<\/style><\/head>/.exec(html) ?? [];
  expect(written).toBe(`${styles.replace("</", "<\\/")}html:root{--color-chalk:#1f4fd8}`);
  expect(directive(policy, "style-src")).toBe(`style-src 'self' ${hashOf(written)}`);
  // Its status alone was asked for.
  expect(finish("").html).toBe("");
});

test.each([
  ["plausible", "www.chalkline.example", "https://plausible.io", "https://plausible.io"],
  ["umami", "94db1cb1-74f4-4a40", "https://cloud.umami.is", "https://*.umami.is"],
  ["ga4", "G-ABC123DEF4", "https://www.googletagmanager.com", "https://*.google-analytics.com"],
])("the tag of %s is in the page and in its policy", (kind, id, source, connected) => {
  const { html, policy } = finish(rendered, { ANALYTICS_TAG: kind, ANALYTICS_ID: id });
  const [, tag = ""] = /<script>([^<]*)<\/script><\/head>/.exec(html) ?? [];
  expect(tag).toContain(id);
  expect(() => new Script(tag)).not.toThrow();
  expect(tag).toMatch(/globalPrivacyControl.*doNotTrack/);
  expect(directive(policy, "script-src")).toContain(hashOf(tag));
  expect(directive(policy, "script-src")).toContain(source);
  expect(directive(policy, "connect-src")).toContain(connected);
});
