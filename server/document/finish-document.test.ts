import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Script } from "node:vm";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, test } from "vitest";
import { readConfig, siteSettings } from "../settings.ts";
import { finishDocument } from "./finish-document.ts";

// Pages as the framework wrote them, recorded with this nonce.
const nonce = "0123456789abcdef0123456789abcdef";
const builtPages = ["plain-page", "issue-page", "posted-form-page", "missing-page"];
const fromSources = "page-from-sources";

const recorded = (name: string) =>
  readFileSync(path.join(import.meta.dirname, "fixtures", `${name}.html`), "utf8");

function finish(rendered: string, { isBuilt = true, showsIssueBody = false, env = {} } = {}) {
  const read = readConfig({ SITE_URL: "https://chalkline.example", ...env });
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const readStyles = isBuilt ? stylesOf : null;
  const settings = siteSettings(read.config);
  return finishDocument(rendered, { settings, nonce, showsIssueBody, readStyles });
}

/** Sheets that say which they are, and try to end the element that they stand in. */
const stylesOf = (href: string) => `a{--sheet:"${href}</style><script>"}`;

/** A page's elements as a browser finds them. */
function elementsOf(html: string) {
  const found: { name: string; attributes: Map<string, string>; text: string }[] = [];
  function visit(node: DefaultTreeAdapterTypes.ParentNode): void {
    for (const child of node.childNodes) {
      if (!("tagName" in child)) continue;
      const attributes = new Map(child.attrs.map(({ name, value }) => [name, value]));
      const text = child.childNodes.map((each) => ("value" in each ? each.value : "")).join("");
      found.push({ name: child.tagName, attributes, text });
      visit(child);
    }
  }
  visit(parse(html));
  return {
    named: (name: string) => found.filter((element) => element.name === name),
    links: (rel: string) =>
      found.filter(({ name, attributes }) => name === "link" && attributes.get("rel") === rel),
    /** What the browser would run. */
    codes: found.filter(
      ({ name, attributes, text }) =>
        name === "script" && text !== "" && attributes.get("type") !== "application/ld+json",
    ),
  };
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The hashes that a directive lists. */
function listed(policy: string, directive: string) {
  const sources = policy.split("; ").find((each) => each.startsWith(`${directive} `)) ?? "";
  return new Set(sources.match(/'sha256-[^']+'/g) ?? []);
}

const hrefOf = ({ attributes }: { attributes: Map<string, string> }) => attributes.get("href");

describe.each(builtPages)("of a built page, the %s", (name) => {
  const before = elementsOf(recorded(name));
  const { html, policy, unexpected } = finish(recorded(name));
  const after = elementsOf(html);

  test("nothing is unexpected, and nothing but its scripts, styles and links changes", () => {
    expect(unexpected).toEqual([]);
    const others = (page: string) =>
      page
        .replace(/<style>.*?<\/style>/gs, "")
        .replaceAll(` nonce="${nonce}"`, "")
        .replace(/<link[^>]*>/g, "");
    expect(others(html)).toBe(others(recorded(name)));
    expect(html).not.toContain(nonce);
  });

  test("all its styles are inline, those of its parts last, and no link fetches one", () => {
    const links = before.links("stylesheet");
    const isPart = ({ attributes }: (typeof links)[number]) => attributes.has("data-precedence");
    const inOrder = [...links.filter((link) => !isPart(link)), ...links.filter(isPart)];
    const [style, ...more] = after.named("style");
    expect(more).toEqual([]);
    const sheets = [...(style?.text.matchAll(/--sheet:"([^<]+)</g) ?? [])].map(([, href]) => href);
    expect(sheets).toEqual(inOrder.map(hrefOf));
    expect(after.links("stylesheet").map(hrefOf)).toEqual(links.map(hrefOf));
    for (const { attributes } of after.links("stylesheet")) {
      expect(attributes.has("disabled")).toBe(true);
    }
  });

  test("the policy lists exactly what is inline", () => {
    const hashes = (elements: { text: string }[]) =>
      new Set(elements.map(({ text }) => hashOf(text)));
    expect(listed(policy, "script-src")).toEqual(hashes(after.codes));
    expect(listed(policy, "style-src")).toEqual(hashes(after.named("style")));
    expect(policy).not.toContain("unsafe-inline");
  });
});

describe("a page", () => {
  test("that shows an issue's body keeps the body's style attributes, and its policy allows them", () => {
    const { html, policy } = finish(recorded("issue-page"), { showsIssueBody: true });
    expect(html).toContain('style="padding:8px 8px 8px 8px"');
    expect(policy).toContain("style-src-attr 'unsafe-inline'");
    expect(policy).toMatch(/style-src 'self' 'sha256-[^']+';/);
  });

  test("that came from sources keeps its scripts and links, and loses the nonce alone", () => {
    const rendered = recorded(fromSources);
    const { html, policy, unexpected } = finish(rendered, { isBuilt: false });
    expect(unexpected).toEqual([]);
    expect(html).toBe(rendered.replaceAll(` nonce="${nonce}"`, ""));
    const codes = elementsOf(html).codes.map(({ text }) => hashOf(text));
    expect(codes.length).toBeGreaterThan(1);
    expect(listed(policy, "script-src")).toEqual(new Set(codes));
    expect(policy).toContain("style-src 'self' 'unsafe-inline';");
  });

  test("with a sheet for paper alone leaves it a link, which the browser fetches when it likes", () => {
    const paper = '<link rel="stylesheet" href="/assets/print-AbC123.css" media="print"/>';
    const { html, unexpected } = finish(
      recorded("plain-page").replace("</head>", `${paper}</head>`),
    );
    expect(unexpected).toEqual([]);
    expect(html).toContain(paper);
    expect(html).not.toContain('--sheet:"/assets/print');
  });

  test("with a sheet in its body leaves it a link there, for which only what comes after it waits", () => {
    const late = '<link rel="stylesheet" href="/assets/late-AbC123.css"/>';
    const { html, unexpected } = finish(
      recorded("plain-page").replace("</main>", `${late}</main>`),
    );
    expect(unexpected).toEqual([]);
    expect(html).toContain(`${late}</main>`);
    expect(html).not.toContain('--sheet:"/assets/late');
  });

  test("with code that the site didn't write is told of, and the code stays without a hash", () => {
    const injected = `<p>Words</p><script>injected()</script><style>b{}</style>`;
    const { html, policy, unexpected } = finish(
      recorded("plain-page").replace("</main>", `${injected}</main>`),
    );
    expect(html).toContain(injected);
    expect(policy).not.toContain(hashOf("injected()"));
    expect(policy).not.toContain(hashOf("b{}"));
    expect(unexpected).toEqual([expect.stringContaining("without the nonce")]);
  });

  test("with tags in a comment, an attribute or a field's text has none there", () => {
    const start = `<script nonce="${nonce}">`;
    const hidden = [
      `<!--${start}a()</script>-->`,
      '<p title="<script>injected()</script>">Words</p>',
      `<textarea>${start}b()</textarea>`,
    ].join("");
    const { html, policy, unexpected } = finish(hidden, { isBuilt: false });
    expect(html).toBe(hidden);
    expect(unexpected).toEqual([]);
    expect(listed(policy, "script-src")).toEqual(new Set());
  });

  test("without content, for its status alone, expects nothing", () => {
    expect(finish("")).toMatchObject({ html: "", unexpected: [] });
  });
});

describe("where the framework writes otherwise, the page says so and works as it came", () => {
  const rendered = recorded("plain-page");
  const changes: [string, (html: string) => string, string][] = [
    [
      "no sheets",
      (html) => html.replaceAll('rel="stylesheet"', 'rel="x"'),
      "no link to a stylesheet",
    ],
    [
      "a script without nonce",
      (html) => html.replace(`<script nonce="${nonce}">`, "<script>"),
      "without the nonce",
    ],
  ];
  test.each(changes)("%s", (_name, change, sentence) => {
    const changed = change(rendered);
    expect(changed).not.toBe(rendered);
    const { html, policy, unexpected } = finish(changed);
    expect(unexpected).toEqual([expect.stringContaining(sentence)]);
    const { codes } = elementsOf(html);
    for (const hash of listed(policy, "script-src")) {
      expect(codes.map(({ text }) => hashOf(text))).toContain(hash);
    }
    expect(policy).not.toContain("unsafe-inline");
  });

  test("a sheet that isn't there", () => {
    const { html, unexpected } = finishWithoutSheets(rendered);
    expect(unexpected).toEqual([expect.stringContaining("leads to no file")]);
    expect(elementsOf(html).named("style")).toEqual([]);
    expect(elementsOf(html).links("stylesheet")[0]?.attributes.has("disabled")).toBe(false);
  });
});

function finishWithoutSheets(rendered: string) {
  const read = readConfig({});
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  const settings = siteSettings(read.config);
  return finishDocument(rendered, {
    settings,
    nonce,
    showsIssueBody: false,
    readStyles: () => null,
  });
}

describe("a counting service's tag", () => {
  const services = [
    ["plausible", "www.chalkline.example", "https://plausible.io", "https://plausible.io"],
    [
      "umami",
      "94db1cb1-74f4-4a40-ad6c-962362670409",
      "https://cloud.umami.is",
      "https://*.umami.is",
    ],
    ["ga4", "G-ABC123DEF4", "https://www.googletagmanager.com", "https://*.google-analytics.com"],
  ] as const;

  test.each(services)("of %s is in the page and in its policy", (kind, id, script, connected) => {
    const env = { ANALYTICS_TAG: kind, ANALYTICS_ID: id };
    const { html, policy, unexpected } = finish(recorded("plain-page"), { env });
    const tag = elementsOf(html).codes.find(({ text }) => text.includes(id));
    expect(() => new Script(tag?.text ?? "no tag")).not.toThrow();
    expect(tag?.text).toMatch(/globalPrivacyControl.*doNotTrack/);
    expect(listed(policy, "script-src")).toContain(hashOf(tag?.text ?? ""));
    expect(policy).toMatch(new RegExp(`script-src [^;]*${RegExp.escape(script)}`));
    expect(policy).toMatch(new RegExp(`connect-src 'self' [^;]*${RegExp.escape(connected)}`));
    expect(unexpected).toEqual([]);
  });

  test("comes from a machine of one's own where one is set", () => {
    const env = {
      ...{ ANALYTICS_TAG: "plausible", ANALYTICS_ID: "chalkline.example" },
      ANALYTICS_HOST: "https://count.chalkline.example/",
    };
    const { html, policy } = finish(recorded("plain-page"), { env });
    expect(html).toContain('"https://count.chalkline.example/js/script.js"');
    expect(policy).toContain("connect-src 'self' https://count.chalkline.example;");
    expect(policy).not.toContain("plausible.io");
  });

  test("is nowhere unless it's set", () => {
    for (const page of builtPages) {
      const { html, policy } = finish(recorded(page));
      expect(html).not.toMatch(/doNotTrack|analytics/i);
      expect(policy).not.toMatch(/connect-src|plausible|umami|google/);
    }
  });
});
