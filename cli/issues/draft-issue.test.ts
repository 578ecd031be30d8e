import { expect, it } from "vitest";
import { formatProblem } from "../command-error.ts";
import { type DraftSource, draftIssue } from "./draft-issue.ts";

const now = new Date("2026-11-21T03:00:00Z");

function draft(text: string, source: Partial<DraftSource> = {}) {
  const result = draftIssue({ name: "newsletter.md", text, format: "markdown", now, ...source });
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join("\n"));
  return result.draft;
}

function problems(text: string, source: Partial<DraftSource> = {}): string[] {
  const result = draftIssue({ name: "newsletter.md", text, format: "markdown", now, ...source });
  return result.ok ? [] : result.problems.map(formatProblem);
}

it("makes HTML of Markdown, with its own HTML kept and its quotes left alone", () => {
  const { html } = draft('# Title\n\n"Quotes" -- and <b class="x">bold</b>.\n', { title: "Other" });
  expect(html).toContain('<p>&quot;Quotes&quot; -- and <b class="x">bold</b>.</p>');
});

it("stores HTML as it was given", () => {
  const html =
    '<!doctype html><html><head><title>T</title></head><body><p onclick="x()">Words</p></body></html>';
  expect(draft(html, { format: "html" }).html).toBe(html);
});

it("takes the title from the flag, then the front matter, the title element, the first heading", () => {
  const page = "<title>Element</title><h2>Heading</h2><p>Words</p>";
  const front = "---\ntitle: Front\n---\n";
  const html = { format: "html" } as const;
  expect(draft(front + page, { ...html, title: "Flag" })).toMatchObject({
    title: "Flag",
    titleFrom: "--title",
  });
  expect(draft(front + page, html)).toMatchObject({
    title: "Front",
    titleFrom: "the front matter, line 2",
  });
  expect(draft(page, html)).toMatchObject({
    title: "Element",
    titleFrom: "the title element, line 1",
  });
  expect(draft("<p>Words</p>\n<h3>A <em>heading</em>\n here</h3>", html)).toMatchObject({
    title: "A heading here",
    titleFrom: "the first heading, line 2",
  });
});

it("takes the date from the flag, then the front matter, then today in Toronto", () => {
  const front = "---\ntitle: T\ndate: 2026-01-02\n---\nWords\n";
  expect(draft(front, { date: "2026-03-04" })).toMatchObject({
    publishDate: "2026-03-04",
    dateFrom: "--date",
  });
  expect(draft(front)).toMatchObject({
    publishDate: "2026-01-02",
    dateFrom: "the front matter, line 3",
  });
  // Three in the morning in London: the evening before in Toronto.
  expect(draft("# T\n\nWords")).toMatchObject({ publishDate: "2026-11-20", dateFrom: null });
});

it("takes a front matter's date with a time and an offset as the day in Toronto", () => {
  expect(draft("---\ntitle: T\ndate: 2026-01-02T03:00:00Z\n---\nWords").publishDate).toBe(
    "2026-01-01",
  );
});

it("keeps a title that YAML would take for something else as it was written", () => {
  expect(draft("---\ntitle: 2026\n---\nWords").title).toBe("2026");
  expect(draft("---\ntitle: 1e3\n---\nWords").title).toBe("1e3");
});

it("drops the first heading when it says the title again, and nothing else", () => {
  const same = draft("# Same  title\n\nWords\n\n# Same title\n");
  expect(same.droppedHeading).toBe("Same title");
  expect(same.html).toBe("<p>Words</p>\n<h1>Same title</h1>");
  expect(draft("# Heading\n\nWords", { title: "Other" }).droppedHeading).toBeNull();
});

it("drops it after a hidden preview line, but not after visible words or with a picture in it", () => {
  const html = { format: "html", title: "Title" } as const;
  expect(
    draft('<div style="display: none">Preview</div><h1>Title</h1><p>Words</p>', html).html,
  ).toBe('<div style="display: none">Preview</div><p>Words</p>');
  expect(draft("<p>Before</p><h1>Title</h1>", html).droppedHeading).toBeNull();
  expect(
    draft('<h1><img src="https://x.example/a.png">Title</h1><p>W</p>', html).droppedHeading,
  ).toBeNull();
});

it("names front matter that means nothing here", () => {
  expect(draft("---\ntitle: T\nlayout: post\n---\nWords").unusedNames).toEqual(["layout"]);
});

it("reads front matter below blank lines, and names with capitals", () => {
  expect(draft("\n \r\n---\nTitle: T\nDATE: 2026-01-02\n---\n# Words")).toMatchObject({
    title: "T",
    titleFrom: "the front matter, line 4",
    publishDate: "2026-01-02",
    html: "<h1>Words</h1>",
    unusedNames: [],
  });
});

it.each([
  [
    "a date that is no day, below blank lines",
    "\n\n---\ntitle: T\ndate: 2026-13-01\n---\nWords",
    'newsletter.md:5: date "2026-13-01" is not a calendar date',
  ],
  [
    "a date that is no day",
    "---\ntitle: T\ndate: 2026-13-01\n---\nWords",
    'newsletter.md:3: date "2026-13-01" is not a calendar date',
  ],
  ["broken YAML", "---\ntitle: T\ndate: [2026\n---\nWords", "newsletter.md:"],
  [
    "front matter that is a list",
    "---\n- title\n---\nWords",
    "newsletter.md:2: the front matter must be lines such as",
  ],
  [
    "a title that is a list",
    "---\ndate: 2026-01-02\ntitle: [a, b]\n---\nWords",
    "newsletter.md:3: title must be a text",
  ],
  [
    "a name given twice",
    "---\ntitle: A\ntitle: B\n---\nWords",
    "newsletter.md:3: front matter: Map keys must be unique",
  ],
  [
    "front matter that is never closed",
    "---\ntitle: T\n\nWords",
    "newsletter.md:1: the front matter opens here",
  ],
  [
    "front matter below blank lines that is never closed",
    "\n\n---\ntitle: T\n\nWords",
    "newsletter.md:3: the front matter opens here",
  ],
  ["an empty body", "---\ntitle: T\n---\n  \n", "newsletter.md: the body is empty"],
  ["no title", "Words", "newsletter.md: has no title"],
  [
    "a title too long",
    `---\ndate: 2026-01-02\ntitle: ${"x".repeat(201)}\n---\nWords`,
    "newsletter.md:3: the title has 201 characters; the limit is 200.",
  ],
  [
    "a title with an escape sequence",
    '---\ntitle: "a\\u001b[31mb"\n---\nWords',
    "newsletter.md:2: the title holds control characters",
  ],
])("refuses %s and names the place", (_what, text, message) => {
  const [first, ...rest] = problems(text);
  expect(first).toContain(message);
  expect(rest).toEqual([]);
});

it("refuses a body of which the page would show nothing", () => {
  expect(problems("<script>x()</script>", { format: "html", title: "T" })[0]).toContain(
    "empty body",
  );
  expect(problems("# Only the title\n")[0]).toContain("empty body");
});

it("takes a body that is a picture", () => {
  const html = '<img src="https://pictures.example/a.png" alt="">';
  expect(draft(html, { format: "html", title: "T" }).html).toBe(html);
});

it("refuses a body over the limit", () => {
  expect(problems(`# T\n\n${"x".repeat(2_000_001)}`)[0]).toContain(
    "longer than the limit of 2,000,000",
  );
});
