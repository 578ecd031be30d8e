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
import { mailGround, makeColoursReadable, trimCanvas } from "./inline-style.ts";
import {
  allowedTags,
  mayHave,
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

/** Until a browser reads it unchanged: each end tag then closes an element of the body. Two are enough mostly. */
const maxRounds = 4;

/**
 * Makes a stored body (HTML, despite the column's name) safe inside a page (specification, section
 * 5). Idempotent; never throws; linear in the length. An uncontainable body becomes plain
 * paragraphs, which the report says.
 */
export function prepareIssueBody(contentMarkdown: string): PreparedBody {
  const report = startRemovalReport();
  const safe = sanitiseBody(takeBody(contentMarkdown, report), report);
  const settled = settle(safe);
  if (settled !== null) return { ...settled, removed: report.items() };
  report.add("all markup, since it can't be kept inside the page");
  return { ...shownBodyOf(safe), removed: report.items() };
}

function shownBodyOf(safe: string): Pick<PreparedBody, "html" | "plainText"> {
  const lines = safe.split(/<[^>]*>/).filter((line) => !isBlank(line));
  const body = parseBody(lines.map((line) => `<p>${line}</p>`).join(""));
  return { html: writeBody(body), plainText: plainTextOf(body) };
}

function settle(safe: string) {
  let html = safe;
  for (let round = 0; round < maxRounds; round += 1) {
    const body = parseBody(html);
    shapeBody(body);
    const shaped = writeBody(body);
    if (shaped === html) return { html, plainText: plainTextOf(body) };
    html = shaped;
  }
  return null;
}

/** Mail programs don't know them. */
const pageAttributes = ["loading", "decoding", "referrerpolicy", "target", "rel"];

/** Prepares an issue for mail. Keeps its layout, and recolours words that can't be read at all. */
export function prepareMailBody(contentMarkdown: string, accent: string) {
  const report = startRemovalReport();
  const body = parseBody(sanitiseBody(takeBody(contentMarkdown, report), report));
  dropWhatIsNotAllowed(body);
  trimCanvas(body);
  shapeTables(body, { scroll: false });
  for (const element of elementsBelow(body)) {
    for (const name of pageAttributes) setAttribute(element, name, null);
  }
  makeColoursReadable(body, mailGround(accent));
  return { body, removed: report.items(), plainText: plainTextOf(body) };
}

/** Shapes a sanitised body for the page, in place: headings, ids, tables, colours. Idempotent. */
function shapeBody(body: Fragment): void {
  dropWhatIsNotAllowed(body);
  shiftHeadings(body);
  keepFirstOfEachId(body);
  trimCanvas(body);
  makeColoursReadable(body);
  shapeTables(body, { scroll: true });
}

// Checks the browser's tree too.
function dropWhatIsNotAllowed(parent: Fragment | Element): void {
  for (const node of [...parent.childNodes]) {
    if (isText(node)) {
      node.value = withoutEmptyCharacters(node.value);
      continue;
    }
    if (!isElement(node) || !allowedTags.has(node.tagName)) {
      removeNode(node);
      continue;
    }
    node.attrs = node.attrs.filter(({ name }) => mayHave(node.tagName, name));
    dropWhatIsNotAllowed(node);
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

/** An address, which may break anywhere. */
const unbreakable = /\S{19}/;

const tableParts = new Set(["table"]);

/**
 * Tells data tables from layout and gives layout classes for narrow screens: `issue-stacks` (cells
 * with words stack), `issue-box` (one cell a row), `issue-column` (all rows stack), `issue-address`
 * (breaks). A wide data table on the page gets a focusable wrapper.
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
  return `Table: ${words}`.slice(0, 80);
}

function shapeLayout(table: Element, parts: Element[], onPage: boolean): void {
  setAttribute(table, "role", "presentation");
  let kind: string | null = "issue-box";
  for (const row of parts.filter(({ tagName }) => tagName === "tr")) {
    const all = childElements(row);
    const cells = all.filter((cell) => !isEmptyElement(cell));
    const stacks = cells.length > 1 && cells.every((cell) => !isBlank(textOf(cell)));
    for (const cell of all) {
      if (stacks) setAttribute(cell, "class", "issue-stacks");
      if (onPage && cells.length === 1 && cell !== cells[0]) removeNode(cell);
    }
    if (childElements(row).length > 1 && kind) kind = stacks ? "issue-column" : null;
  }
  if (onPage) setAttribute(table, "class", kind);
}

function hasToBreak(cell: Element): boolean {
  return [cell, ...elementsBelow(cell, tableParts)].some(({ childNodes }) =>
    childNodes.some((node) => isText(node) && unbreakable.test(node.value)),
  );
}
