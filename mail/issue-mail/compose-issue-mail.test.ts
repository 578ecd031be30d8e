import { readFile } from "node:fs/promises";
import path from "node:path";
import { HtmlValidate } from "html-validate";
import { describe, expect, it } from "vitest";
import type { SiteIdentity } from "#content/site-settings.ts";
import { starterIssues } from "#content/starter-issues.ts";
import { elementsBelow, getAttribute, parseBody } from "#issue-body/body-tree.ts";
import { testSite } from "#tests/site-identity.ts";
import { composeIssueMail } from "./compose-issue-mail.ts";

const fixtures = path.join(import.meta.dirname, "../../tests/fixtures/newsletters");
const tokenPlaceholder = "reader-0b2d";
const link = `https://chalkline.example/newsletter/unsubscribe?token=${tokenPlaceholder}`;
const page = "https://chalkline.example/newsletter/7";

function compose(html: string, preheader?: string, site: SiteIdentity = testSite) {
  const issue = { id: 7, number: 3, title: "Five & counting", html, publishDate: "2026-11-09" };
  return composeIssueMail({ issue, site, tokenPlaceholder, preheader, now: new Date() });
}

const templates = await Promise.all(
  ["mailchimp", "beehiiv", "substack", "ghost"].map(async (name) => ({
    name,
    html: await readFile(path.join(fixtures, `${name}.html`), "utf8"),
  })),
);
const letters = [...starterIssues.map(({ title, html }) => ({ name: title, html })), ...templates];

it.each([
  ["a fragment", `<p>Words</p>${"<div>".repeat(5_000)}`],
  ["a document", `<html><body>${"<table><tr><td>".repeat(5_000)}`],
  ["templates", "<template>".repeat(5_000)],
])("refuses %s nested too deep in one sentence", (_what, html) => {
  expect(() => compose(html)).toThrow("The issue's HTML is nested deeper than 500 elements.");
});

describe.each(letters)("$name", ({ html }) => {
  const mail = compose(html);

  it("says who sends it, from where and why, and how to leave, in both parts", () => {
    for (const part of [mail.html, mail.text]) {
      expect(part).toContain("100 Example Street, Toronto, ON M5V 0A0, Canada");
      expect(part.replaceAll(/\s+/g, " ")).toContain(
        "because you signed up at chalkline.example or agreed to it elsewhere, or because of your business with us",
      );
      expect(part).toContain(link);
      expect(part).toContain(page);
    }
  });

  it("shows no merge tag, runs nothing, and has absolute addresses alone", () => {
    expect(mail.html + mail.text).not.toMatch(/\*\|[A-Z]|\{\{|\{%|%%\{?[a-z]/i);
    expect(mail.html).not.toMatch(/<script|<form|<link|javascript:|\son\w+=/i);
    for (const element of elementsBelow(parseBody(mail.html))) {
      const address = getAttribute(element, "href") ?? getAttribute(element, "src");
      if (address !== undefined) expect(address).toMatch(/^(?:https?:|mailto:|tel:|data:image|#)/);
    }
  });

  it("is sound HTML below Gmail's clip", () => {
    expect(mail.bytes).toBeLessThan(102 * 1024);
    const validator = new HtmlValidate({
      rules: {
        "close-order": "error",
        "no-dup-attr": "error",
      },
    });
    expect(validator.validateStringSync(mail.html).results).toEqual([]);
  });
});

it("writes a document's own styles to its elements and leaves its look alone", () => {
  const { html } = compose(
    '<html><head><style>.x{color:#ff0000;padding:4px}</style></head><body bgcolor="#123456"><p class="x">Words.</p></body></html>',
  );
  expect(html).toMatch(/<p style="[^"]*color: ?#ff0000[^"]*">Words\./);
  expect(html).toContain('bgcolor="#123456"');
  expect(html).not.toContain("Courier");
});

it("fills merge tags that mean something, takes the others out, and leaves code alone", () => {
  const { html, text, notes } = compose(
    `<p>Hello *|FNAME|*, it is {{ first_name | default: "there" }}.</p><p><a href="*|UNSUB|*">Out</a> <a href="%%view_in_browser_url%%">Web</a></p>
     {% if x %}<p>© *|CURRENT_YEAR|* *|LIST:COMPANY|*</p>{% endif %}<pre>{{ quote.total }}</pre>`,
  );
  expect(text).toContain("Hello, it is there.");
  expect(html).toContain(`<a href="${link}"`);
  expect(html).toContain(`<a href="${page}"`);
  expect(text).toContain(`© ${new Date().getUTCFullYear()} Chalkline`);
  expect(html).toContain("{{ quote.total }}");
  expect(notes).toContain(
    "Merge tags: 5 filled in, 3 taken out: *|FNAME|*, {% if x %}, {% endif %}.",
  );
});

it("takes the preheader that it's given, else the first words", () => {
  const html =
    "<p>Short.</p><p>The first paragraph that is long enough to tell what it is about.</p>";
  expect(compose(html, " Given  words ").preheader).toBe("Given words");
  expect(compose(html).preheader).toMatch(/^The first paragraph/);
});

it("resolves relative addresses as the page does, keeps pictures within the sheet, and says what programs won't show", () => {
  const { html, notes } = compose(
    `<p><a href="/pricing">x</a><img src="http://x.example/a.png" width="900" height="300"></p><p>${"word ".repeat(25_000)}</p>`,
  );
  expect(html).toContain('href="https://chalkline.example/pricing"');
  expect(html).toMatch(/<img [^>]*width="534"/);
  expect(notes.join("\n")).toMatch(/cuts this one off[\s\S]*by http:[\s\S]*without words/);
});

it("leads to our own page where an address to leave has another program's tag in it", () => {
  const { html, text } = compose(
    `<p><a href="https://old.example/unsubscribe/?uuid=%%{uuid}%%">Leave</a>
    <a href="https://old.example/preferences?id={{ id }}">Change</a>
    <a href="https://old.example/unsubscribing">About leaving</a>
    <a href="https://old.example/poll?id=%%{uuid}%%">A poll</a></p>`,
  );
  expect(text.replace(/\s+/g, " ")).toContain(`Leave <${link}>`);
  expect(html.match(/old\.example\/[^"]*/g)).toEqual([
    "old.example/unsubscribing",
    "old.example/poll?id=",
  ]);
});

it("leads to our own page from a link to leave that only another program could fill in", () => {
  const tags = ["{unsubscribe_url}", "[link:subscription_unsubscribe_url]", "*unsubscribe*"];
  for (const tag of [...tags, "##unsubscribe##", "[[UNSUB_LINK]]", "%7Boptout%7D"]) {
    const { text } = compose(`<p>Words. <a href="${tag}">Leave</a></p>`);
    expect(text.replace(/\s+/g, " "), tag).toContain(`Leave <${link}>`);
  }
  expect(compose('<p><a href="#unsubscribe">How to leave</a></p>').text).not.toContain("Leave <");
});

it("names tags for a name that no program here is known by", () => {
  const { notes } = compose("<p>Hi [First name], {user.first_name}, {subtag:name|part:first}</p>");
  expect(notes).toContain(
    "Goes out as it stands, though it looks like a merge tag: [First name], {user.first_name}, {subtag:name|part:first}.",
  );
});

it("reads well as plain text", () => {
  const { text } = compose(
    '<h2>Tools</h2><p>See <a href="https://a.example/x">the sheet</a>.</p><ol><li>One</li><li>Two</li></ol><img src="https://a.example/p.png" alt="A plan" width="10"><table><tr><th>Line</th><th>Cost</th></tr><tr><td>Pipe</td><td>$4</td></tr></table>',
  );
  expect(text).toContain("See the sheet <https://a.example/x>.");
  expect(text).toMatch(/1\. One\n\s*2\. Two/);
  expect(text).toContain("[A plan]");
  expect(text).toMatch(/LINE +COST\nPipe +\$4/i);
});
