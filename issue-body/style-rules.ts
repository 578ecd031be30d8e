import { parseColour } from "./colours.ts";

/** Sizes of text, in pixels: smaller and larger ones are brought inside. At or under `hidden` it is no text. */
const fontSizePx = { hidden: 4, min: 13, max: 30 };
/** Largest padding and margin above and below, and at the sides, in pixels: a phone's sheet is 300 wide. */
const maxSpacePx = { block: 64, inline: 24 };
/** Widest box that a body may ask for, in pixels; the stylesheet holds it to the sheet's width anyway. */
const maxWidthPx = 1200;

/** Gives the value to write, or null when it does not pass. */
type Read = (value: string) => string | null;

/** Widest border, in pixels: buttons for Outlook are made of borders instead of padding. */
const borderWidth = lengthBetween(0, 25);

const sides = ["top", "right", "bottom", "left"];

/**
 * Property by property, what passes. Nothing that can place, lift, move, clip, animate or fetch is here, and no rule
 * lets a quote, a backslash, a bracket or a url() through.
 */
export const styleRules: Readonly<Record<string, Read>> = {
  color: colour,
  "background-color": colour,
  "text-align": oneOf("left right center justify start end"),
  "text-decoration": oneOf("none underline line-through"),
  "text-transform": oneOf("none uppercase lowercase capitalize"),
  "font-style": oneOf("normal italic"),
  "font-weight": matching(/^(?:normal|bold|[1-9]00)$/),
  "font-size": fontSize,
  "line-height": lineHeight,
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
  "border-radius": (value) => spaced(value, 4, radius),
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

/** Properties of which only one part is kept. */
export const shorthands: Readonly<
  Record<string, { stands: string; read: (value: string) => string }>
> = {
  background: { stands: "background-color", read: backgroundColour },
  "list-style": { stands: "list-style-type", read: (value) => value.split(" ")[0] ?? "" },
};

/** The properties that may be in a prepared body, for the sanitiser's own gate. */
export const allowedProperties: readonly string[] = Object.keys(styleRules);

/** What a value may be made of, whatever its property: the sanitiser's own gate behind the rules above. */
export const allowedValue = /^(?!.*(?:url|var|expression|image|attr|env)\b)[a-z0-9#%.,() /-]+$/;

/** A length in pixels; `em` counts as 16 and a percentage or anything else is null. */
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

function colour(value: string): string | null {
  return parseColour(value) === null ? null : value;
}

function backgroundColour(value: string): string {
  const plain = value.replace(/url\(.*?\)/g, " ");
  const tokens = plain.match(/#[0-9a-f]+|rgba?\([^)]*\)|[a-z-]+/g) ?? [];
  return tokens.find((token) => parseColour(token) !== null) ?? "";
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

function radius(value: string): string | null {
  return /^\d{1,2}%$|^100%$/.test(value) ? value : lengthBetween(0, 999)(value);
}

/** Of a line's height in sizes of its text: less would lay lines over each other; buttons are one line of three. */
const lineShare = { min: 1, max: 4 };

/** A share of the text's size stays; pixels only until it's known what share they are. */
function lineHeight(value: string): string | null {
  const inEms = /^(\d(?:\.\d{1,4})?)(?:em)?$/.exec(value);
  if (inEms) return lineHeightShare(Number(inEms[1]));
  if (/^\d{2,3}(?:\.\d{1,3})?%$/.test(value)) {
    return lineHeightShare(Number(value.slice(0, -1)) / 100) === null ? null : value;
  }
  const px = lengthInPx(value);
  return px !== null && px > 0 && px <= lineShare.max * fontSizePx.max ? `${px}px` : null;
}

/** A line height as a share of the text's size; null where it's too small or too large to be read. */
export function lineHeightShare(share: number): string | null {
  if (!(share >= lineShare.min && share <= lineShare.max)) return null;
  return String(Math.round(share * 10_000) / 10_000);
}

function width(value: string): string | null {
  if (value === "auto") return value;
  const percent = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(value);
  if (percent !== null) return Number(percent[1]) <= 100 ? value : null;
  return lengthBetween(0, maxWidthPx)(value);
}

function borderStyle(value: string): string | null {
  return /^(?:none|hidden|solid|dashed|dotted|double)$/.test(value) ? value : null;
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
