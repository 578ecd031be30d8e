import { type Colord, colord, extend } from "colord";
import a11y from "colord/plugins/a11y";
import names from "colord/plugins/names";
import {
  childElements,
  type Element,
  type Fragment,
  getAttribute,
  isBlank,
  isEmptyElement,
  isText,
  setAttribute,
} from "./body-tree.ts";
import { parseWrittenStyle, setStyle } from "./inline-style.ts";

extend([names, a11y]);

/** The page's sheet, text and link colours, as in issue-body.css. */
const sheet = colord("#fafcf6");
const ink = colord("#101a2b");
const white = colord("#ffffff");
const chalk = colord("#1f4fd8");

/** WCAG 2.2, success criterion 1.4.3. */
const minContrast = 4.5;

type Paint = { background: Colord; text: Colord };

/** Replaces text colours that are unreadable on their background. */
export function makeColoursReadable(body: Fragment): void {
  for (const child of childElements(body)) mend(child, { background: sheet, text: ink });
}

function mend(element: Element, around: Paint): void {
  const style = parseWrittenStyle(getAttribute(element, "style") ?? "");
  const bgcolor = getAttribute(element, "bgcolor") ?? "";
  if (!style.has("background-color")) {
    const value = /^[0-9a-f]{3,6}$/.test(bgcolor) ? `#${bgcolor}` : bgcolor;
    if (colord(value).isValid()) style.set("background-color", value);
  }
  setAttribute(element, "bgcolor", null);
  const background = over(style.get("background-color"), around.background, around.background);
  const isSame = looksSame(background, around.background);
  if (isSame) style.delete("background-color");

  const natural = element.tagName === "a" ? chalk : around.text;
  const text = over(style.get("color"), background, natural);
  const isReadable = text.contrast(background) >= minContrast;
  const readable = isReadable ? text : readableOn(background);
  if (!isReadable) {
    if (readable === around.text && element.tagName !== "a") style.delete("color");
    else style.set("color", readable.toHex());
  }
  setStyle(element, style);
  const inside = { background: isSame ? around.background : background, text: readable };
  for (const child of childElements(element)) mend(child, inside);
}

/** Blends a colour over an opaque one. */
function over(value: string | undefined, under: Colord, otherwise: Colord): Colord {
  const top = colord(value ?? "");
  if (!top.isValid()) return otherwise;
  const [a, b] = [top.toRgb(), under.toRgb()];
  const mix = (x: number, y: number) => x * a.a + y * (1 - a.a);
  return colord({ r: mix(a.r, b.r), g: mix(a.g, b.g), b: mix(a.b, b.b) });
}

function looksSame(one: Colord, other: Colord): boolean {
  const [a, b] = [one.toRgb(), other.toRgb()];
  return Math.max(Math.abs(a.r - b.r), Math.abs(a.g - b.g), Math.abs(a.b - b.b)) <= 10;
}

function readableOn(background: Colord): Colord {
  return ink.contrast(background) >= white.contrast(background) ? ink : white;
}

const wrappers = new Set(["div", "section", "table", "tbody", "tr", "td"]);

/**
 * Removes light grey backgrounds, side padding and frames from the boxes around an exported mail: the page has its own
 * sheet.
 */
export function trimCanvas(body: Fragment): void {
  let box = onlyChild(body);
  while (box !== null && wrappers.has(box.tagName)) {
    const style = parseWrittenStyle(getAttribute(box, "style") ?? "");
    for (const side of ["left", "right"]) {
      for (const name of [`padding-${side}`, `border-${side}`]) style.delete(name);
    }
    const [top = "0", , bottom = "0"] = style.get("padding")?.split(" ") ?? [];
    if (style.has("padding")) style.set("padding", `${top} 0 ${bottom} 0`);
    const background = style.get("background-color") ?? getAttribute(box, "bgcolor");
    if (background !== undefined && isCanvas(colord(background))) {
      style.delete("background-color");
      setAttribute(box, "bgcolor", null);
    }
    setStyle(box, style);
    box = onlyChild(box);
  }
}

function onlyChild(parent: Fragment | Element): Element | null {
  if (parent.childNodes.some((node) => isText(node) && !isBlank(node.value))) return null;
  const children = childElements(parent).filter((child) => !isEmptyElement(child));
  return children.length === 1 ? (children[0] ?? null) : null;
}

function isCanvas(colour: Colord): boolean {
  if (!colour.isValid() || colour.alpha() < 1) return true;
  const { r, g, b } = colour.toRgb();
  const isGrey = Math.max(r, g, b) - Math.min(r, g, b) < 24;
  return colour.luminance() > 0.7 && (isGrey || colour.contrast(sheet) < 1.1);
}
