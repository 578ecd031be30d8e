import {
  childElements,
  createElement,
  type Element,
  elementsBelow,
  type Fragment,
  getAttribute,
  isElement,
  isEmptyElement,
  isText,
  seenText,
  setAttribute,
  textOf,
  wrapElement,
} from "./body-tree.ts";
import { lengthInPx, parseWrittenStyle } from "./inline-style.ts";

/** A layout table declared at least this wide, in pixels, is meant to fill the letter. */
const fullWidthPx = 440;
/** A cell or table declared at least this wide, in pixels, is a column of text and not an icon or a number. */
const columnWidthPx = 110;
/** A cell with at least this much text, in characters, is a column of text. */
const columnTextLength = 40;
/** So many characters without a space are no word but an address, and may break anywhere. */
const unbreakable = /\S{19}/;
/** Longest name of a scrolling table, in characters. */
const maxNameLength = 80;

const tableParts = new Set(["table"]);

/**
 * Tells tables that hold data from tables that lay out. A data table has header cells beside others, and no table
 * inside; it gets a wrapper that scrolls sideways and takes the keyboard's focus, and `issue-figure` is the class of the cells of its columns of
 * money and numbers. A layout table is presentation to assistive software, and its classes say how it gives way on a
 * narrow sheet: `issue-layout` fills the width, `issue-column` is one of several columns, `issue-columns` is a row
 * whose cells stack, `issue-menu` one of links or icons that wraps, `issue-stack` a table all of whose rows can be under one another. One with a single cell a row is
 * no table at all but boxes (`issue-boxes`), since a table can't be kept to a width that its cells' own exceed;
 * `issue-gap` is a gutter beside such a cell. `issue-address` is a cell with something in it that has to break.
 * Classes are ours alone: a body's own are dropped.
 */
export function shapeTables(body: Fragment): void {
  for (const table of elementsBelow(body).filter(({ tagName }) => tagName === "table")) {
    const parts = elementsBelow(table, tableParts);
    if (isDataTable(parts)) shapeData(table, parts);
    else shapeLayout(table, parts);
  }
}

function isTable(element: Element): boolean {
  return element.tagName === "table";
}

function shapeData(table: Element, parts: Element[]): void {
  setAttribute(table, "class", "issue-data");
  for (const name of ["width", "align", "cellpadding", "cellspacing", "border"]) {
    setAttribute(table, name, null);
  }
  classNumberColumns(parts, "issue-figure");
  const attributes = {
    class: "issue-table-scroll",
    role: "region",
    tabindex: "0",
    "aria-label": nameOf(parts),
  };
  // A wrapper from an earlier preparation comes back as a bare div: it is taken up again, not wrapped once more.
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

/** An amount, a number or a span of two, with its unit: `$1,100`, `-4%`, `2-3 h`, `$45/mo`. */
const numberShape =
  /^[-+\u2212~<>\u2248]?\s?(?:[A-Z]{1,3}\s?)?[$\u20ac\u00a3]?\d[\d.,]*(?:\s?[-\u2013]\s?[$\u20ac\u00a3]?\d[\d.,]*)?\+?\s?(?:%|\u00d7|[a-z]{1,7}\.?)?(?:\s?(?:\/|a|per)\s?[a-z]{1,6})?$/;
/** In place of a number that there is none of. */
const noNumberShape = /^(?:|[-\u2013\u2014]|n\/a|free)$/i;

function classNumberColumns(parts: Element[], className: string): void {
  const rows = parts
    .filter(({ tagName }) => tagName === "tr")
    .map((row) => childElements(row).filter(({ tagName }) => /^t[dh]$/.test(tagName)));
  const cells = rows.flat();
  for (const cell of cells) setAttribute(cell, "class", null);
  // Where cells span others, a cell's place in its row says nothing of its column.
  if (cells.some((cell) => getAttribute(cell, "colspan") ?? getAttribute(cell, "rowspan"))) return;
  const columnCount = Math.max(0, ...rows.map((row) => row.length));
  for (let column = 0; column < columnCount; column += 1) {
    const inColumn = rows.flatMap((row) => row[column] ?? []);
    const words = inColumn
      .filter(({ tagName }) => tagName === "td")
      .map((cell) => seenText(textOf(cell)));
    if (!words.some((text) => numberShape.test(text))) continue;
    if (!words.every((text) => numberShape.test(text) || noNumberShape.test(text))) continue;
    for (const cell of inColumn) setAttribute(cell, "class", className);
  }
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

function shapeLayout(table: Element, parts: Element[]): void {
  setAttribute(table, "role", "presentation");
  const width = declaredWidth(table);
  const fills = width === "full" || (width !== null && width >= fullWidthPx);
  const isColumn = width !== null && width !== "full" && width >= columnWidthPx && !fills;
  const rows = parts.filter(({ tagName }) => tagName === "tr").map(shapeRow);
  const isBoxes = rows.every((row) => row === "one");
  const stacks = !isBoxes && rows.every((row) => row !== "side by side");
  const classes = [
    fills ? "issue-layout" : isColumn ? "issue-column" : "",
    isBoxes ? "issue-boxes" : stacks ? "issue-stack" : "",
  ];
  setAttribute(table, "class", classes.filter(Boolean).join(" ") || null);
}

/** Whether a row has one cell to show, several that may stand under one another, or several that belong side by side. */
function shapeRow(row: Element): "one" | "columns" | "side by side" {
  const all = childElements(row);
  const cells = all.filter((cell) => !isEmptyElement(cell));
  const stacks = cells.length > 1 && cells.every(isTextColumn);
  const isMenu = !stacks && cells.length > 2 && cells.every(leadsOn);
  setAttribute(row, "class", stacks ? "issue-columns" : isMenu ? "issue-menu" : null);
  for (const cell of all) {
    const isGap = cells.length === 1 && cell !== cells[0];
    setAttribute(cell, "class", isGap ? "issue-gap" : hasToBreak(cell) ? "issue-address" : null);
  }
  if (cells.length < 2) return "one";
  return stacks ? "columns" : "side by side";
}

/**
 * Classes for mail, where a table's measures stay as they were written, what gives way on a narrow screen: `stacks` are cells
 * that may stand under one another, and a table of `data` may have narrower gaps. Its columns of money and numbers are
 * of `figure`s.
 */
export function classTablesForMail(body: Fragment): void {
  for (const table of elementsBelow(body).filter(isTable)) {
    const parts = elementsBelow(table, tableParts);
    if (isDataTable(parts)) {
      setAttribute(table, "class", "data");
      classNumberColumns(parts, "figure");
      continue;
    }
    for (const row of parts.filter(({ tagName }) => tagName === "tr")) {
      const cells = childElements(row).filter((cell) => !isEmptyElement(cell));
      if (cells.length < 2 || !cells.every(isTextColumn)) continue;
      for (const cell of cells) setAttribute(cell, "class", "stacks");
    }
  }
}

function isDataTable(parts: Element[]): boolean {
  return (
    ["th", "td"].every((name) => parts.some(({ tagName }) => tagName === name)) &&
    !parts.some(isTable)
  );
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
  const width = declaredWidth(cell);
  if (typeof width === "number" && width < columnWidthPx) return false;
  const inside = elementsBelow(cell);
  return (
    (typeof width === "number" && width >= columnWidthPx) ||
    seenText(textOf(cell)).length >= columnTextLength ||
    inside.some(({ tagName }) => /^(?:p|h[1-6]|ul|ol|blockquote)$/.test(tagName)) ||
    inside.some(
      (image) =>
        image.tagName === "img" && Number(getAttribute(image, "width") ?? 0) >= columnWidthPx,
    )
  );
}

/** Pixels, or "full" for all or nearly all of the width around, or null when nothing usable is declared. */
function declaredWidth(element: Element): number | "full" | null {
  const style = parseWrittenStyle(getAttribute(element, "style") ?? "");
  for (const value of [
    style.get("max-width"),
    style.get("width"),
    getAttribute(element, "width"),
  ]) {
    if (value === undefined || value === "auto") continue;
    const percent = /^([\d.]+)%$/.exec(value);
    if (percent !== null) {
      const share = Number(percent[1]);
      if (value === style.get("max-width") && share >= 90) continue;
      return share >= 90 ? "full" : (share / 100) * 600;
    }
    const px = lengthInPx(/^[\d.]+$/.test(value) ? `${value}px` : value);
    if (px !== null && px > 0) return px;
  }
  return null;
}
