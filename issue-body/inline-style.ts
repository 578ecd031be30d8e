import { shorthands, styleRules } from "./style-rules.ts";

/** Declarations in the order in which they apply; a later one of the same property has replaced the earlier. */
export type Declarations = Map<string, string>;

/** Longest style attribute that is read, in characters; a longer one is dropped whole. */
const maxStyleLength = 4_000;

/** A style attribute as read: what passes, what was written, and what was refused in words for the operator. */
type ReadStyle = { kept: Declarations; seen: Declarations; refused: string[] };

/**
 * Reads a style attribute of a stored body. `kept` is what passes the allowlist; `seen` holds every declaration as
 * written, lowercase, for those who must know what the writer meant (hidden text, a picture's size).
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
  return read;
}

// No border is what everything here starts with: saying so only matters against a border on all four sides.
function dropIdleBorders(kept: Declarations): void {
  if (kept.get("border") === "0") kept.delete("border");
  if (kept.has("border")) return;
  for (const [property, value] of kept) {
    if (property.startsWith("border-") && value === "0") kept.delete(property);
  }
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

/** Declarations as a style attribute's value. */
export function writeStyle(declarations: Declarations): string {
  return Array.from(declarations, ([property, value]) => `${property}:${value}`).join(";");
}

/** Reads back a style attribute that {@link writeStyle} wrote. */
export function parseWrittenStyle(text: string): Declarations {
  return new Map(
    text.split(";").flatMap((piece): [string, string][] => {
      const colon = piece.indexOf(":");
      return colon === -1 ? [] : [[piece.slice(0, colon).trim(), piece.slice(colon + 1).trim()]];
    }),
  );
}

// `!important` would beat the stylesheet that holds the body in its box.
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

// These mean something to a mail program and nothing to a page, or only lose a measure: not worth an operator's reading.
function isHarmless(property: string, value: string): boolean {
  return (
    harmless.has(property) ||
    /^(?:mso-|-webkit-|-ms-|-moz-|-premailer-)/.test(property) ||
    /^(?:initial|inherit|unset|normal|none|0|0px|0 none)$/.test(value)
  );
}
