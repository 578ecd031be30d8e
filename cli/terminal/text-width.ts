const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const asciiOnly = /^[\x20-\x7e]*$/;
// East Asian scripts and full-width forms take two columns, as an emoji does.
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u;
const marksOnly = /^[\p{M}\p{Cf}]+$/u;

/** How many columns of a terminal the text takes. */
export function textWidth(text: string): number {
  if (asciiOnly.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += graphemeWidth(segment);
  return columns;
}

/** The text in at most that many columns, with an ellipsis where it was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += graphemeWidth(segment);
    if (used > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The text, filled with spaces to that many columns. */
export function padToWidth(text: string, columns: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, columns - textWidth(text)));
  return align === "left" ? text + space : space + text;
}

function graphemeWidth(grapheme: string): number {
  if (marksOnly.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
