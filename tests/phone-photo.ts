import { randomBytes } from "node:crypto";
import type { Locator } from "@playwright/test";
import sharp from "sharp";

/** A PNG of one pixel. */
export const smallestPicture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/**
 * Chooses a photo as a telephone stores it, on its side with a note which way is up, and where it was taken. Returns its
 * size in bytes.
 */
export async function choosePhoto(field: Locator, { width = 4032, height = 3024 } = {}) {
  const noise = randomBytes(width * height * 3);
  // The left edge here is the top of the upright picture.
  const top = { width: Math.round(width / 4), height, channels: 3 as const, background: "#f00" };
  const buffer = await sharp(noise, { raw: { width, height, channels: 3 } })
    .composite([{ input: { create: top }, left: 0, top: 0 }])
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: "TestCam" }, IFD3: { GPSLatitudeRef: "N" } })
    .jpeg({ quality: 100 })
    .toBuffer();
  await field.setInputFiles({ name: "IMG_2041.jpg", mimeType: "image/jpeg", buffer });
  return buffer.length;
}
