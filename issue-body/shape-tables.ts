import {
  childElements,
  createElement,
  type Element,
  elementsBelow,
  type Fragment,
  getAttribute,
  isElement,
  isEmptyElement,
  seenText,
  setAttribute,
  textOf,
  wrapElement,
} from "./body-tree.ts";
import { parseWrittenStyle } from "./inline-style.ts";
import { lengthInPx } from "./style-rules.ts";

/** A layout table declared at least this wide, in pixels, is meant to fill the letter. */
const fullWidthPx = 440;
/** A cell or table declared at least this wide, in pixels, is a column of text and not an icon or a number. */
const columnWidthPx = 110;
/** A cell with at least this much text, in characters, is a column of text. */
const columnTextLength = 40;
/** Longest name of a scrolling table, in characters. */
const maxNameLength = 80;

const tableParts = new Set(["table"]);

/**
 * Tells tables that hold data from tables that lay out. A data table has header cells and no table inside; it gets a
 * wrapper that scrolls sideways and takes the keyboard's focus. A layout table is presentation to assistive software,
 * and its class says how it gives way on a narrow sheet: `issue-layout` fills the width, `issue-column` is one of
 * several columns, `issue-columns` marks a row whose cells stack. Classes are ours alone: a body's own are dropped.
 */
export function shapeTables(body: Fragment): void {
  for (const table of elementsBelow(body).filter(({ tagName }) => tagName === "table")) {
    const parts = elementsBelow(table, tableParts);
    const isData = parts.some((part) => part.tagName === "th") && !parts.some(isTable);
    if (isData) shapeData(table, parts);
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
  setAttribute(table, "class", fills ? "issue-layout" : isColumn ? "issue-column" : null);
  for (const row of parts.filter(({ tagName }) => tagName === "tr")) {
    const cells = childElements(row).filter((cell) => !isEmptyElement(cell));
    const columns = cells.filter(isTextColumn);
    const stacks = cells.length > 1 && columns.length === cells.length;
    setAttribute(row, "class", stacks ? "issue-columns" : null);
  }
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
