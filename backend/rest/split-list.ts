/**
 * Splits at the commas that stand outside of double quotes and parentheses. A backslash keeps the next character as it
 * is. Pieces are given as written, quotes included.
 */
export function splitList(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let depth = 0;
  let inQuotes = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === "\\" && inQuotes) {
      piece += character + text.charAt(index + 1);
      index += 1;
      continue;
    }
    if (character === '"') {
      inQuotes = !inQuotes;
    } else if (!inQuotes && character === "(") {
      depth += 1;
    } else if (!inQuotes && character === ")") {
      depth -= 1;
    }
    if (character === "," && depth === 0 && !inQuotes) {
      pieces.push(piece);
      piece = "";
    } else {
      piece += character;
    }
  }
  return [...pieces, piece];
}
