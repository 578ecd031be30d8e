import MarkdownIt from "markdown-it";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import type { RemovedItem } from "#issue-body/sanitise-body.ts";
import type { IssueWords } from "#newsletter/issues.ts";
import type { Problem } from "../command-error.ts";
import { torontoDate } from "../terminal.ts";
import { calendarDate } from "./calendar-date.ts";
import { type FrontMatter, splitFrontMatter } from "./front-matter.ts";
import { issueBodyMaxLength, issueTitleMaxLength } from "./issue-limits.ts";
import { type Heading, oneLine, outlineHtml } from "./outline-html.ts";

export type DraftSource = {
  /** The name that messages give the file. */
  name: string;
  text: string;
  format: "html" | "markdown";
  /** From the command line; either may be left out. */
  title?: string;
  date?: string;
  /** Today's date is taken from it, in Toronto. */
  now: Date;
};

export type Draft = IssueWords & {
  /** Where the title was found, in words: `--title`, `the front matter, line 2`. */
  titleFrom: string;
  /** The same for the date; null where it is today's. */
  dateFrom: string | null;
  /** The heading that would have shown the title a second time, and was left out. */
  droppedHeading: string | null;
  /** Names in the front matter that mean nothing here. */
  unusedNames: string[];
  /** What the page leaves out of the body when it shows it. */
  removed: RemovedItem[];
};

const controls = /[\u0000-\u001f\u007f-\u009f]/;

type Found = { text: string; from: string; line: number | null };

/** Makes an issue of a file's text: its title, its date and the HTML to store. Every mistake is listed, with its line. */
export function draftIssue(
  source: DraftSource,
): { ok: true; draft: Draft } | { ok: false; problems: Problem[] } {
  const problems: Problem[] = [];
  function problem(line: number | null, message: string): void {
    problems.push({ file: source.name, line, message });
  }
  const split = splitFrontMatter(source.text);
  if (!split.ok) {
    problem(split.line, split.message);
    return { ok: false, problems };
  }
  const { frontMatter } = split;
  const html = toHtml(frontMatter.body, source.format);
  const { title: titleElement, firstHeading } = outlineHtml(html);
  // A Markdown file's HTML has other lines than the file, so its headings have none here.
  const ownLine = (line: number) =>
    source.format === "html" ? line + frontMatter.bodyOffset : null;

  const date = findDate(source, frontMatter);
  if (date.day === null) {
    const message = `date ${JSON.stringify(date.text)} is not a calendar date; write it as YYYY-MM-DD.`;
    if (date.line === null) problems.push({ file: null, line: null, message: `--${message}` });
    else problem(date.line, message);
  }
  if (frontMatter.body.trim() === "") {
    problem(null, "the body is empty, so there is nothing to publish.");
    return { ok: false, problems };
  }
  if (html.length > issueBodyMaxLength) {
    const limit = issueBodyMaxLength.toLocaleString("en-CA");
    problem(null, `the body is longer than the limit of ${limit} characters.`);
  }
  const title = findTitle(source, frontMatter, [
    titleElement && { ...place(titleElement, ownLine), from: "the title element" },
    firstHeading && { ...place(firstHeading, ownLine), from: "the first heading" },
  ]);
  if (title === null) {
    problem(null, "has no title. Give one with --title, or title: in the front matter.");
  } else if (title.text.length > issueTitleMaxLength) {
    const message = `the title has ${title.text.length} characters; the limit is ${issueTitleMaxLength}.`;
    if (source.title !== undefined) problems.push({ file: null, line: null, message });
    else problem(title.line, message);
  } else if (controls.test(title.text)) {
    problem(title.line, "the title holds control characters.");
  }
  if (problems.length > 0 || title === null || date.day === null) return { ok: false, problems };

  const dropped = duplicateHeading(firstHeading, title.text);
  const stored = dropped ? html.slice(0, dropped.from) + html.slice(dropped.to) : html;
  // As it is stored: the page's own preparing is of the same text.
  const prepared = prepareIssueBody(stored.trim());
  if (prepared.plainText.trim() === "" && !/<img\b/i.test(prepared.html)) {
    problem(null, "the page would show an empty body: there are no words and no pictures in it.");
    return { ok: false, problems };
  }
  return {
    ok: true,
    draft: {
      title: title.text,
      html: stored.trim(),
      publishDate: date.day,
      preheader: frontMatter.preheader ? oneLine(frontMatter.preheader.text) : null,
      titleFrom: placeInWords(title),
      dateFrom: date.from === null ? null : placeInWords({ ...date, from: date.from }),
      droppedHeading: dropped ? (firstHeading?.text ?? null) : null,
      unusedNames: frontMatter.unused,
      removed: prepared.removed,
    },
  };
}

function toHtml(body: string, format: DraftSource["format"]): string {
  if (format === "html") return body;
  return new MarkdownIt({ html: true, typographer: false }).render(body);
}

function findTitle(
  source: DraftSource,
  frontMatter: FrontMatter,
  inBody: (Found | null)[],
): Found | null {
  const flag = source.title === undefined ? null : oneLine(source.title);
  const written = frontMatter.title;
  const candidates: (Found | null)[] = [
    flag ? { text: flag, from: "--title", line: null } : null,
    written && { ...written, text: oneLine(written.text), from: "the front matter" },
    ...inBody,
  ];
  return candidates.find((candidate) => candidate !== null) ?? null;
}

type FoundDate = Omit<Found, "from"> & { from: string | null; day: string | null };

function findDate(source: DraftSource, { date }: FrontMatter): FoundDate {
  if (source.date !== undefined) {
    const day = calendarDate(source.date);
    return { text: source.date, from: "--date", line: null, day };
  }
  if (date) return { ...date, from: "the front matter", day: calendarDate(date.text) };
  const today = torontoDate(source.now);
  return { text: today, from: null, line: null, day: today };
}

function place(found: { text: string; line: number }, ownLine: (line: number) => number | null) {
  return { text: found.text, line: ownLine(found.line) };
}

function placeInWords({ from, line }: Found): string {
  return line === null ? from : `${from}, line ${line}`;
}

/** Where a heading that says the title again stands, when it comes before every other word of the body. */
function duplicateHeading(heading: Heading | null, title: string): Heading["range"] {
  if (!heading?.leads || heading.range === null) return null;
  const same = (text: string) => oneLine(text).normalize("NFC").toLocaleLowerCase("en-CA");
  return same(heading.text) === same(title) ? heading.range : null;
}
