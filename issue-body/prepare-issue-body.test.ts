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
    /preview belongs|inbox shows|three numbers to write down \u200c|\*\|/,
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
      { what: "style property position", count: 1 },
      { what: "style property z-index", count: 1 },
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

test("merge tags of other mail programs are left out, but for their own fallback and in code", () => {
  const letter =
    '<p>Hello *|FNAME|*, or {{ first_name | default: "there" }}, or %recipient.name%.</p><p>{% if x %}Out: [unsubscribe]{% endif %}</p><pre>{{ quote.total }}</pre>';
  expect(html(letter)).toBe("<p>Hello, or there, or.</p><p>Out: </p><pre>{{ quote.total }}</pre>");
  expect(removed(letter)).toContainEqual({ what: "merge tag *|FNAME|*", count: 1 });
  const sendyMailPoetMautic =
    "<p>Hi [Name,fallback=neighbour], [subscriber:firstname | default:friend], {contactfield=firstname}!</p>";
  expect(html(sendyMailPoetMautic)).toBe("<p>Hi neighbour, friend,!</p>");
  expect(html("<p>See [[wiki]], [[firstname]]!</p>")).toBe("<p>See [[wiki]],!</p>");
  expect(html("<p>50% {of} it [see below] *twice* %done</p>")).toBe(
    "<p>50% {of} it [see below] *twice* %done</p>",
  );
});

test("ids and anchors inside a body are its own", () => {
  expect(html('<a href="#top">a</a><h2 id="top">b</h2><h2 id="top">c</h2>')).toBe(
    '<a href="#issue-top">a</a><h2 id="issue-top">b</h2><h2>c</h2>',
  );
  expect(html('<a name="old">a</a>')).toBe('<a id="issue-old">a</a>');
});

test("a link that leaves the site does not hand over its window", () => {
  expect(html('<a href="https://example.com/" target="_blank">a</a>')).toBe(
    '<a href="https://example.com/" target="_blank" rel="noopener">a</a>',
  );
  expect(html('<a href="https://example.com/" rel="sponsored opener">a</a>')).toContain(
    'rel="noopener sponsored"',
  );
  expect(html('<a href="mailto:a@example.com" target="_blank">a</a>')).toBe(
    '<a href="mailto:a@example.com">a</a>',
  );
});

test("a picture loads late, shrinks in proportion and has an alt", () => {
  const picture = html('<img src="https://example.com/a.png" width="600" height="200">');
  expect(picture).toContain('width="600" height="200"');
  expect(picture).toContain('alt=""');
  expect(picture).toContain('loading="lazy" decoding="async"');
  expect(html('<img src="https://example.com/a.png" alt="A wall" height="200">')).not.toContain(
    "height=",
  );
});

test("a picture that a script or a set of sizes would have loaded keeps its address", () => {
  const blank = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
  for (const address of [
    `src="${blank}" data-src="https://example.com/a.png"`,
    'data-lazy-src="https://example.com/a.png"',
    `src="${blank}" srcset="https://example.com/a.png, https://example.com/b.png 2x"`,
  ]) {
    expect(html(`<img ${address} alt="A">`)).toContain('src="https://example.com/a.png"');
  }
  expect(html('<img src="https://example.com/b.png" data-src="a.png" alt="">')).toContain("/b.png");
  expect(html('<img data-src="javascript:alert(1)" alt="">')).not.toContain("alert");
});

test("pictures inside the body are small raster files only", () => {
  expect(html('<img src="data:image/png;base64,AAAA" alt="">')).toContain(
    "data:image/png;base64,AAAA",
  );
  expect(html('<img src="data:image/svg+xml;base64,AAAA" alt="">')).toBe("");
  expect(html(`<img src="data:image/png;base64,${"A".repeat(400_000)}" alt="">`)).toBe("");
});

test("a data table scrolls in a named region that takes the keyboard", () => {
  const table = "<table><tr><th>Job</th><th>Cost</th></tr><tr><td>a</td><td>1</td></tr></table>";
  expect(html(table)).toMatch(
    /^<div class="issue-table-scroll" role="region" tabindex="0" aria-label="Table: Job, Cost"><table class="issue-data">/,
  );
  expect(html(`<div>${table}</div>`)).toBe(html(table));
});

test("a layout table is presentation, and only rows of text columns stack", () => {
  expect(html("<table width=600><tr><td>a</td></tr></table>")).toContain('role="presentation"');
  const columns = html(
    "<table><tr><td width=290><p>a</p></td><td width=290><p>b</p></td></tr></table>",
  );
  expect(columns.match(/<td [^>]*class="issue-stacks"/g)).toHaveLength(2);
  expect(columns).toContain('class="issue-column"');
  const icons = html(
    '<table><tr><td><img src="https://e.com/a.png" width=24></td><td><img src="https://e.com/b.png" width=24></td></tr></table>',
  );
  expect(icons).not.toContain("issue-stacks");
  expect(icons).not.toMatch(/issue-(?:box|column)/);
  expect(html("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>")).toContain(
    'class="issue-box"',
  );
  expect(html("<table><tr><th><table><tr><td>a</td></tr></table></th></tr></table>")).not.toContain(
    "region",
  );
});

test("hidden previews go, and layout that only looks hidden stays", () => {
  for (const style of [
    "display:none",
    "visibility:hidden",
    "opacity:0",
    "max-height:0;overflow:hidden",
    "font-size:0",
  ]) {
    expect(html(`<span style="${style}">secret</span><p>a</p>`)).not.toContain("secret");
  }
  expect(html("<div hidden>secret</div><p>a</p>")).toBe("<p>a</p>");
  expect(html('<td style="font-size:0"><div style="font-size:16px">kept</div></td>')).toContain(
    "kept",
  );
  expect(html('<a href="https://e.com" style="mso-hide:all">kept</a>')).toContain("kept");
});

test("text too pale for what is behind it is made readable, and the rest is left alone", () => {
  expect(html('<p style="color:#cccccc">a</p>')).toBe("<p>a</p>");
  expect(html('<p style="color:#444444">a</p>')).toBe('<p style="color:#444444">a</p>');
  expect(html('<div style="background-color:#111111"><p>a</p></div><p>b</p>')).toContain(
    'style="background-color:#111111;color:#ffffff"',
  );
  expect(html('<p>b</p><div style="background:#222"><a href="https://e.com">a</a></div>')).toMatch(
    /<a [^>]*color:#ffffff/,
  );
});

test("a video that can't be shown leaves a link to its page, and no other frame does", () => {
  expect(html('<iframe src="https://www.youtube.com/embed/dQw4-_9?rel=0"></iframe>')).toBe(
    '<a href="https://www.youtube.com/watch?v=dQw4-_9" rel="noopener">Watch the video</a>',
  );
  expect(html('<iframe src="//player.vimeo.com/video/76979871"></iframe>')).toContain(
    'href="https://player.vimeo.com/video/76979871"',
  );
  for (const src of ["https://youtube.com.evil.example/embed/x", "javascript:1", "/embed/x"])
    expect(html(`<iframe src="${src}">words</iframe>`)).toBe("");
});
