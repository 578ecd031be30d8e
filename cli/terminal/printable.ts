// Control characters of ASCII and Latin-1, line separators, and the marks that turn the direction of text around:
// a visitor could use them to move the cursor, set the window's title, or make a line read as another one.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const unsafeButLines =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text from elsewhere on one line: line breaks and tabs become spaces, other control characters are spelled out. */
export function printableLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, " ").replace(unsafe, spellOut);
}

/** Text from elsewhere with its line breaks and tabs kept; other control characters are spelled out. */
export function printableText(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085]/g, "\n").replace(unsafeButLines, spellOut);
}

function spellOut(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
