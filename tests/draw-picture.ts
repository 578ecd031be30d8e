import sharp from "sharp";

/** A picture of four colours, as a camera writes it where `exif` is given. */
export async function drawPicture(
  type: "png" | "jpeg" | "gif" | "webp",
  size: { width?: number; height?: number } = {},
  { exif, orientation }: { exif?: string; orientation?: number } = {},
): Promise<Buffer> {
  const { width = 4, height = 2 } = size;
  const pixels = Buffer.from("ff000000ff000000ffffffff", "hex");
  const drawn = sharp(pixels, { raw: { width: 2, height: 2, channels: 3 } })
    .resize(width, height, { fit: "fill", kernel: "nearest" })
    .toFormat(type);
  if (orientation) drawn.withMetadata({ orientation });
  if (exif) drawn.withExif({ IFD0: { ImageDescription: exif, Make: exif } });
  return await drawn.toBuffer();
}
