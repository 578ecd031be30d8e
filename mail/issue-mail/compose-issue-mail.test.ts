import { HtmlValidate } from "html-validate";
import { describe, expect, it } from "vitest";
import type { SiteIdentity } from "#content/site-settings.ts";
import { elementsBelow, getAttribute, parseBody } from "#issue-body/body-tree.ts";
import { issueLetters } from "#tests/sends/issue-letters.ts";
import { testSite } from "#tests/site-identity.ts";
import { composeIssueMail } from "./compose-issue-mail.ts";

const tokenPlaceholder = "reader-0b2d";
const link = `https://chalkline.example/newsletter/unsubscribe?token=${tokenPlaceholder}`;
const page = "https://chalkline.example/newsletter/7";

function compose(html: string, preheader?: string, site: SiteIdentity = testSite) {
  // As a table made elsewhere may have it.
  const publishDate = "2026-11-09T09:30:00";
  const issue = { id: 7, number: 3, title: "Five & counting", html, publishDate, preheader };
  return composeIssueMail({ issue, site, tokenPlaceholder });
}

it.each([
  ["a fragment", `<p>Words</p>${"<div>".repeat(5_000)}`],
  ["a document", `<html><body>${"<table><tr><td>".repeat(5_000)}`],
  ["templates", "<template>".repeat(5_000)],
])("refuses %s nested too deep in one sentence", (_what, html) => {
  expect(() => compose(html)).toThrow("the issue is nested deeper than 500 elements");
});

describe.each(issueLetters)("$title", ({ html }) => {
  const mail = compose(html);

  it("says who sends it, from where and why, and how to leave, in both parts", () => {
    for (const part of [mail.html, mail.text]) {
      expect(part).toContain("100 Example Street, Toronto, ON M5V 0A0, Canada");
      expect(part.replaceAll(/\s+/g, " ")).toContain(
        "because you signed up at chalkline.example or agreed to it elsewhere, or because of your business with us",
      );
      expect(part).toContain(link);
      expect(part).toContain(page);
      expect(part).toContain("November 9, 2026");
    }
  });

  it("runs nothing, and has absolute addresses alone", () => {
    expect(mail.html).not.toMatch(/<script|<form|<link|javascript:|\son\w+=/i);
    for (const element of elementsBelow(parseBody(mail.html))) {
      const address = getAttribute(element, "href") ?? getAttribute(element, "src");
      if (address !== undefined) expect(address).toMatch(/^(?:https?:|mailto:|tel:|data:image|#)/);
    }
  });

  it("is sound HTML below Gmail's clip", () => {
    expect(mail.bytes).toBeLessThan(102 * 1024);
    const validator = new HtmlValidate({
      rules: { "close-order": "error", "no-dup-attr": "error" },
    });
    expect(validator.validateStringSync(mail.html).results).toEqual([]);
  });
});

it("writes a document's own styles to its elements", () => {
  const { html } = compose(
    '<html><head><style>.x{color:#ff0000;padding:4px}</style></head><body><p class="x">Words.</p></body></html>',
  );
  expect(html).toMatch(/<p style="[^"]*color: ?#ff0000[^"]*">Words\./);
});

it("takes the preheader that it's given, else the first words", () => {
  const html =
    "<p>Short.</p><p>The first paragraph that is long enough to tell what it is about.</p>";
  expect(compose(html, " Given  words ").preheader).toBe("Given words");
  expect(compose(html).preheader).toMatch(/^The first paragraph/);
});

it("makes links to the site whole and names the issue in them, keeps pictures within the sheet, and says what programs won't show", () => {
  const { html, notes } = compose(
    `<p><a href="/pricing">x</a><img src="http://x.example/a.png" width="900" height="300"></p><p>${"word ".repeat(25_000)}</p>`,
  );
  expect(html).toMatch(/href="https:\/\/chalkline\.example\/pricing\?from-issue=\d+"/);
  expect(html).toMatch(/<img [^>]*width="534"/);
  expect(notes.join("\n")).toMatch(/cuts this one off[\s\S]*without words/);
});

it("names what looks like another program's merge tag", () => {
  const { notes } = compose("<p>Hi [First name], *|FNAME|*, {{ name }} and {user.first_name}</p>");
  expect(notes).toContain(
    "Goes out as it stands, though it looks like a merge tag: [First name], *|FNAME|*, {{ name }}, {user.first_name}.",
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
