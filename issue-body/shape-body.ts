import { allowedAttributes, allowedTags, flags, idPrefix } from "./allowed-markup.ts";
import {
  type Element,
  elementsBelow,
  type Fragment,
  getAttribute,
  isBlank,
  isElement,
  isText,
  type Node,
  removeNode,
  seenText,
  setAttribute,
  textOf,
  withoutEmptyCharacters,
} from "./body-tree.ts";
import { makeColoursReadable, trimCanvas } from "./colours.ts";
import { parseWrittenStyle } from "./inline-style.ts";
import { fallbackOf, replaceMergeTags } from "./merge-tags.ts";
import type { RemovalReport } from "./sanitise-body.ts";
import { shapeTables } from "./shape-tables.ts";

const tags = new Set(allowedTags);

/**
 * Shapes a sanitised body for the page, in place: removes hidden text and tracking pixels, moves headings below the
 * page's h1, makes ids unique, tells data tables from layout, and fixes unreadable colours. Shaping twice changes
 * nothing.
 */
export function shapeBody(body: Fragment, report: RemovalReport): void {
  cleanBody(body, report);
  shiftHeadings(body);
  keepFirstOfEachId(body);
  trimCanvas(body);
  makeColoursReadable(body);
  shapeTables(body);
}

/** Removes hidden text, tracking pixels and merge tags, for page and mail. */
export function cleanBody(body: Fragment, report: RemovalReport): void {
  dropWhatIsNotAllowed(body);
  dropHidden(body, report);
  dropMergeTags(body, report);
}

// The sanitiser did this; the browser's tree is checked once more.
function dropWhatIsNotAllowed(parent: Fragment | Element): void {
  for (const node of [...parent.childNodes]) {
    if (isText(node)) continue;
    if (!isElement(node) || !tags.has(node.tagName)) {
      removeNode(node);
      continue;
    }
    node.attrs = node.attrs.filter(
      ({ name }) =>
        allowedAttributes["*"]?.includes(name) || allowedAttributes[node.tagName]?.includes(name),
    );
    dropWhatIsNotAllowed(node);
  }
}

// A picture with a refused address goes too, since its frame would be empty.
function dropHidden(body: Fragment, report: RemovalReport): void {
  for (const element of elementsBelow(body)) {
    if (element.tagName === "img" && getAttribute(element, "src") === undefined) {
      removeNode(element);
    } else if (getAttribute(element, flags.pixel) !== undefined) {
      report.add("tracking pixel");
      removeNode(element);
    } else if (getAttribute(element, flags.hidden) !== undefined) {
      if (!isBlank(textOf(element))) report.add("hidden text");
      removeNode(element);
    } else if (getAttribute(element, flags.tiny) !== undefined && showsNothing(element)) {
      if (!isBlank(textOf(element))) report.add("hidden text");
      element.childNodes = [];
    }
    for (const flag of Object.values(flags)) setAttribute(element, flag, null);
  }
}

// Layouts set size 0 on a cell to close its gaps, and a real size on its content.
function showsNothing(element: Element): boolean {
  return elementsBelow(element).every(
    (inner) =>
      inner.tagName !== "img" &&
      inner.tagName !== "hr" &&
      !parseWrittenStyle(getAttribute(inner, "style") ?? "").has("font-size"),
  );
}

const tagOpening = /[*{%<[]/;

/** Code examples may show merge tags. */
function dropMergeTags(parent: Fragment | Element, report: RemovalReport): void {
  for (const node of parent.childNodes) {
    if (isElement(node)) {
      if (node.tagName !== "pre" && node.tagName !== "code") dropMergeTags(node, report);
    } else if (isText(node)) {
      node.value = withoutEmptyCharacters(node.value);
      if (!tagOpening.test(node.value)) continue;
      node.value = replaceMergeTags(node.value, (name, tag) => {
        report.add(`merge tag ${tag}`);
        return fallbackOf(name);
      });
    }
  }
}

function shiftHeadings(body: Fragment): void {
  const headings = elementsBelow(body).filter(({ tagName }) => /^h[1-6]$/.test(tagName));
  if (!headings.some(({ tagName }) => tagName === "h1")) return;
  for (const heading of headings) {
    const level = Math.min(6, Number(heading.tagName[1]) + 1);
    heading.tagName = `h${level}`;
    heading.nodeName = heading.tagName;
  }
}

function keepFirstOfEachId(body: Fragment): void {
  const seen = new Set<string>();
  for (const element of elementsBelow(body)) {
    const id = getAttribute(element, "id");
    if (id === undefined) continue;
    if (seen.has(id) || !id.startsWith(idPrefix)) setAttribute(element, "id", null);
    seen.add(id);
  }
}

const blocks = new Set(
  "address blockquote br caption dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section table td th tr ul".split(
    " ",
  ),
);

/** Visible words, one block a line. */
export function plainTextOf(body: Fragment): string {
  const lines: string[] = [""];
  function write(node: Node): void {
    if (isText(node)) lines[lines.length - 1] += node.value;
    if (!isElement(node)) return;
    if (blocks.has(node.tagName)) lines.push("");
    for (const child of node.childNodes) write(child);
    if (blocks.has(node.tagName)) lines.push("");
  }
  for (const node of body.childNodes) write(node);
  return lines
    .map(seenText)
    .filter((line) => line !== "")
    .join("\n");
}
