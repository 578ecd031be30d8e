import type { Locator } from "@playwright/test";

/** A PNG of one pixel. */
export const smallestPicture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A photo as a telephone stores it, on its side with a note which way is up, and where it was taken. */
export async function choosePhoto(
  field: Locator,
  size: { width: number; height: number } = { width: 4032, height: 3024 },
): Promise<number> {
  return await field.evaluate(async (input: HTMLInputElement, { width, height }) => {
    const canvas = new OffscreenCanvas(width, height);
    const drawing = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
    const noise = drawing.createImageData(width, height);
    const words = new Uint32Array(noise.data.buffer);
    for (let at = 0; at < words.length; at += 1) words[at] = (Math.random() * 2 ** 32) | 0xff000000;
    drawing.putImageData(noise, 0, 0);
    // What is left here is on top of the upright picture.
    drawing.fillStyle = "#f00";
    drawing.fillRect(0, 0, width / 4, height);
    const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.99 });
    const bytes = new Uint8Array(await jpeg.arrayBuffer());
    const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0));
    const long = (value: number) => [0, 0, 0, value];
    const entry = (tag: number[], type: number, count: number, value: number[]) => {
      return [...tag, 0, type, ...long(count), ...value];
    };
    const tiff = [
      ...[...text("MM"), 0, 42, ...long(8)],
      // The camera, the way up, and where the place is.
      ...[0, 3, ...entry([1, 0x0f], 2, 8, long(50)), ...entry([1, 0x12], 3, 1, [0, 6, 0, 0])],
      ...[...entry([0x88, 0x25], 4, 1, long(58)), ...long(0), ...text("TestCam"), 0],
      ...[0, 1, ...entry([0, 1], 2, 2, [...text("N"), 0, 0, 0]), ...long(0)],
    ];
    const exif = [...text("Exif"), 0, 0, ...tiff];
    const segment = [0xff, 0xe1, 0, exif.length + 2, ...exif];
    const parts = [bytes.slice(0, 2), new Uint8Array(segment), bytes.slice(2)];
    const photo = new File(parts, "IMG_2041.jpg", { type: "image/jpeg" });
    const files = new DataTransfer();
    files.items.add(photo);
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    return photo.size;
  }, size);
}
