import MarkdownIt from "markdown-it";
import footnotes from "markdown-it-footnote";
import { parse } from "parse5";
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { elementsBelow, isElement, isText, type Node, textOf } from "#issue-body/body-tree.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import type { RemovedItem } from "#issue-body/sanitise-body.ts";
import type { IssueWords } from "#newsletter/issues.ts";
import type { Problem } from "../command-error.ts";
import { torontoDate } from "../terminal.ts";
import { type AddressPlace, withAddresses } from "./body-addresses.ts";
import { calendarDate, issueBodyMaxLength, issueTitleMaxLength, oneLine } from "./issue-fields.ts";

export type DraftSource = {
  /** The name that messages give the file. */
  name: string;
  text: string;
  format: "html" | "markdown";
  /** From the command line; either may be left out. */
  title?: string;
  date?: string;
  /** Used where neither the command line nor the file has them; without it, the date is today's. */
  otherwise?: { title: string; publishDate: string };
  /** Today's date is taken from it, in Toronto. */
  now: Date;
  /** The address to store for one in the text; null where it stays. */
  addressOf?: (place: AddressPlace) => string | null;
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
  const split = splitFrontMatter(source.text.replace(/\r\n?/g, "\n"));
  if (!split.ok) {
    problem(split.line, split.message);
    return { ok: false, problems };
  }
  const { frontMatter } = split;
  const given = toHtml(frontMatter.body, source.format);
  const html = source.addressOf ? withAddresses(given, source.addressOf) : given;
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
    titleElement ? { ...place(titleElement, ownLine), from: "the title element" } : null,
    firstHeading && { ...place(firstHeading, ownLine), from: "the first heading" },
    source.otherwise ? { text: source.otherwise.title, from: "before", line: null } : null,
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
  const markdown = new MarkdownIt({ html: true, linkify: true }).use(footnotes).use(taskLists);
  // Only what is written as an address is a link; "notes.md" isn't.
  markdown.linkify.set({ fuzzyLink: false });
  return markdown.render(body);
}

/** Writes GitHub's `- [ ]` and `- [x]` as boxes: mail programs show no form fields. */
function taskLists(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.after("inline", "task_lists", ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      const [words] = children ?? [];
      if (words?.type !== "text" || tokens[index - 2]?.type !== "list_item_open") continue;
      words.content = words.content.replace(/^\[([ xX])\] /, (_, mark) =>
        mark === " " ? "\u2610 " : "\u2611 ",
      );
    }
  });
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
  if (source.otherwise) {
    const { publishDate } = source.otherwise;
    return { text: publishDate, from: "before", line: null, day: publishDate };
  }
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

type Heading = {
  text: string;
  line: number;
  /** Where the element stands in the source; null where it is never closed. */
  range: { from: number; to: number } | null;
  /** No visible word stands before it, and it holds words alone. */
  leads: boolean;
};

// Mails hide a preview line this way above everything else.
const hiddenStyle = /display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden/i;
const withoutWords = /^(?:script|style|svg|title|textarea|xmp|iframe|noscript)$/;

/** An HTML text's title element, and its first heading with words. */
function outlineHtml(html: string) {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const title = elementsBelow(document, new Set(["svg"])).find(
    (element) => element.tagName === "title" && textOf(element).trim() !== "",
  );
  let firstHeading: Heading | null = null;
  let wordsBefore = false;
  function visit(node: Node): void {
    if (firstHeading !== null) return;
    if (isText(node)) wordsBefore ||= node.value.trim() !== "";
    if (!isElement(node) || withoutWords.test(node.tagName)) return;
    if (
      node.attrs.some(
        ({ name, value }) => name === "hidden" || (name === "style" && hiddenStyle.test(value)),
      )
    )
      return;
    const text = /^h[1-6]$/.test(node.tagName) ? oneLine(wordsIn(node)) : "";
    if (text === "") {
      node.childNodes.forEach(visit);
      return;
    }
    const place = node.sourceCodeLocation;
    const range = place?.endTag ? { from: place.startOffset, to: place.endOffset } : null;
    const isPlain = !elementsBelow(node).some(({ tagName }) => /^(?:img|svg)$/.test(tagName));
    firstHeading = { text, line: place?.startLine ?? 1, range, leads: !wordsBefore && isPlain };
  }
  document.childNodes.forEach(visit);
  return {
    title: title && {
      text: oneLine(textOf(title)),
      line: title.sourceCodeLocation?.startLine ?? 1,
    },
    firstHeading: firstHeading as Heading | null,
  };
}

function wordsIn(node: Node): string {
  if (isText(node)) return node.value;
  if (!isElement(node)) return "";
  return node.tagName === "br" ? " " : node.childNodes.map(wordsIn).join("");
}

/** A value of the front matter with the line that it stands on, counted from 1. */
type FrontMatterValue = { text: string; line: number };

type FrontMatter = {
  title: FrontMatterValue | null;
  date: FrontMatterValue | null;
  /** The line that mail programs show beside the subject. */
  preheader: FrontMatterValue | null;
  /** Names that mean nothing here, in the order of the file. */
  unused: string[];
  /** What comes after the block. */
  body: string;
  /** Lines before the body. */
  bodyOffset: number;
};

type SplitResult =
  | { ok: true; frontMatter: FrontMatter }
  | { ok: false; line: number; message: string };

const nothing = { title: null, date: null, preheader: null };

/**
 * Blank lines before it are passed over: Markdown would make a heading of the block. Editors that improve dashes write
 * the fence as one or two long ones.
 */
const opening = /^(?:[ \t]*\n)*[ \t]{0,3}(---|\+\+\+|[\u2013\u2014]-?(?=\s*\n[\w-]+:))[ \t]*\n/;
const closings = {
  yaml: /^[ \t]{0,3}(?:---|\.\.\.|[\u2013\u2014]-?)[ \t]*(?:\n|$)/m,
  toml: /^\+\+\+[ \t]*(?:\n|$)/m,
};

/**
 * Takes the block between `---` lines (YAML) or `+++` lines (TOML) off the top of a file. A file without one comes back
 * whole.
 */
function splitFrontMatter(text: string): SplitResult {
  const open = opening.exec(text);
  if (!open) {
    return {
      ok: true,
      frontMatter: { ...nothing, unused: [], body: text, bodyOffset: 0 },
    };
  }
  const rest = text.slice(open[0].length);
  const openLine = lineBreaks(open[0]);
  const [, fence = ""] = open;
  const isToml = fence === "+++";
  const close = closings[isToml ? "toml" : "yaml"].exec(rest);
  if (!close) {
    return mistake(
      openLine,
      `the front matter opens here with ${fence} and is never closed with another ${fence}.`,
    );
  }
  const body = rest.slice(close.index + close[0].length);
  const bodyOffset = lineBreaks(text.slice(0, text.length - body.length));
  const block = rest.slice(0, close.index);
  return readYaml(isToml ? yamlOf(block) : block, openLine, { body, bodyOffset });
}

/** The names at the top of a TOML block, whose values YAML reads alike; its tables mean nothing here. */
function yamlOf(toml: string): string {
  return toml.replace(/^[ \t]*\[[\s\S]*/m, "").replace(/^([\w-]+)[ \t]*=[ \t]*/gm, "$1: ");
}

function readYaml(
  yaml: string,
  openLine: number,
  rest: Pick<FrontMatter, "body" | "bodyOffset">,
): SplitResult {
  const lines = new LineCounter();
  // The lines up to the opening --- are put back, so that lines count as in the file.
  const text = "\n".repeat(openLine) + yaml.replace(/^([\w-]+:)\u00a0/gm, "$1 ");
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    const [, name, value] =
      /^([\w-]+): +([^"'].*: .*)$/.exec(text.split("\n")[line - 1] ?? "") ?? [];
    return mistake(
      line,
      name
        ? `front matter: a value with a colon needs quotation marks, as in ${name}: ${JSON.stringify(value)}.`
        : `front matter: ${error.message}.`,
    );
  }

  const frontMatter: FrontMatter = { ...nothing, unused: [], ...rest };
  if (document.contents === null) return { ok: true, frontMatter };
  if (!isMap(document.contents)) {
    return mistake(
      openLine + 1,
      "the front matter must be lines such as title: Five quotes before lunch.",
    );
  }
  for (const { key, value } of document.contents.items) {
    const written = isScalar(key) ? String(key.value) : String(key);
    const name = written.toLowerCase();
    if (name === "draft" && isScalar(value) && value.value === true) {
      const { line } = lines.linePos(value.range?.[0] ?? 0);
      return mistake(line, "it says draft: true. Take that out to publish it.");
    }
    if (name !== "title" && name !== "date" && name !== "preheader") {
      frontMatter.unused.push(written);
      continue;
    }
    const node = isScalar(value) ? value : null;
    const start = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    const line = lines.linePos(node?.range?.[0] ?? start).line;
    if (node === null) return mistake(line, `${name} must be a text on one line.`);
    // The source, so that `title: 2026` and `title: no` stay what was written.
    const text = typeof node.value === "string" ? node.value : (node.source ?? "");
    if (text.trim() !== "" && node.value !== null) frontMatter[name] = { text, line };
  }
  return { ok: true, frontMatter };
}

function lineBreaks(text: string): number {
  return text.split("\n").length - 1;
}

function mistake(line: number, message: string): SplitResult {
  return { ok: false, line, message };
}
