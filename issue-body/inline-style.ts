import { colord, extend } from "colord";
import names from "colord/plugins/names";
import { type Element, setAttribute } from "./body-tree.ts";

extend([names]);

/** Text sizes are limited to this range; up to `hidden` the text is hidden. */
const fontSizePx = { hidden: 4, min: 13, max: 30 };
/** Largest padding and margin by direction: a phone's sheet is 300 pixels wide. */
const maxSpacePx = { block: 64, inline: 24 };
const maxWidthPx = 1200;

/** Returns the value to write, or null to refuse it. */
type Read = (value: string) => string | null;

/** Buttons for Outlook have wide borders instead of padding. */
const borderWidth = lengthBetween(0, 25);
const borderStyle = oneOf("none hidden solid dashed dotted double");

const sides = ["top", "right", "bottom", "left"];

/**
 * The allowed properties. None can position, clip, animate or fetch, and no rule lets a quote, backslash, bracket or
 * url() through.
 */
const styleRules: Readonly<Record<string, Read>> = {
  color: colour,
  "background-color": colour,
  "text-align": oneOf("left right center justify start end"),
  "text-decoration": oneOf("none underline line-through"),
  "text-transform": oneOf("none uppercase lowercase capitalize"),
  "font-style": oneOf("normal italic"),
  "font-weight": matching(/^(?:normal|bold|[1-9]00)$/),
  "font-size": fontSize,
  "line-height": matching(/^\d{1,3}(?:\.\d{1,6})?(?:px|pt|r?em|%)?$/),
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
  // A gradient's first colour.
  "background-image": { stands: "background-color", read: backgroundColour },
  "list-style": { stands: "list-style-type", read: (value) => value.split(" ")[0] ?? "" },
};

/** Pixels; `em` counts as 16, and a percentage is null. */
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

/** Opaque functions become hexadecimal, which every mail program knows. */
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
  if (/^(?:0|0px|none|hidden)\b/.test(value) || / none$/.test(value)) return "0";
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

/** In order; a later declaration replaces an earlier one. */
export type Declarations = Map<string, string>;

const maxStyleLength = 4_000;

type ReadStyle = { kept: Declarations; seen: Declarations; refused: string[] };

/**
 * Reads a stored body's style. `kept` passes the rules; `seen` has every declaration, in lower case, to detect hidden
 * text and picture sizes; `refused` is for the operator.
 */
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
  dropIdleBorders(read.kept);
  shareLineHeight(read.kept);
  return read;
}

// "No border" matters only against a border on all four sides.
function dropIdleBorders(kept: Declarations): void {
  if (kept.get("border") === "0") kept.delete("border");
  if (kept.has("border")) return;
  for (const [property, value] of kept) {
    if (property.startsWith("border-") && value === "0") kept.delete(property);
  }
}

/**
 * Writes a line's height as a share of the text's size: one in pixels would also apply to larger text inside. Below 1
 * lines overlap; a button's label may have 3.
 */
function shareLineHeight(kept: Declarations): void {
  const height = kept.get("line-height");
  if (height === undefined) return;
  const size = lengthInPx(kept.get("font-size") ?? "") ?? 16;
  const amount = Number.parseFloat(height);
  const isShare = /^[\d.]+(?:em)?$/.test(height);
  const px = lengthInPx(height) ?? 0;
  const share = isShare ? amount : height.endsWith("%") ? amount / 100 : px / size;
  if (share >= 1 && share <= 4)
    kept.set("line-height", String(Math.round(share * 10_000) / 10_000));
  else kept.delete("line-height");
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
  } else if (!isHarmless(property, value)) {
    refused.push(`style property ${property}`);
  }
}

export function writeStyle(declarations: Declarations): string {
  return Array.from(declarations, ([property, value]) => `${property}:${value}`).join(";");
}

/** An empty style removes the attribute. */
export function setStyle(element: Element, style: Declarations): void {
  setAttribute(element, "style", style.size > 0 ? writeStyle(style) : null);
}

export function parseWrittenStyle(text: string): Declarations {
  return new Map(
    text.split(";").flatMap((piece): [string, string][] => {
      const colon = piece.indexOf(":");
      return colon === -1 ? [] : [[piece.slice(0, colon).trim(), piece.slice(colon + 1).trim()]];
    }),
  );
}

// `!important` would override the page's stylesheet.
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

const harmless = new Set(
  (
    "align-items background background-image background-position background-repeat background-size border-collapse " +
    "border-spacing box-sizing direction display font-size height line-height list-style max-height min-height " +
    "min-width outline overflow overflow-wrap table-layout text-rendering text-size-adjust unicode-bidi " +
    "white-space word-break word-wrap"
  ).split(" "),
);

// Without effect on a page, so not reported to the operator.
function isHarmless(property: string, value: string): boolean {
  return (
    harmless.has(property) ||
    /^(?:mso-|-webkit-|-ms-|-moz-|-premailer-)/.test(property) ||
    /^(?:initial|inherit|unset|normal|none|0|0px|0 none)$/.test(value)
  );
}
