/**
 * Splits at the commas that stand outside of double quotes and parentheses. A backslash keeps the next character as it
 * is. Pieces are given as written, quotes included. Stops, with what is left as the last piece, one piece after `max`:
 * whoever counts the pieces sees that there are too many.
 */
export function splitList(text: string, max: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  let inQuotes = false;
  for (let index = 0; index < text.length && pieces.length < max; index += 1) {
    const character = text.charAt(index);
    if (character === "\\" && inQuotes) {
      index += 1;
    } else if (character === '"') {
      inQuotes = !inQuotes;
    } else if (character === "(" && !inQuotes) {
      depth += 1;
    } else if (character === ")" && !inQuotes) {
      depth -= 1;
    } else if (character === "," && depth === 0 && !inQuotes) {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...pieces, text.slice(start)];
}
