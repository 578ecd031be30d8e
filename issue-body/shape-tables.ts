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

/** A layout table of at least this width, in pixels, fills the sheet. */
const fullWidthPx = 440;
/** At least this wide, a cell or table is a text column, not an icon or number. */
const columnWidthPx = 110;
const columnTextLength = 40;
/** That long without a space, it is an address and may break anywhere. */
const unbreakable = /\S{19}/;
const maxNameLength = 80;

const tableParts = new Set(["table"]);

/**
 * Classifies tables. A data table has header cells beside others and no table inside; it gets a wrapper that scrolls
 * and takes the focus, and `issue-figure` on columns of numbers. A layout table gets classes for narrow sheets:
 * `issue-layout` fills the width, `issue-column` is one of several columns, `issue-columns` a row whose cells stack,
 * `issue-menu` a row of links or icons that wraps, `issue-stack` a table whose rows all stack, `issue-boxes` one with a
 * single cell a row, `issue-gap` a gutter beside such a cell, `issue-address` a cell with text that must break. A
 * body's own classes are dropped.
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
  // An earlier preparation's wrapper comes back as a bare div and is reused.
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
/** Fills a cell without a number. */
const noNumberShape = /^(?:|[-\u2013\u2014]|n\/a|free)$/i;

function classNumberColumns(parts: Element[], className: string): void {
  const rows = parts
    .filter(({ tagName }) => tagName === "tr")
    .map((row) => childElements(row).filter(({ tagName }) => /^t[dh]$/.test(tagName)));
  const cells = rows.flat();
  for (const cell of cells) setAttribute(cell, "class", null);
  // With spans, a cell's position doesn't tell its column.
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

/** Whether a row has one visible cell, cells that may stack, or cells that stay side by side. */
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
 * Classes for mail, which keeps a table's measures: `stacks` are cells that may stack on a phone, `data` tables may
 * have narrower gaps, and `figure` is a column of numbers.
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

/** Pixels, "full" for nearly all of the width, or null. */
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
