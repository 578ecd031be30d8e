import { createHash } from "node:crypto";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { analyticsScript } from "./analytics-tag.ts";
import { contentSecurityPolicy, type InlineHashes } from "./content-security-policy.ts";
import { type DocumentPart, type PageElement, readDocument } from "./read-document.ts";
import type { ReadStyles } from "./read-styles.ts";
import { startAfterPaint } from "./start-after-paint.ts";

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
 * Makes of a rendered page the one that is sent. The page is read once and written once; of a built page, its scripts
 * are asked for after its first paint and its styles are inline.
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
    parts = withLateScripts(parts, expect);
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
 * Lets a page be painted before its scripts are asked for, so that on a slow line they don't hold back the words and the
 * fonts. Nothing on a page needs them to be read.
 *
 * What the page's scripts say moves into the last of them, in order, so that the page's policy needs one hash and not
 * five. The others stay, empty, where the router expects them when it takes over the page.
 */
function withLateScripts(parts: DocumentPart[], expect: Expect): DocumentPart[] {
  const elements = elementsOf(parts);
  const start = elements.find(isStart);
  const preloads = elements.filter(isPreload);
  const files = preloads.map(({ attributes }) => attributes.get("href") ?? "");
  const late = start ? startAfterPaint(start.content, files) : null;
  expect(start !== undefined, "There is no module script that starts the router in the browser.");
  expect(
    start === undefined || late !== null,
    "The module script that starts the router holds something else than whole imports and statements.",
  );
  expect(preloads.length > 0, "There is no link that preloads a module.");
  if (!start || late === null) return parts;
  const scripts = elements.filter((element) => element === start || isPlainScript(element));
  const codes = scripts.map((element) => (element === start ? late : element.content));
  const all = codes.filter(Boolean).map(withoutIndents).join("\n;");
  const last = scripts.findLast(({ content }) => content !== "");
  return parts.flatMap((part): DocumentPart[] => {
    if (typeof part === "string") return [part];
    if (isPreload(part)) return [];
    if (!scripts.includes(part)) return [part];
    const startTag = part === start ? "<script>" : part.startTag;
    return [{ ...part, startTag, content: part === last ? all : "" }];
  });
}

function isStart({ name, attributes, isNonced }: PageElement): boolean {
  return name === "script" && isNonced && attributes.get("type") === "module";
}

function isPlainScript({ name, attributes, isNonced }: PageElement): boolean {
  return name === "script" && isNonced && attributes.size === 0;
}

function isPreload({ name, attributes }: PageElement): boolean {
  return (
    name === "link" &&
    attributes.get("rel") === "modulepreload" &&
    /^\/assets\/[\w.-]+\.js$/.test(attributes.get("href") ?? "")
  );
}

/** The router's own scripts are indented as in its sources; lines stay lines. */
function withoutIndents(code: string): string {
  return code.trim().replace(/\n[\t ]+/g, "\n");
}

/**
 * Puts a page's styles into its HTML, so that the first flight of bytes paints it. The links stay where the router
 * expects them when it takes over the page, but disabled, so that they are neither fetched nor waited for; pages opened
 * later by script bring their own.
 *
 * All the styles become one element, where the first link stood. What the page's parts brought themselves, with a
 * precedence, comes last, as it does where a browser fetches it: the order of layers is the page's. A link that stands in
 * the body stays one (`app/ui/late-styles.tsx`).
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
