import * as v from "valibot";

/**
 * The shape of an address (specification, section 5): text, an at-sign, text, a dot, text, no spaces. It tries only the
 * first dot of the host, so that matching takes linear time: 90,000 dots once blocked the server for half a minute.
 */
export const emailShape = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

/** In characters (RFC 5321, section 4.5.3.1.3). */
export const emailMaxLength = 254;

// Pasted line breaks and tabs become spaces in a one-line field.
const lineEndsAndTabs = /\r\n|[\t\n\v\f\r\u2028\u2029]/g;
// Control characters except tabs and line breaks, and format characters that only say where a line may break. The
// joiners of emoji and scripts and the direction marks stay, but for overrides, which make "gnp.exe" look like "exe.png".
const unseen =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u202d\u202e\u2060\ufeff\ufff9-\ufffb]/g;

// U+0080 to U+009F as old Windows programs mean them; a space is unassigned.
const windows1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/**
 * The text without characters that nobody sees or types, which come with a paste from Word, a PDF or an old program.
 * Hyphens (U+001E is Word's, U+0002 a PDF's) and old Windows punctuation become what they stand for, the others nothing.
 */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, (character) => {
    if (character === "\u001e" || character === "\u0002") return "-";
    return windows1252[character.charCodeAt(0) - 0x80]?.trim() ?? "";
  });
}

/** A text in lower case, without accents on Latin letters. In other scripts a mark makes another letter: й, デ. */
export function foldWord(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(?<=\p{sc=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase();
}

/** The text, cut at a word to at most `max` UTF-16 code units including an ellipsis. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = text.slice(0, max - 1);
  const lastSpace = room.lastIndexOf(" ");
  const cut = lastSpace > max / 2 ? room.slice(0, lastSpace) : room;
  return `${cut.replace(/[\s,.;:!?\p{Surrogate}-]+$/u, "")}…`;
}

type TextRules = { max: number; required?: boolean };

/** Trimmed text on one line: at most `max` UTF-16 code units. Line breaks and tabs become spaces. */
export function singleLineText(label: string, rules: TextRules) {
  return v.pipe(
    v.string(`${label} must be text.`),
    v.transform((text) => withoutUnseen(text).replace(lineEndsAndTabs, " ")),
    ...boundedText(label, rules),
  );
}

/** Trimmed text with line breaks and tabs: at most `max` UTF-16 code units. */
export function multiLineText(label: string, rules: TextRules) {
  return v.pipe(
    v.string(`${label} must be text.`),
    v.transform(withoutUnseen),
    ...boundedText(label, rules),
  );
}

/** A trimmed email address of the specification's shape, at most 254 characters. Not each can be mailed: `readAddress`. */
export function emailAddress(label: string) {
  return v.pipe(
    singleLineText(label, { max: emailMaxLength, required: true }),
    v.regex(emailShape, `${label} is not a valid email address.`),
  );
}

/**
 * The signs that an address may not have: special characters of address lists (RFC 5322, section 3.2.3), which could add an address;
 * invisible and bidirectional characters; the replacement character; and the start of an encoded word, which some mail
 * programs decode in addresses (RFC 2047, section 5).
 */
const addressSpecials = /[<>()[\]\\,;:"@\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\ufffd]|=\?/u;

/**
 * Whether an address is safe in a header and an envelope: dot-atoms around one at-sign. Quoted addresses are refused,
 * since practically nobody has one.
 */
export function isPlainAddress(address: string): boolean {
  const parts = address.split("@");
  const arePlain = parts.every((part) => part !== "" && !addressSpecials.test(part));
  return parts.length === 2 && arePlain && address.isWellFormed();
}

function boundedText(label: string, { max, required = false }: TextRules) {
  return [
    v.trim(),
    v.minLength<string, number, string>(required ? 1 : 0, `${label} is required.`),
    v.maxLength<string, number, string>(max, `${label} is longer than ${max} characters.`),
  ] as const;
}

// A visitor could use these to move the cursor, set the window's title, or turn the direction of a line around.
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text from elsewhere on one line: line breaks and tabs become spaces, other control characters are spelled out. */
export function printableLine(text: string): string {
  return printableText(text.replace(/[\r\n\t]+/g, " "));
}

/** Text from elsewhere with its line breaks and tabs kept; other control characters are spelled out. */
export function printableText(text: string): string {
  const spellOut = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/\r\n?|[\v\f\u0085]/g, "\n").replace(unsafe, spellOut);
}
