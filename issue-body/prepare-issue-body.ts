import {
  childElements,
  createElement,
  type Element,
  elementsBelow,
  type Fragment,
  getAttribute,
  idPrefix,
  isBlank,
  isElement,
  isEmptyElement,
  isText,
  type Node,
  parseBody,
  removeNode,
  seenText,
  setAttribute,
  textOf,
  withoutEmptyCharacters,
  wrapElement,
  writeBody,
} from "./body-tree.ts";
import { mailGround, makeColoursReadable, styleOf, trimCanvas } from "./inline-style.ts";
import { fallbackOf, replaceMergeTags } from "./merge-tags.ts";
import {
  flags,
  isAllowedTag,
  mayHave,
  type RemovalReport,
  type RemovedItem,
  sanitiseBody,
  startRemovalReport,
  takeBody,
} from "./sanitise-body.ts";

/** `html` goes inside an element of class `issue-body`. */
export type PreparedBody = {
  html: string;
  removed: RemovedItem[];
  /** One block a line. */
  plainText: string;
};

/**
 * Until a browser reads it unchanged, so that each end tag closes an element of the body. Two are
 * normally enough.
 */
const maxRounds = 4;

/**
 * Makes a stored body (HTML, despite the column's name) safe inside a page (specification, section
 * 5). Idempotent; never throws; linear in the length. An uncontainable body becomes plain
 * paragraphs, which the report says.
 */
export function prepareIssueBody(contentMarkdown: string): PreparedBody {
  const report = startRemovalReport();
  const safe = sanitiseBody(takeBody(contentMarkdown, report), report);
  const settled = settle(safe, report);
  if (settled !== null) return { ...settled, removed: report.items() };
  report.add("all markup, since it can't be kept inside the page");
  return { ...shownBodyOf(safe), removed: report.items() };
}

function shownBodyOf(safe: string): Pick<PreparedBody, "html" | "plainText"> {
  const lines = safe.split(/<[^>]*>/).filter((line) => !isBlank(line));
  const body = parseBody(lines.map((line) => `<p>${line}</p>`).join(""));
  return { html: writeBody(body), plainText: plainTextOf(body) };
}

function settle(safe: string, report: ReturnType<typeof startRemovalReport>) {
  let html = safe;
  for (let round = 0; round < maxRounds; round += 1) {
    const body = parseBody(html);
    shapeBody(body, round === 0 ? report : startRemovalReport());
    const shaped = writeBody(body);
    if (shaped === html) return { html, plainText: plainTextOf(body) };
    html = shaped;
  }
  return null;
}

/** Mail programs don't know them. */
const pageAttributes = ["loading", "decoding", "referrerpolicy", "target", "rel"];

/**
 * Prepares an issue for mail. Keeps its layout, and recolours words that are unreadable on
 * `canvas`.
 */
export function prepareMailBody(
  contentMarkdown: string,
  { canvas, accent }: { canvas: string; accent: string },
) {
  const report = startRemovalReport();
  const body = parseBody(sanitiseBody(takeBody(contentMarkdown, report), report));
  cleanBody(body, report);
  shapeTables(body, { scroll: false });
  for (const element of elementsBelow(body)) {
    for (const name of pageAttributes) setAttribute(element, name, null);
  }
  const recoloured = makeColoursReadable(body, mailGround(canvas, accent));
  return { body, recoloured, removed: report.items(), plainText: plainTextOf(body) };
}

/** Shapes a sanitised body for the page, in place: headings, ids, tables, colours. Idempotent. */
function shapeBody(body: Fragment, report: RemovalReport): void {
  cleanBody(body, report);
  shiftHeadings(body);
  keepFirstOfEachId(body);
  trimCanvas(body);
  makeColoursReadable(body);
  shapeTables(body, { scroll: true });
}

function cleanBody(body: Fragment, report: RemovalReport): void {
  dropWhatIsNotAllowed(body);
  dropHidden(body, report);
  dropMergeTags(body, report);
}

// Checks the browser's tree too.
function dropWhatIsNotAllowed(parent: Fragment | Element): void {
  for (const node of [...parent.childNodes]) {
    if (isText(node)) continue;
    if (!isElement(node) || !isAllowedTag(node.tagName)) {
      removeNode(node);
      continue;
    }
    node.attrs = node.attrs.filter(({ name }) => mayHave(node.tagName, name));
    dropWhatIsNotAllowed(node);
  }
}

// Its frame would be empty.
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

// Layouts give a cell size 0 and its content a real one.
function showsNothing(element: Element): boolean {
  return elementsBelow(element).every(
    (inner) =>
      inner.tagName !== "img" && inner.tagName !== "hr" && !styleOf(inner).has("font-size"),
  );
}

const tagOpening = /[*{%<[]/;

/** Code examples may show them. */
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

/** One block a line. */
function plainTextOf(body: Fragment): string {
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

/** Longer or wider cells are text columns. */
const columnTextLength = 40;
const columnWidthPx = 110;
/** An address, which may break anywhere. */
const unbreakable = /\S{19}/;
const maxNameLength = 80;

const tableParts = new Set(["table"]);

/**
 * Tells data tables from layout and gives layout classes for narrow screens: `issue-stacks` (text
 * columns stack), `issue-box` (one cell a row), `issue-column` (all rows stack), `issue-menu`
 * (links wrap), `issue-address` (breaks). A wide data table on the page gets a focusable wrapper.
 */
function shapeTables(body: Fragment, { scroll }: { scroll: boolean }): void {
  for (const table of elementsBelow(body).filter(({ tagName }) => tagName === "table")) {
    const parts = elementsBelow(table, tableParts);
    const hasData =
      ["th", "td"].every((name) => parts.some(({ tagName }) => tagName === name)) &&
      !parts.some(({ tagName }) => tagName === "table");
    const cells = parts.filter(({ tagName }) => /^t[dh]$/.test(tagName));
    for (const cell of cells) {
      setAttribute(
        cell,
        "class",
        hasToBreak(cell) && !(hasData && scroll) ? "issue-address" : null,
      );
    }
    setAttribute(table, "class", hasData ? "issue-data" : null);
    if (!hasData) shapeLayout(table, parts, scroll);
    else if (scroll) letScroll(table, parts);
  }
}

function letScroll(table: Element, parts: Element[]): void {
  for (const name of ["width", "align", "cellpadding", "cellspacing", "border"]) {
    setAttribute(table, name, null);
  }
  const attributes = {
    class: "issue-table-scroll",
    role: "region",
    tabindex: "0",
    "aria-label": nameOf(parts),
  };
  // Reuses an earlier preparation's wrapper, which comes back as a bare div.
  const parent = table.parentNode;
  const isBare =
    isElement(parent) &&
    parent.tagName === "div" &&
    parent.attrs.length === 0 &&
    parent.childNodes.length === 1;
  if (isBare)
    for (const [name, value] of Object.entries(attributes)) setAttribute(parent, name, value);
  else wrapElement(table, createElement("div", attributes));
}

function nameOf(parts: Element[]): string {
  const caption = parts.find(({ tagName }) => tagName === "caption");
  const heads = parts
    .filter(({ tagName }) => tagName === "th")
    .map((head) => seenText(textOf(head)));
  const words = caption
    ? seenText(textOf(caption))
    : heads.filter((head) => head !== "").join(", ");
  return `Table: ${words}`.slice(0, maxNameLength);
}

function shapeLayout(table: Element, parts: Element[], onPage: boolean): void {
  setAttribute(table, "role", "presentation");
  let kind: string | null = "issue-box";
  for (const row of parts.filter(({ tagName }) => tagName === "tr")) {
    const all = childElements(row);
    const cells = all.filter((cell) => !isEmptyElement(cell));
    const stacks = cells.length > 1 && cells.every(isTextColumn);
    const isMenu = !stacks && cells.length > 2 && cells.every(leadsOn);
    setAttribute(row, "class", isMenu ? "issue-menu" : null);
    for (const cell of all) {
      if (stacks) setAttribute(cell, "class", "issue-stacks");
      if (onPage && cells.length === 1 && cell !== cells[0]) removeNode(cell);
    }
    if (childElements(row).length > 1 && kind) kind = stacks ? "issue-column" : null;
  }
  if (onPage) setAttribute(table, "class", kind);
}

function leadsOn(cell: Element): boolean {
  return elementsBelow(cell).some(({ tagName }) => tagName === "a" || tagName === "img");
}

function hasToBreak(cell: Element): boolean {
  return [cell, ...elementsBelow(cell, tableParts)].some(({ childNodes }) =>
    childNodes.some((node) => isText(node) && unbreakable.test(node.value)),
  );
}

function isTextColumn(cell: Element): boolean {
  const isWide = (element: Element) => {
    const width = getAttribute(element, "width") ?? "";
    return width.endsWith("%") || Number(width) >= columnWidthPx;
  };
  return (
    isWide(cell) ||
    seenText(textOf(cell)).length >= columnTextLength ||
    elementsBelow(cell).some(({ tagName }) => /^(?:p|h[1-6]|ul|ol|blockquote)$/.test(tagName)) ||
    elementsBelow(cell).some((inner) => inner.tagName === "img" && isWide(inner))
  );
}
