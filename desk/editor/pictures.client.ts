/** Twice what the page's column and the mail show, so that it is sharp on a phone. */
const maxWidthPx = 1280;
const maxHeightPx = 2560;
/** A mail's column. Outlook shows a wider picture beside it. */
const mailWidthPx = 534;

export type StoredPicture =
  | { ok: true; path: string; width: string }
  | { ok: false; problem: string };

/** The files that were pasted or dropped alone. Office puts a picture of what was copied beside its words, which count. */
export function filesOf(data: DataTransfer | null): File[] {
  const hasWords = data?.getData("text/plain").trim();
  return hasWords ? [] : [...(data?.files ?? [])];
}

export async function storePicture(file: File, draftId: number): Promise<StoredPicture> {
  const made = await makePicture(file);
  if ("problem" in made) return { ok: false, problem: `“${file.name}” ${made.problem}` };
  const answer = await fetch(`/issues/drafts/${draftId}/pictures`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: made.bytes,
  }).catch(() => null);
  const stored: { path?: string; problem?: string } =
    (await answer?.json().catch(() => null)) ?? {};
  if (stored.path) {
    return { ok: true, path: stored.path, width: String(Math.min(made.width, mailWidthPx)) };
  }
  return {
    ok: false,
    problem: stored.problem ?? `“${file.name}” could not be stored: there is no connection.`,
  };
}

/** A portrait as a square `data:` picture; faces are in the upper part of a photo. */
export async function makePortrait(
  file: File,
): Promise<{ ok: true; url: string } | { ok: false; problem: string }> {
  const made = await makePicture(file, { squarePx: 480 });
  if ("problem" in made) return { ok: false, problem: `“${file.name}” ${made.problem}` };
  const bytes = new Uint8Array(await made.bytes.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return { ok: true, url: `data:image/jpeg;base64,${btoa(text)}` };
}

/**
 * Draws a picture anew: upright, no larger than needed, and without what a camera wrote beside it, such as the place. With
 * `squarePx`, it is cut to a square and always a JPEG.
 */
async function makePicture(
  file: File,
  { squarePx }: { squarePx?: number } = {},
): Promise<{ bytes: Blob; width: number } | { problem: string }> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(
    () => null,
  );
  if (!bitmap) return { problem: unreadable(file) };
  const { width, height } = bitmap;
  if (file.type === "image/gif" && !squarePx) return { bytes: file, width };
  const side = Math.min(width, height);
  const [cutWidth, cutHeight] = squarePx ? [side, side] : [width, height];
  const scale = squarePx
    ? Math.min(1, squarePx / side)
    : Math.min(1, maxWidthPx / width, maxHeightPx / height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(cutWidth * scale));
  canvas.height = Math.max(1, Math.round(cutHeight * scale));
  const drawing = canvas.getContext("2d");
  if (!drawing) return { problem: "needs more memory than this browser has." };
  drawing.imageSmoothingQuality = "high";
  const [left, top] = [(width - cutWidth) / 2, (height - cutHeight) / 3];
  if (squarePx) {
    drawing.fillStyle = "white";
    drawing.fillRect(0, 0, canvas.width, canvas.height);
  }
  drawing.drawImage(
    ...([bitmap, left, top, cutWidth, cutHeight] as const),
    ...([0, 0, canvas.width, canvas.height] as const),
  );
  bitmap.close();
  // A photo; what else has sharp edges or shows the ground through is smaller and sharper as PNG, unless it is large.
  const png =
    squarePx || /jpe?g|hei[cf]/i.test(file.type) ? null : await encode(canvas, "image/png");
  const isSmall = png && (png.size < 400_000 || isTransparent(drawing));
  const bytes = isSmall ? png : await encode(canvas, "image/jpeg");
  return bytes ? { bytes, width: canvas.width } : { problem: "could not be made smaller." };
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.82));
}

function isTransparent(drawing: CanvasRenderingContext2D): boolean {
  const { width, height } = drawing.canvas;
  return drawing
    .getImageData(0, 0, width, height)
    .data.some((value, at) => at % 4 === 3 && value < 255);
}

function unreadable({ name, type }: File): string {
  if (/hei[cf]/i.test(`${type} ${name}`)) {
    return "is a HEIC photo, which this browser can’t read. Add it with Safari or from the iPhone itself, or save it as JPEG first.";
  }
  return type.startsWith("image/")
    ? "is damaged, or no picture that this browser can read. Save it as JPEG or PNG."
    : "is no picture. Put it on the web, and link to it from the text.";
}
