import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { starterIssues } from "#content/starter-issues.ts";
import { prepareIssueBody } from "./prepare-issue-body.ts";

const html = (content: string) => prepareIssueBody(content).html;
const removed = (content: string) => prepareIssueBody(content).removed;

const folder = new URL("../tests/fixtures/newsletters/", import.meta.url);
const newsletters = readdirSync(folder)
  .filter((name) => name.endsWith(".html"))
  .map((name): [string, string] => [name, readFileSync(new URL(name, folder), "utf8")]);

test.each(newsletters)("%s keeps nothing that is not the letter's own", (_name, content) => {
  const body = prepareIssueBody(content);
  expect(body.html).not.toMatch(
    /<(?:style|script|meta|link|title|form|input|svg)|<!--|class="(?!issue-)/,
  );
  expect(body.html).not.toMatch(/ on[a-z]+=|javascript:|url\(|position:|!important/i);
  expect(body.plainText).not.toMatch(
    /preview belongs|inbox shows|three numbers to write down \u200c/,
  );
  expect(body.removed).toContainEqual({ what: "hidden text", count: 1 });
});

test.each([
  ["mailchimp.html", "The October eavestrough list"],
  ["substack.html", "How long a driveway takes to dry"],
  ["beehiiv.html", "Five minutes with a moisture meter"],
  ["ghost.html", "Four minutes, in order"],
])("%s keeps its words, pictures and button", (name, heading) => {
  const body = prepareIssueBody(readFileSync(new URL(name, folder), "utf8"));
  expect(body.plainText).toContain(heading);
  expect(body.html).toMatch(/<img [^>]*src="data:image\/png;base64,[^>]*loading="lazy"/);
  expect(body.html).toMatch(
    /background-color:#[0-9a-f]{6}[^>]*>\s*(?:<tbody>\s*<tr>\s*<td[^>]*>\s*)?<a [^>]*href="https:/,
  );
  expect(body.html).not.toMatch(/<h1/);
});

test.each(starterIssues.map((issue) => [issue.title, issue.html]))(
  "the starter issue '%s' loses nothing and is stable",
  (_title, content) => {
    const body = prepareIssueBody(content);
    expect(body.removed).toEqual([]);
    expect(body.html).toContain('class="issue-table-scroll"');
    expect(prepareIssueBody(body.html).html).toBe(body.html);
  },
);

test("the report names what was taken out and how often", () => {
  const items = removed(
    '<script>1</script><script>2</script><p onclick="x" style="position:fixed;z-index:9;color:#000">a</p>' +
      '<iframe src="https://example.com"></iframe><form><input></form>' +
      '<a href="javascript:1">b</a><img src="https://example.com/p.gif" width="1" height="1">',
  );
  expect(items).toEqual(
    expect.arrayContaining([
      { what: "script element", count: 2 },
      { what: "iframe element", count: 1 },
      { what: "form element", count: 1 },
      { what: "input element", count: 1 },
      { what: "onclick attribute", count: 1 },
      { what: "link with a javascript: address", count: 1 },
      { what: "tracking pixel", count: 1 },
    ]),
  );
});

test("the report can't be used to write to the operator's terminal", () => {
  const name = `x\u001b[31m${"y".repeat(500)}`;
  for (const { what } of removed(`<${name}>a</${name}><p style="\u001b[2J:1;${name}:2">b</p>`)) {
    expect(what).toMatch(/^[\x20-\x7e]{1,80}$/);
  }
});

test("a body with an h1 moves its headings down one, and one without keeps them", () => {
  expect(html("<h1>a</h1><h2>b</h2><h5>c</h5><h6>d</h6>")).toBe(
    "<h2>a</h2><h3>b</h3><h6>c</h6><h6>d</h6>",
  );
  expect(html("<h2>a</h2><h3>b</h3>")).toBe("<h2>a</h2><h3>b</h3>");
});

test("pictures inside the body are small raster files only", () => {
  expect(html('<img src="data:image/png;base64,AAAA" alt="">')).toContain(
    "data:image/png;base64,AAAA",
  );
  expect(html('<img src="data:image/svg+xml;base64,AAAA" alt="">')).toBe("");
  expect(html(`<img src="data:image/png;base64,${"A".repeat(400_000)}" alt="">`)).toBe("");
});

test("hidden previews go, and layout that only looks hidden stays", () => {
  for (const style of [
    "display:none",
    "visibility:hidden",
    "opacity:0",
    "max-height:0;overflow:hidden",
  ]) {
    expect(html(`<span style="${style}">secret</span><p>a</p>`)).not.toContain("secret");
  }
  expect(html("<div hidden>secret</div><p>a</p>")).toBe("<p>a</p>");
  expect(html('<td style="font-size:0"><div style="font-size:16px">kept</div></td>')).toContain(
    "kept",
  );
  expect(html('<a href="https://e.com" style="mso-hide:all">kept</a>')).toContain("kept");
});
