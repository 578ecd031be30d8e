/** The text if it is at most `max` UTF-16 code units long, otherwise its words as far as they fit, with an ellipsis. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = text.slice(0, max - 1);
  const lastSpace = room.lastIndexOf(" ");
  const cut = lastSpace > max / 2 ? room.slice(0, lastSpace) : room;
  return `${cut.replace(/[\s,.;:!?\p{Surrogate}-]+$/u, "")}…`;
}
