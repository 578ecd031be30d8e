import { type Colord, colord, extend } from "colord";
import a11y from "colord/plugins/a11y";
import names from "colord/plugins/names";
import {
  childElements,
  type Element,
  elementsBelow,
  type Fragment,
  getAttribute,
  isBlank,
  isEmptyElement,
  isText,
  setAttribute,
} from "./body-tree.ts";
import { parseWrittenStyle, setStyle } from "./inline-style.ts";

extend([names, a11y]);

/** What a body stands on, and the least contrast of its words. */
type Ground = { sheet: string; ink: string; link: string; minContrast: number };

/** As in issue-body.css. WCAG 2.2, success criterion 1.4.3. */
const page: Ground = { sheet: "#fafcf6", ink: "#101a2b", link: "#1f4fd8", minContrast: 4.5 };

/** A mail keeps its look: only words that can't be made out are changed. */
export function mailGround(canvas: string, link: string): Ground {
  return { ...page, sheet: canvas, link, minContrast: 2 };
}

/** Whether a body has colours of its own, which a program's dark mode doesn't know. */
export function hasOwnColours(body: Fragment): boolean {
  return elementsBelow(body).some(
    (element) =>
      getAttribute(element, "bgcolor") !== undefined ||
      /(?:^|;)(?:background-)?color:/.test(getAttribute(element, "style") ?? ""),
  );
}

/**
 * Replaces text colours that are unreadable on their background, such as white on a picture that was taken out. Returns
 * how many. On the page, backgrounds that look like the sheet go too.
 */
export function makeColoursReadable(body: Fragment, ground = page): number {
  const around = { background: colord(ground.sheet), text: colord(ground.ink) };
  return sumOf(childElements(body).map((child) => mend(child, around, ground)));
}

function mend(
  element: Element,
  around: { background: Colord; text: Colord },
  ground: Ground,
): number {
  const style = parseWrittenStyle(getAttribute(element, "style") ?? "");
  const bgcolor = (getAttribute(element, "bgcolor") ?? "").replace(/^(?=[0-9a-f]{3,6}$)/, "#");
  const own = style.get("background-color") ?? (colord(bgcolor).isValid() ? bgcolor : undefined);
  const background = over(own, around.background, around.background);
  const isSame = looksSame(background, around.background);
  if (ground === page) {
    if (own !== undefined) style.set("background-color", own);
    if (isSame) style.delete("background-color");
    setAttribute(element, "bgcolor", null);
  }
  const natural = element.tagName === "a" ? colord(ground.link) : around.text;
  const text = over(style.get("color"), background, natural);
  const isReadable = text.contrast(background) >= ground.minContrast;
  const readable = isReadable ? text : readableOn(background);
  if (!isReadable) {
    if (readable.isEqual(around.text) && element.tagName !== "a") style.delete("color");
    else style.set("color", readable.toHex());
  }
  setStyle(element, style);
  const inside = { background: isSame ? around.background : background, text: readable };
  const below = childElements(element).map((child) => mend(child, inside, ground));
  return sumOf(below) + (isReadable || !holdsWords(element) ? 0 : 1);
}

function holdsWords({ childNodes }: Element): boolean {
  return childNodes.some((node) => isText(node) && !isBlank(node.value));
}

function sumOf(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
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
  const [ink, white] = [colord(page.ink), colord("#ffffff")];
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
  return colour.luminance() > 0.7 && (isGrey || colour.contrast(page.sheet) < 1.1);
}
