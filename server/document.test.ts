import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { siteSettings } from "#settings/settings.ts";
import { configOf } from "#tests/config-of.ts";
import { finishDocument } from "./document.ts";

const nonce = "0123456789abcdef0123456789abcdef";
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("code that the site didn't write gets no hash", () => {
  const injected = "<p>Words</p><script>injected()</script><style>b{}</style>";
  const rendered = [
    "<!doctype html><html><head><title>A <script> in a title</title>",
    '<script type="application/ld+json">{"@type":"Organization"}</script>',
    `</head><body><main>Words${injected}</main>`,
    `<script nonce="${nonce}">start()</script></body></html>`,
  ].join("");
  const { html, policy } = finishDocument(rendered, {
    settings: siteSettings(configOf({ SITE_URL: "https://chalkline.example" })),
    nonce,
    showsIssueBody: false,
    styles: "a{--end:</style><script>}",
  });
  expect(html).toContain(injected);
  expect(policy).not.toContain(hashOf("injected()"));
  expect(policy).not.toContain(hashOf("b{}"));
});
