import { type Colord, colord, extend } from "colord";
import a11y from "colord/plugins/a11y";
import lab from "colord/plugins/lab";
import names from "colord/plugins/names";
import {
  childElements,
  type Element,
  elementsBelow,
  type Fragment,
  getAttribute,
  isBlank,
  isElement,
  isEmptyElement,
  isText,
  setAttribute,
} from "./body-tree.ts";

extend([a11y, lab, names]);

/** Up to `hidden` the text is hidden. */
const fontSizePx = { hidden: 4, min: 13, max: 30 };
/** A phone's sheet is 300 pixels wide. */
const maxSpacePx = { block: 64, inline: 24 };
const maxWidthPx = 1200;

/** Null refuses the value. */
type Read = (value: string) => string | null;

/** Outlook's buttons have wide borders instead of padding. */
const borderWidth = lengthBetween(0, 25);
const borderStyle = oneOf("none hidden solid dashed dotted double");

const sides = ["top", "right", "bottom", "left"];

/** No rule lets a value position, clip, animate, fetch, or hold a quote, backslash or bracket. */
const styleRules: Readonly<Record<string, Read>> = {
  color: colour,
  "background-color": colour,
  "text-align": oneOf("left right center justify start end"),
  "text-decoration": oneOf("none underline line-through"),
  "text-transform": oneOf("none uppercase lowercase capitalize"),
  "font-style": oneOf("normal italic"),
  "font-weight": matching(/^(?:normal|bold|[1-9]00)$/),
  "font-size": fontSize,
  "letter-spacing": lengthBetween(-1, 4),
  "vertical-align": oneOf("top middle bottom baseline sub super text-top text-bottom"),
  "list-style-type": oneOf(
    "none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman",
  ),
  display: oneOf("block inline inline-block table table-cell flex inline-flex"),
  float: oneOf("left right none"),
  clear: oneOf("left right both none"),
  width: width,
  "max-width": width,
  "border-radius": (value) =>
    spaced(
      value,
      4,
      (token) => matching(/^\d{1,2}%$|^100%$/)(token) ?? lengthBetween(0, 999)(token),
    ),
  border: borderSide,
  "border-color": (value) => spaced(value, 4, colour),
  "border-style": (value) => spaced(value, 4, borderStyle),
  "border-width": (value) => spaced(value, 4, borderWidth),
  padding: (value) => box(value, false),
  margin: (value) => box(value, true),
  ...Object.fromEntries(
    sides.flatMap((side) => [
      [`border-${side}`, borderSide],
      [`border-${side}-color`, colour],
      [`border-${side}-style`, borderStyle],
      [`border-${side}-width`, borderWidth],
      [`padding-${side}`, space(side, false)],
      [`margin-${side}`, space(side, true)],
    ]),
  ),
};

const shorthands: Readonly<Record<string, { stands: string; read: (value: string) => string }>> = {
  background: { stands: "background-color", read: backgroundColour },
  "background-image": { stands: "background-color", read: backgroundColour },
  "list-style": { stands: "list-style-type", read: (value) => value.split(" ")[0] ?? "" },
};

/** `em` counts as 16; a percentage is null. */
export function lengthInPx(value: string): number | null {
  const match = /^(-?\d{0,5}(?:\.\d{1,6})?)(px|em|rem|pt)?$/.exec(value);
  if (match === null || match[1] === "" || match[1] === "-") return null;
  const unit = match[2];
  const amount = Number(match[1]);
  if (unit === undefined) return amount === 0 ? 0 : null;
  return unit === "px" ? amount : unit === "pt" ? (amount * 4) / 3 : amount * 16;
}

function oneOf(words: string): Read {
  const allowed = new Set(words.split(" "));
  return (value) => (allowed.has(value) ? value : null);
}

function matching(pattern: RegExp): Read {
  return (value) => (pattern.test(value) ? value : null);
}

/** Hexadecimal works in every mail program. */
function colour(value: string): string | null {
  const read = colord(value);
  if (!read.isValid()) return null;
  return value.includes("(") && read.alpha() === 1 ? read.toHex() : value;
}

function backgroundColour(value: string): string {
  const plain = value.replace(/url\(.*?\)/g, " ");
  const tokens = plain.match(/#[0-9a-f]+|(?:rgb|hsl)a?\([^)]*\)|[a-z-]+/g) ?? [];
  return tokens.find((token) => colord(token).isValid()) ?? "";
}

function lengthBetween(min: number, max: number): Read {
  return (value) => {
    const px = lengthInPx(value);
    return px !== null && px >= min && px <= max ? value : null;
  };
}

function fontSize(value: string): string | null {
  const px = lengthInPx(value);
  if (px === null || px <= fontSizePx.hidden) return null;
  if (px < fontSizePx.min) return `${fontSizePx.min}px`;
  return px > fontSizePx.max ? `${fontSizePx.max}px` : value;
}

function width(value: string): string | null {
  if (value === "auto") return value;
  const percent = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(value);
  if (percent !== null) return Number(percent[1]) <= 100 ? value : null;
  return lengthBetween(0, maxWidthPx)(value);
}

function borderSide(value: string): string | null {
  if (/^(?:0|0px|none|hidden)\b/.test(value) || / none$/.test(value)) return null;
  return spaced(value, 3, (token) => borderWidth(token) ?? borderStyle(token) ?? colour(token));
}

function spaced(value: string, max: number, read: Read): string | null {
  const tokens = value.replace(/,\s+/g, ",").split(" ");
  if (tokens.length > max) return null;
  const passed = tokens.map(read);
  return passed.includes(null) ? null : passed.join(" ");
}

function space(side: string, mayBeAuto: boolean): Read {
  const max = side === "left" || side === "right" ? maxSpacePx.inline : maxSpacePx.block;
  return (value) => {
    if (mayBeAuto && value === "auto") return value;
    const px = lengthInPx(value);
    if (px === null || px < 0) return null;
    return px > max ? `${max}px` : value;
  };
}

function box(value: string, mayBeAuto: boolean): string | null {
  const tokens = value.split(" ");
  if (tokens.length > 4) return null;
  const [top = "", right = top, bottom = top, left = right] = tokens;
  const passed = [top, right, bottom, left].map((token, at) =>
    space(sides[at] ?? "left", mayBeAuto)(token),
  );
  return passed.includes(null) ? null : passed.join(" ");
}

export type Declarations = Map<string, string>;

const maxStyleLength = 4_000;

type ReadStyle = { kept: Declarations; seen: Declarations; refused: string[] };

/** `kept` passes the rules; `seen` has every declaration; `refused` is for the operator. */
export function readStyle(text: string): ReadStyle {
  const read: ReadStyle = { kept: new Map(), seen: new Map(), refused: [] };
  if (text.length > maxStyleLength) {
    read.refused.push("style attribute that is too long");
    return read;
  }
  for (const piece of text.replace(/\/\*[\s\S]*?\*\//g, " ").split(";")) {
    const colon = piece.indexOf(":");
    const property = piece.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = plainValue(piece.slice(colon + 1));
    if (property !== "" && value !== "") readDeclaration(property, value, read);
  }
  return read;
}

function readDeclaration(
  property: string,
  value: string,
  { kept, seen, refused }: ReadStyle,
): void {
  seen.set(property, value);
  if (/url\(/.test(value)) refused.push("picture or other address in a style");
  const shorthand = Object.hasOwn(shorthands, property) ? shorthands[property] : undefined;
  const name = shorthand?.stands ?? property;
  const rule = Object.hasOwn(styleRules, name) ? styleRules[name] : undefined;
  const passed = rule?.(shorthand?.read(value) ?? value) ?? null;
  if (passed !== null) {
    kept.delete(name);
    kept.set(name, passed);
  }
}

export function writeStyle(declarations: Declarations): string {
  return Array.from(declarations, ([property, value]) => `${property}:${value}`).join(";");
}

function setStyle(element: Element, style: Declarations): void {
  setAttribute(element, "style", style.size > 0 ? writeStyle(style) : null);
}

function styleOf(element: Element): Declarations {
  const pieces = (getAttribute(element, "style") ?? "").split(";");
  return new Map(
    pieces.flatMap((piece): [string, string][] => {
      const colon = piece.indexOf(":");
      return colon === -1 ? [] : [[piece.slice(0, colon).trim(), piece.slice(colon + 1).trim()]];
    }),
  );
}

function plainValue(text: string): string {
  return text
    .replace(/!\s*important/gi, "")
    .replace(/\s+/g, " ")
    .replace(/\s*,\s*/g, ",")
    .replace(/\(\s+/g, "(")
    .replace(/\s+\)/g, ")")
    .trim()
    .toLowerCase();
}

/** The background, with readable colours on it. */
type Ground = { sheet: string; ink: string; link: string; minContrast: number };

/** As in issue-body.css. WCAG 2.2, success criterion 1.4.3. */
const page: Ground = { sheet: "#fafcf6", ink: "#101a2b", link: "#1f4fd8", minContrast: 4.5 };

/** Changes only illegible words. */
export function mailGround(link: string): Ground {
  return { ...page, link, minContrast: 2 };
}

/** A program's dark mode doesn't know them. */
export function hasOwnColours(body: Fragment): boolean {
  return elementsBelow(body).some(
    (element) =>
      getAttribute(element, "bgcolor") !== undefined ||
      /(?:^|;)(?:background-)?color:/.test(getAttribute(element, "style") ?? ""),
  );
}

/** Replaces unreadable text colours. On the page, sheet-like backgrounds go too. */
export function makeColoursReadable(body: Fragment, ground = page): void {
  const around = { background: colord(ground.sheet), text: colord(ground.ink) };
  function mend(element: Element, { background: under, text: outer }: typeof around): void {
    const style = styleOf(element);
    const own = style.get("background-color") ?? backgroundOf(element);
    const background = over(own, under, under);
    const isSame = background.delta(under) < 0.03;
    if (ground === page) {
      if (own !== undefined) style.set("background-color", own);
      if (isSame) style.delete("background-color");
      setAttribute(element, "bgcolor", null);
    }
    const natural = element.tagName === "a" ? colord(ground.link) : outer;
    let text = over(style.get("color"), background, natural);
    if (text.contrast(background) < ground.minContrast) {
      text = readableOn(background);
      style.set("color", text.toHex());
      if (text.isEqual(outer) && element.tagName !== "a") style.delete("color");
    }
    setStyle(element, style);
    const inside = { background: isSame ? under : background, text };
    for (const child of childElements(element)) mend(child, inside);
  }
  for (const child of childElements(body)) mend(child, around);
}

function backgroundOf(element: Element): string | undefined {
  const bgcolor = getAttribute(element, "bgcolor")?.replace(/^(?=[0-9a-f]{3,6}$)/, "#");
  return bgcolor && colord(bgcolor).isValid() ? bgcolor : undefined;
}

function over(value: string | undefined, under: Colord, otherwise: Colord): Colord {
  const top = colord(value ?? "");
  if (!top.isValid()) return otherwise;
  const [a, b] = [top.toRgb(), under.toRgb()];
  const mix = (x: number, y: number) => x * a.a + y * (1 - a.a);
  return colord({ r: mix(a.r, b.r), g: mix(a.g, b.g), b: mix(a.b, b.b) });
}

function readableOn(background: Colord): Colord {
  const [ink, white] = [colord(page.ink), colord("#ffffff")];
  return ink.contrast(background) >= white.contrast(background) ? ink : white;
}

const wrappers = new Set(["div", "section", "table", "tbody", "tr", "td"]);

/** The page has its own sheet. */
export function trimCanvas(body: Fragment): void {
  for (let box = onlyChild(body); box && wrappers.has(box.tagName); box = onlyChild(box)) {
    const style = styleOf(box);
    for (const name of style.keys()) if (/^(?:padding|border)/.test(name)) style.delete(name);
    const background = colord(style.get("background-color") ?? backgroundOf(box) ?? "white");
    if (background.luminance() > 0.7) {
      style.delete("background-color");
      setAttribute(box, "bgcolor", null);
    }
    setStyle(box, style);
  }
}

function onlyChild(parent: Fragment | Element): Element | null {
  const shown = parent.childNodes.filter((node) =>
    isText(node) ? !isBlank(node.value) : isElement(node) && !isEmptyElement(node),
  );
  const [child] = shown;
  return shown.length === 1 && child && isElement(child) ? child : null;
}
