import * as v from "valibot";

/** Specification, section 5. Tries only the host's first dot, so that matching takes linear time. */
export const emailShape = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

/** RFC 5321, section 4.5.3.1.3. */
export const emailMaxLength = 254;

const lineEndsAndTabs = /\r\n|[\t\n\v\f\r\u2028\u2029]/g;
// Invisible characters except line breaks, joiners and direction marks; overrides go: they make
// "gnp.exe" look like "exe.png".
const unseen =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u202d\u202e\u2060\ufeff\ufff9-\ufffb]/g;

// U+0080 to U+009F in old Windows programs; a space is unassigned.
const windows1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/**
 * Removes pasted invisible characters. Hyphens (Word's U+001E, a PDF's U+0002) and Windows
 * punctuation become what they stand for.
 */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, (character) => {
    if (character === "\u001e" || character === "\u0002") return "-";
    return windows1252[character.charCodeAt(0) - 0x80]?.trim() ?? "";
  });
}

const letters: Record<string, string> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ß: "ss",
  ς: "σ",
  "’": "'",
  "‘": "'",
};

/** `Étienne` becomes `etienne`, to compare what people type. In other scripts a mark makes another letter: й, デ. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(?<=[\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[łøđßς’‘]/g, (letter) => letters[letter] ?? "");
}

/** The words of a search, at most ten. */
export function searchWords(typed: string): string[] {
  return foldText(typed).split(/\s+/).filter(Boolean).slice(0, 10);
}

/** At most `max` UTF-16 code units, with an ellipsis. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = text.slice(0, max - 1);
  const lastSpace = room.lastIndexOf(" ");
  const cut = lastSpace > max / 2 ? room.slice(0, lastSpace) : room;
  return `${cut.replace(/[\s,.;:!?\p{Surrogate}-]+$/u, "")}…`;
}

type TextRules = { max: number; required?: boolean };

/** At most `max` UTF-16 code units. Line breaks and tabs become spaces. */
export function singleLineText(label: string, rules: TextRules) {
  return v.pipe(
    v.string(`${label} must be text.`),
    v.transform((text) => withoutUnseen(text).replace(lineEndsAndTabs, " ")),
    ...boundedText(label, rules),
  );
}

/** At most `max` UTF-16 code units. */
export function multiLineText(label: string, rules: TextRules) {
  return v.pipe(
    v.string(`${label} must be text.`),
    v.transform(withoutUnseen),
    ...boundedText(label, rules),
  );
}

/** At most 254 characters. `readAddress` says whether it can be mailed. */
export function emailAddress(label: string) {
  return v.pipe(
    singleLineText(label, { max: emailMaxLength, required: true }),
    v.regex(emailShape, `${label} is not a valid email address.`),
  );
}

/**
 * Separators of address lists (RFC 5322, section 3.2.3), invisible characters, and encoded words
 * (RFC 2047, section 5).
 */
const addressSpecials = /[<>()[\]\\,;:"@\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\ufffd]|=\?/u;

/** Safe in a header and an envelope. Quoted addresses are refused, since practically nobody has one. */
export function isPlainAddress(address: string): boolean {
  const parts = address.split("@");
  const arePlain = parts.every((part) => part !== "" && !addressSpecials.test(part));
  return parts.length === 2 && arePlain && address.isWellFormed();
}

function boundedText(label: string, { max, required = false }: TextRules) {
  return [
    v.trim(),
    // Neither database can store lone surrogates.
    v.check<string, string>(
      (text) => text.isWellFormed(),
      `${label} contains characters that can't be stored.`,
    ),
    v.minLength<string, number, string>(required ? 1 : 0, `${label} is required.`),
    v.maxLength<string, number, string>(max, `${label} is longer than ${max} characters.`),
  ] as const;
}

// These move the cursor, set the window's title, or turn a line around.
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Spells control characters out. */
export function printableLine(text: string): string {
  return printableText(text.replace(/[\r\n\t]+/g, " "));
}

/** Keeps line breaks and tabs, spells other control characters out. */
export function printableText(text: string): string {
  const spellOut = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/\r\n?|[\v\f\u0085]/g, "\n").replace(unsafe, spellOut);
}
