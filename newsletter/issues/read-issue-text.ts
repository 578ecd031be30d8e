import { parse } from "parse5";
import { number } from "#content/amounts.ts";
import { torontoDate } from "#content/toronto-time.ts";
import {
  type AddressPlace,
  type Element,
  elementsBelow,
  isNestedTooDeep,
  maxNesting,
  textOf,
  withAddresses,
} from "#issue-body/body-tree.ts";
import { createMarkdown } from "#issue-body/create-markdown.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import type { RemovedItem } from "#issue-body/sanitise-body.ts";
import { calendarDate, isPublishDate } from "../text-files.ts";
import { type IssueWords, issueBodyMaxLength, issueTitleMaxLength } from "./issues.ts";

type IssueText = {
  text: string;
  format: "html" | "markdown";
  title?: string;
  date?: string;
  otherwise?: { title?: string; publishDate: string };
  now: Date;
  addressOf?: (place: AddressPlace) => string | null;
};

export type ReadIssue = {
  words: IssueWords & { preheader: string | null };
  /** The first heading only said the title again. */
  dropsHeading: boolean;
  unusedNames: string[];
  removed: RemovedItem[];
};

const controls = /[\u0000-\u001f\u007f-\u009f]/;

/** Makes an issue of a text, or lists every problem in sentences. */
export function readIssueText(
  source: IssueText,
): { ok: true; issue: ReadIssue } | { ok: false; problems: string[] } {
  const { found, unusedNames, body, problem } = splitFrontMatter(
    source.text.replace(/\r\n?/g, "\n"),
  );
  if (problem !== undefined) return { ok: false, problems: [problem] };
  if (body.trim() === "") {
    return { ok: false, problems: ["The body is empty, so there is nothing to publish."] };
  }
  const rendered = source.format === "html" ? body : createMarkdown().render(body);
  if (isNestedTooDeep(rendered)) {
    const limit = `the limit of ${maxNesting} elements`;
    return { ok: false, problems: [`The body is nested deeper than ${limit}.`] };
  }
  const html = source.addressOf ? withAddresses(rendered, source.addressOf) : rendered;
  const elements = elementsBelow(
    parse(html, { sourceCodeLocationInfo: true }),
    new Set(["svg"]),
  ).filter((element) => textOf(element).trim() !== "");
  const heading = elements.find(({ tagName }) => /^h[1-6]$/.test(tagName));

  const problems: string[] = [];
  const date = source.date ?? found.date;
  const publishDate = date
    ? calendarDate(date)
    : (source.otherwise?.publishDate ?? torontoDate(source.now));
  if (publishDate === null) {
    problems.push(`Date "${date}" is not a calendar date; write it as YYYY-MM-DD.`);
  } else if (date && !isPublishDate(publishDate)) {
    problems.push(`Date "${date}" is before 1990, so its year is most likely mistyped.`);
  }
  if (html.length > issueBodyMaxLength) {
    const limit = `the limit of ${number(issueBodyMaxLength)} characters`;
    problems.push(`The body is longer than ${limit}.`);
  }
  const title =
    [
      source.title ?? "",
      found.title ?? "",
      wordsOf(elements.find(({ tagName }) => tagName === "title")),
      wordsOf(heading),
    ]
      .map(oneLine)
      .find(Boolean) ??
    source.otherwise?.title ??
    "";
  if (title === "") problems.push("It has no title.");
  if (title.length > issueTitleMaxLength) {
    problems.push(`The title has ${title.length} characters; the limit is ${issueTitleMaxLength}.`);
  } else if (controls.test(title)) problems.push("The title holds control characters.");
  if (problems.length > 0 || publishDate === null) return { ok: false, problems };

  const rest = heading ? withoutTitle(html, heading, title) : html;
  const stored = rest.trim();
  const { removed, ...shown } = prepareIssueBody(stored);
  if (isEmpty(shown)) {
    const problem = "The page would show an empty body: there are no words and no pictures in it.";
    return { ok: false, problems: [problem] };
  }
  const preheader = oneLine(found.preheader ?? "") || null;
  const words = { title, html: stored, publishDate, preheader };
  return { ok: true, issue: { words, dropsHeading: rest !== html, unusedNames, removed } };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function wordsOf(element: Element | undefined): string {
  if (!element) return "";
  return element.childNodes.map((node) => (node.nodeName === "br" ? " " : textOf(node))).join("");
}

/** A body without its first heading, if that says only the title and nothing is shown before it. */
function withoutTitle(html: string, heading: Element, title: string): string {
  const same = (text: string) => oneLine(text).normalize("NFC").toLocaleLowerCase("en-CA");
  const { startOffset, endOffset, endTag } = heading.sourceCodeLocation ?? {};
  if (!endTag || same(wordsOf(heading)) !== same(title)) return html;
  const isPlain = !elementsBelow(heading).some(({ tagName }) => /^(?:img|svg)$/.test(tagName));
  const before = html.slice(0, startOffset);
  if (!isPlain || !isEmpty(prepareIssueBody(before))) return html;
  return before + html.slice(endOffset);
}

function isEmpty({ plainText, html }: { plainText: string; html: string }): boolean {
  return plainText.trim() === "" && !/<img\b/i.test(html);
}

type FrontMatter = Partial<Record<"title" | "date" | "preheader", string>>;

type Split = { found: FrontMatter; unusedNames: string[]; body: string; problem?: string };

/** Splits off the lines `name: value` between two lines `---` at the beginning. Other YAML there is left out. */
function splitFrontMatter(text: string): Split {
  const [opening] = /^\s*---[ \t]*\n/.exec(text) ?? [];
  if (opening === undefined) return { found: {}, unusedNames: [], body: text };
  const rest = text.slice(opening.length);
  const closing = /^---[ \t]*(?:\n|$)/m.exec(rest);
  const split: Split = { found: {}, unusedNames: [], body: "" };
  if (!closing) {
    const problem = "The front matter opens with --- and is never closed with another ---.";
    return { ...split, problem };
  }
  const lines = rest.slice(0, closing.index).matchAll(/^([\w-]+):[ \t\u00a0]*(.*)$/gm);
  for (const [, name = "", value = ""] of lines) {
    const known = name.toLowerCase();
    if (known === "draft" && value.trim() === "true")
      split.problem = "It says draft: true. Take that out to publish it.";
    else if (known === "title" || known === "date" || known === "preheader")
      split.found[known] = unquoted(value.trim());
    else split.unusedNames.push(name);
  }
  return { ...split, body: rest.slice(closing.index + closing[0].length) };
}

function unquoted(value: string): string {
  const [, quote, quoted] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (quoted === undefined) return value;
  return quote === "'" ? quoted.replaceAll("''", "'") : quoted.replace(/\\(["\\])/g, "$1");
}
