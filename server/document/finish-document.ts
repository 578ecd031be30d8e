import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { SiteSettings } from "#contracts/site-settings.ts";
import {
  analyticsScript,
  contentSecurityPolicy,
  type InlineHashes,
} from "./content-security-policy.ts";

/** Gives the styles of a built file's address; null where there is no such file. */
export type ReadStyles = (href: string) => string | null;

type DocumentFacts = {
  settings: SiteSettings;
  /** What the site's own code has put on everything that it wrote inline. */
  nonce: string;
  showsIssueBody: boolean;
  /** Null where pages come from sources: scripts and styles then stay as they are. */
  readStyles: ReadStyles | null;
};

type FinishedDocument = {
  html: string;
  /** Its content security policy. */
  policy: string;
  /** What the framework wrote otherwise than it is read here, in sentences. Such parts are sent as they are. */
  unexpected: string[];
};

/**
 * Makes the page that is sent of a rendered one: hashes in place of the nonce, and in a built page its styles inline. The
 * page is read once and written once.
 */
export function finishDocument(
  rendered: string,
  { settings, nonce, showsIssueBody, readStyles }: DocumentFacts,
): FinishedDocument {
  const unexpected: string[] = [];
  const expect: Expect = (isSo, sentence) => {
    if (!isSo) unexpected.push(sentence);
  };
  let parts = readDocument(rendered, nonce);
  expect(!elementsOf(parts).some(isRefused), "A script or style stands inline without the nonce.");
  // The answer to a question for the status alone is empty.
  if (readStyles && rendered !== "") {
    parts = withInlineStyles(parts, readStyles, expect);
  }
  if (settings.analytics) parts = withScript(parts, analyticsScript(settings.analytics));
  return {
    html: parts.map(write).join(""),
    policy: contentSecurityPolicy({
      settings,
      stylesComeByScript: readStyles === null,
      showsIssueBody,
      hashes: hashInline(parts),
    }),
    unexpected,
  };
}

const headEnd = "</head>";

/** The part in which the head ends. */
function indexOfHeadEnd(parts: DocumentPart[]): number {
  return parts.findIndex((part) => typeof part === "string" && part.includes(headEnd));
}

type Expect = (isSo: boolean, sentence: string) => void;

function write(part: DocumentPart): string {
  return typeof part === "string" ? part : part.startTag + part.content;
}

function elementsOf(parts: DocumentPart[]): PageElement[] {
  return parts.filter((part) => typeof part !== "string");
}

/**
 * Puts the styles of the head into the page as one element, so that nothing is fetched before it is painted. The links
 * stay where the router expects them when it takes over the page, but disabled. Styles that parts of the page brought,
 * with a precedence, come last, as where a browser fetches them. A link in the body stays one.
 */
function withInlineStyles(
  parts: DocumentPart[],
  readStyles: ReadStyles,
  expect: Expect,
): DocumentPart[] {
  const links = elementsOf(parts.slice(0, indexOfHeadEnd(parts))).filter(isStylesheet);
  const isPart = ({ attributes }: PageElement) => attributes.has("data-precedence");
  const inOrder = [...links.filter((link) => !isPart(link)), ...links.filter(isPart)];
  const sheets = inOrder.map(({ attributes }) => readStyles(attributes.get("href") ?? ""));
  expect(links.length > 0, "There is no link to a stylesheet of the build.");
  expect(!sheets.includes(null), "A stylesheet's link leads to no file of the build.");
  const arePlain = links.every((link) => link.attributes.size === (isPart(link) ? 3 : 2));
  expect(arePlain, "A stylesheet's link says more than rel, href and data-precedence.");
  if (sheets.includes(null) || !arePlain) return parts;
  const css = sheets.join("").replaceAll("</", "<\\/");
  return parts.flatMap((part): DocumentPart[] => {
    if (typeof part === "string" || !links.includes(part)) return [part];
    const link = { ...part, startTag: part.startTag.replace(/\/>$/, ' disabled=""/>') };
    return part === links[0] ? [styleElement(css), "</style>", link] : [link];
  });
}

/** One of the build that a page is shown with; a provider's is none, nor is what only paper and the largest letters need. */
function isStylesheet({ name, attributes }: PageElement): boolean {
  return (
    name === "link" &&
    attributes.get("rel") === "stylesheet" &&
    !attributes.get("media")?.startsWith("print") &&
    /^\/assets\/[\w.-]+\.css$/.test(attributes.get("href") ?? "")
  );
}

function styleElement(content: string): PageElement {
  return { name: "style", attributes: new Map(), isNonced: true, startTag: "<style>", content };
}

/** At the end of the head, where React passes over what it hasn't written; a page without one stays as it is. */
function withScript(parts: DocumentPart[], content: string): DocumentPart[] {
  const script: PageElement = {
    name: "script",
    attributes: new Map(),
    isNonced: true,
    startTag: "<script>",
    content,
  };
  const at = indexOfHeadEnd(parts);
  const part = parts[at];
  if (typeof part !== "string") return parts;
  const end = part.indexOf(headEnd);
  return parts.toSpliced(at, 1, part.slice(0, end), script, "</script>", part.slice(end));
}

/** What a browser would run or apply, and won't by this page's policy. */
function isRefused({ name, attributes, isNonced, content }: PageElement): boolean {
  const isCode = name === "script" && !attributes.get("type")?.endsWith("json");
  return !isNonced && content !== "" && (isCode || name === "style");
}

/** Of what the site's own code wrote inline. A script with an address is allowed by it, and an empty one does nothing. */
function hashInline(parts: DocumentPart[]): InlineHashes {
  const hashes: InlineHashes = { scripts: new Set(), styles: new Set() };
  for (const { name, attributes, isNonced, content } of elementsOf(parts)) {
    if (!isNonced || content === "" || attributes.has("src")) continue;
    const hash = `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    if (name === "script") hashes.scripts.add(hash);
    if (name === "style") hashes.styles.add(hash);
  }
  return hashes;
}

/** A script, style or link, or another element that carries the nonce. */
type PageElement = {
  name: string;
  /** As they are written, without the nonce. */
  attributes: ReadonlyMap<string, string>;
  /** Whether the site's own code wrote it: it carries the nonce. */
  isNonced: boolean;
  /** As it is written, without the nonce. */
  startTag: string;
  /** What stands in a script or a style, as it is written; of other elements nothing. */
  content: string;
};

/** A rendered page in its order: elements that may matter, and all between them as it is written. */
type DocumentPart = string | PageElement;

const elementNames = new Set(["script", "style", "link"]);

/** What a browser reads as text up to its own end tag. A tag in there is none. */
const textNames = new Set(["script", "style", "title", "textarea"]);

/** A comment's beginning, or a start tag as React and the sanitiser of issues write it: values in double quotes. */
const token = /<(?:!--|([a-z][\w-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*\/?>)/gi;
const attribute = /([^\s"'<>/=]+)(?:="([^"]*)")?/g;

/**
 * Reads a page once. Put together again, the parts are the page without nonces. Not by an HTML parser: that takes five
 * times as long, and a page that is made for one visitor is read in the visitor's time. A tag that is written in another
 * way is left as it is, and without a hash nothing runs.
 */
function readDocument(html: string, nonce: string): DocumentPart[] {
  const nonceAttribute = ` nonce="${nonce}"`;
  const parts: DocumentPart[] = [];
  let readTo = 0;
  function takeUpTo(end: number): string {
    const text = html.slice(readTo, end);
    readTo = end;
    return text;
  }

  token.lastIndex = 0;
  for (let found = token.exec(html); found; found = token.exec(html)) {
    const [written, name = "", attributes = ""] = found;
    const contentStart = token.lastIndex;
    const end = name === "" ? "-->" : `</${name}`;
    if (name === "" || textNames.has(name)) token.lastIndex = indexOrEnd(html, end, contentStart);
    const isNonced = attributes.includes(nonceAttribute);
    if (!isNonced && !elementNames.has(name)) continue;
    parts.push(takeUpTo(found.index));
    readTo = contentStart;
    parts.push({
      name,
      isNonced,
      attributes: readAttributes(attributes.replace(nonceAttribute, "")),
      startTag: written.replace(nonceAttribute, ""),
      content: takeUpTo(token.lastIndex),
    });
  }
  parts.push(takeUpTo(html.length));
  return parts;
}

function indexOrEnd(html: string, searched: string, from: number): number {
  const index = html.indexOf(searched, from);
  return index === -1 ? html.length : index;
}

function readAttributes(written: string): Map<string, string> {
  return new Map(
    [...written.matchAll(attribute)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Gives a reader of the built site's styles, each of which is read once. */
export function createStylesReader(clientDirectory: string): ReadStyles {
  const sheets = new Map<string, string>();
  return (href) => {
    const known = sheets.get(href);
    if (known !== undefined) return known;
    const file = path.join(clientDirectory, href);
    if (!existsSync(file)) return null;
    const css = readFileSync(file, "utf8").trim();
    sheets.set(href, css);
    return css;
  };
}
