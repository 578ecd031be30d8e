/** What every browser and nearly every mail program shows, and nothing that can hold a script. */
export type PictureType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

const endings: Record<PictureType, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

export function endingOf(type: PictureType): string {
  return endings[type];
}

/** The type of a picture by its first bytes, whatever it says of itself; null where it's none of these. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16));
  const text = start.toString("latin1");
  if (text.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  if (text.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return /^RIFF[\s\S]{4}WEBP/.test(text) ? "image/webp" : null;
}
