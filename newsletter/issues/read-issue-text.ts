import { parse } from "parse5";
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { torontoDate } from "#content/toronto-time.ts";
import {
  type AddressPlace,
  elementsBelow,
  isElement,
  isNestedTooDeep,
  isText,
  maxNesting,
  type Node,
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
  droppedHeading: string | null;
  unusedNames: string[];
  removed: RemovedItem[];
};

export type TextProblem =
  | { reason: "front_matter"; line: number; message: string }
  | { reason: "no_date" | "early_date"; line: number | null; text: string }
  | { reason: "empty_body" | "no_title" | "nothing_shown" }
  | { reason: "long_body" | "deep_body"; limit: number }
  | { reason: "long_title"; line: number | null; length: number; limit: number }
  | { reason: "controls_in_title"; line: number | null };

type Found = { line: number | null; text: string };

const controls = /[\u0000-\u001f\u007f-\u009f]/;

/** Makes an issue of a text. Lists every problem with its line. */
export function readIssueText(
  source: IssueText,
): { ok: true; issue: ReadIssue } | { ok: false; problems: TextProblem[] } {
  const split = splitFrontMatter(source.text.replace(/\r\n?/g, "\n"));
  if ("message" in split) {
    return { ok: false, problems: [{ reason: "front_matter", ...split }] };
  }
  const { body, bodyOffset, unused } = split;
  const rendered = toHtml(body, source.format);
  if (isNestedTooDeep(rendered)) {
    return { ok: false, problems: [{ reason: "deep_body", limit: maxNesting }] };
  }
  const html = source.addressOf ? withAddresses(rendered, source.addressOf) : rendered;
  const { title: titleElement, firstHeading } = outlineHtml(html);
  // Markdown's HTML has other lines than the text.
  const inBody = (found: { text: string; line: number } | null | undefined): Found | null =>
    found
      ? { text: found.text, line: source.format === "html" ? found.line + bodyOffset : null }
      : null;

  const problems: TextProblem[] = [];
  const date: Found | undefined =
    source.date === undefined ? split.date : { text: source.date, line: null };
  const otherDay = source.otherwise?.publishDate ?? torontoDate(source.now);
  const publishDate = date ? calendarDate(date.text) : otherDay;
  if (date && (publishDate === null || !isPublishDate(publishDate))) {
    problems.push({ reason: publishDate === null ? "no_date" : "early_date", ...date });
  }
  if (body.trim() === "") {
    problems.push({ reason: "empty_body" });
    return { ok: false, problems };
  }
  if (html.length > issueBodyMaxLength) {
    problems.push({ reason: "long_body", limit: issueBodyMaxLength });
  }
  const given = source.title?.trim() ?? "";
  const title: Found | null =
    (given ? { text: oneLine(given), line: null } : null) ??
    (split.title && { ...split.title, text: oneLine(split.title.text) }) ??
    inBody(titleElement) ??
    inBody(firstHeading) ??
    (source.otherwise?.title ? { text: source.otherwise.title, line: null } : null);
  if (!title) problems.push({ reason: "no_title" });
  else if (title.text.length > issueTitleMaxLength) {
    const { line, text } = title;
    const { length } = text;
    problems.push({ reason: "long_title", line, length, limit: issueTitleMaxLength });
  } else if (controls.test(title.text)) {
    problems.push({ reason: "controls_in_title", line: title.line });
  }
  if (problems.length > 0 || !title || publishDate === null) {
    return { ok: false, problems };
  }

  const dropped = duplicateHeading(firstHeading, title.text);
  const stored = (dropped ? html.slice(0, dropped.from) + html.slice(dropped.to) : html).trim();
  const { plainText, html: shown, removed } = prepareIssueBody(stored);
  if (plainText.trim() === "" && !/<img\b/i.test(shown)) {
    return { ok: false, problems: [{ reason: "nothing_shown" }] };
  }
  const preheader = split.preheader ? oneLine(split.preheader.text) : null;
  return {
    ok: true,
    issue: {
      words: { title: title.text, html: stored, publishDate, preheader },
      droppedHeading: dropped ? (firstHeading?.text ?? null) : null,
      unusedNames: unused,
      removed,
    },
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function toHtml(body: string, format: IssueText["format"]): string {
  return format === "html" ? body : createMarkdown().render(body);
}

function duplicateHeading(heading: Heading | null, title: string): Heading["range"] {
  if (!heading?.leads || heading.range === null) return null;
  const same = (text: string) => oneLine(text).normalize("NFC").toLocaleLowerCase("en-CA");
  return same(heading.text) === same(title) ? heading.range : null;
}

type Heading = {
  text: string;
  line: number;
  range: { from: number; to: number } | null;
  leads: boolean;
};

// Mails hide a preview line this way above everything else.
const hiddenStyle = /display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden/i;
const withoutWords = /^(?:script|style|svg|title|textarea|xmp|iframe|noscript)$/;

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

type FrontMatter = Partial<Record<"title" | "date" | "preheader", Found>> & { unused: string[] };

type Mistake = { line: number; message: string };

/** Skips blank lines. Some editors turn the fence into dashes. */
const opening = /^(?:[ \t]*\n)*[ \t]{0,3}(---|\+\+\+|[\u2013\u2014]-?(?=\s*\n[\w-]+:))[ \t]*\n/;
const closings = {
  yaml: /^[ \t]{0,3}(?:---|\.\.\.|[\u2013\u2014]-?)[ \t]*(?:\n|$)/m,
  toml: /^\+\+\+[ \t]*(?:\n|$)/m,
};

/** Splits YAML or TOML front matter off. `bodyOffset` is the number of lines before the body. */
function splitFrontMatter(text: string) {
  const [open = "", fence] = opening.exec(text) ?? [];
  if (fence === undefined) return { unused: [], body: text, bodyOffset: 0 };
  const rest = text.slice(open.length);
  const openLine = lineBreaks(open);
  const isToml = fence === "+++";
  const close = closings[isToml ? "toml" : "yaml"].exec(rest);
  if (!close) {
    const message = `the front matter opens here with ${fence} and is never closed with another ${fence}.`;
    return { line: openLine, message };
  }
  const block = rest.slice(0, close.index);
  const body = rest.slice(close.index + close[0].length);
  const bodyOffset = lineBreaks(text.slice(0, text.length - body.length));
  const read = readYaml(isToml ? yamlOf(block) : block, openLine);
  return "message" in read ? read : { ...read, body, bodyOffset };
}

/** YAML reads TOML's top-level values alike. */
function yamlOf(toml: string): string {
  return toml.replace(/^[ \t]*\[[\s\S]*/m, "").replace(/^([\w-]+)[ \t]*=[ \t]*/gm, "$1: ");
}

function readYaml(yaml: string, openLine: number): FrontMatter | Mistake {
  const lines = new LineCounter();
  // Keeps line numbers as in the file.
  const text = "\n".repeat(openLine) + yaml.replace(/^([\w-]+:)\u00a0/gm, "$1 ");
  const lineAt = (offset = 0) => lines.linePos(offset).line;
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const line = lineAt(error.pos[0]);
    const [, name, value] =
      /^([\w-]+): +([^"'].*: .*)$/.exec(text.split("\n")[line - 1] ?? "") ?? [];
    const colon = `a value with a colon needs quotation marks, as in ${name}: ${JSON.stringify(value)}`;
    return { line, message: `front matter: ${name ? colon : error.message}.` };
  }
  const found: FrontMatter = { unused: [] };
  if (document.contents === null) return found;
  if (!isMap(document.contents)) {
    const message = "the front matter must be lines such as title: Five quotes before lunch.";
    return { line: openLine + 1, message };
  }
  for (const { key, value } of document.contents.items) {
    const written = isScalar(key) ? String(key.value) : String(key);
    const name = written.toLowerCase();
    const node = isScalar(value) ? value : null;
    const line = lineAt(node?.range?.[0] ?? (isScalar(key) ? key.range?.[0] : 0));
    if (name === "draft" && node?.value === true) {
      return { line, message: "it says draft: true. Take that out to publish it." };
    }
    if (name !== "title" && name !== "date" && name !== "preheader") found.unused.push(written);
    else if (node === null) return { line, message: `${name} must be a text on one line.` };
    else {
      // The source, so that `title: 2026` and `title: no` stay as written.
      const words = typeof node.value === "string" ? node.value : (node.source ?? "");
      if (words.trim() !== "" && node.value !== null) {
        found[name] = { text: words, line };
      }
    }
  }
  return found;
}

function lineBreaks(text: string): number {
  return text.split("\n").length - 1;
}
