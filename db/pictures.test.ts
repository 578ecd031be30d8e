import sharp from "sharp";
import { expect, test } from "vitest";
import { drawPicture } from "#tests/draw-picture.ts";
import { readPicture } from "./pictures.ts";

const place = "43.6532 N, 79.3832 W";

async function stored(bytes: Buffer) {
  const read = await readPicture(bytes);
  return read.ok ? read.picture : read.problem;
}

const turned = { exif: place, orientation: 6 };

test.each(["jpeg", "png", "webp"] as const)(
  "a %s is stored upright, without what a camera wrote, and a second time unchanged in size",
  async (type) => {
    const photo = await drawPicture(type, { width: 40, height: 20 }, turned);
    expect(photo.includes(place)).toBe(true);
    const picture = await stored(photo);
    if (typeof picture === "string") throw new Error(picture);
    expect(picture).toMatchObject({ type: `image/${type}`, width: 20, height: 40 });
    expect(picture.bytes.includes(place)).toBe(false);
    expect((await sharp(picture.bytes).metadata()).orientation).toBeUndefined();
    // Red was at the top left, and is at the top right of the upright picture.
    const { data } = await sharp(picture.bytes)
      .extract({ left: 15, top: 3, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data].map((value) => Math.round(value / 255))).toEqual([1, 0, 0]);
    expect(await stored(picture.bytes)).toMatchObject({ width: 20, height: 40 });
  },
);

test("a JPEG loses what follows its end, and a clean one is stored as it is", async () => {
  const clean = await drawPicture("jpeg", { width: 40, height: 20 });
  expect(await stored(clean)).toEqual({ bytes: clean, type: "image/jpeg", width: 40, height: 20 });
  const second = await drawPicture("jpeg", {}, { exif: place });
  const both = await stored(Buffer.concat([clean, second]));
  expect(both).toMatchObject({ width: 40, height: 20 });
  expect(typeof both === "object" && both.bytes.includes(place)).toBe(false);
});

test.each(["jpeg", "png", "webp", "gif"] as const)(
  "a %s whose end is missing is refused, or loses its place",
  async (type) => {
    const photo = await drawPicture(type, { width: 200, height: 100 }, { exif: place });
    for (const missing of [2, 12, photo.length / 2]) {
      const picture = await stored(photo.subarray(0, photo.length - missing));
      if (typeof picture === "object") expect(picture.bytes.includes(place)).toBe(false);
      else expect(picture).toBe("This picture is damaged, or larger than a picture can be.");
    }
  },
);

test("says what is no picture, and what is too large", async () => {
  expect(await stored(Buffer.from("<svg/>"))).toBe("This picture is no PNG, JPEG, GIF or WebP.");
  expect(await stored(Buffer.alloc(5_000_001))).toBe("This picture is larger than 5 MB.");
  expect(await stored(Buffer.from("GIF89a and a beam"))).toMatch("damaged");
});
