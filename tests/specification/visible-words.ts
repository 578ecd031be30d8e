/** One line of plain spaces, hyphens and straight quotes, so that only the words are compared. */
export function visibleWords(text: string): string {
  return text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‐‑–−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim();
}
