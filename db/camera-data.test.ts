import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { readPicture } from "./pictures.ts";

const place = "43.6532 N, 79.3832 W";

/** As a camera writes it: a camera's name, which way up, and beside it the place. */
function exifOf(turn: number): Buffer {
  const block = Buffer.alloc(38);
  block.write("MM\0*", "latin1");
  block.writeUInt32BE(8, 4);
  block.writeUInt16BE(2, 8);
  for (const [entry, tag, type, value] of [
    [0, 0x010f, 2, 0],
    [1, 0x0112, 3, turn],
  ] as const) {
    const at = 10 + entry * 12;
    block.writeUInt16BE(tag, at);
    block.writeUInt16BE(type, at + 2);
    block.writeUInt32BE(1, at + 4);
    block.writeUInt16BE(value, at + 8);
  }
  return Buffer.concat([block, Buffer.from(place)]);
}

function segment(marker: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

function jpeg(...middle: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...middle]);
}

const jfif = segment(0xe0, "JFIF\0\x01\x02\0\0\x01\0\x01\0\0");
const colours = segment(0xe2, "ICC_PROFILE\0\x01\x01sRGB");
const frame = segment(0xc0, "\x08\0\x01\0\x01\x01\x01\x11\0");
/** Two scans, as a progressive picture has; a pixel that looks like a marker, and a restart. */
const scans = Buffer.concat([
  segment(0xda, "\x01\x01\0\0\x3f\0"),
  Buffer.from([0x12, 0xff, 0x00, 0xff, 0xd0, 0x34]),
  segment(0xda, "\x01\x01\0\0\x3f\0"),
  Buffer.from([0x56]),
]);
const end = Buffer.from([0xff, 0xd9]);

function chunk(type: string, content: Buffer | string): Buffer {
  const named = Buffer.concat([Buffer.from(type), Buffer.from(content)]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(named.length - 4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

const png = (...chunks: Buffer[]) =>
  Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", "\0\0\0\x01\0\0\0\x01\x08\0\0\0\0"),
    ...chunks,
    chunk("IEND", ""),
  ]);

function riff(type: string, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([Buffer.from(type), size, bytes, Buffer.alloc(bytes.length % 2)]);
}

const webp = (flags: number, ...chunks: Buffer[]) =>
  riff(
    "RIFF",
    Buffer.concat([
      Buffer.from("WEBP"),
      riff("VP8X", Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
      ...chunks,
    ]),
  );

const stored = (bytes: Buffer) => readPicture(bytes)?.bytes;

test("a photo is stored without its place, its program's notes and what follows its end", () => {
  const photo = jpeg(
    segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exifOf(1)])),
    jfif,
    segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${place}</x:xmpmeta>`),
    colours,
    segment(0xe2, `MPF\0${place}`),
    segment(0xed, `Photoshop 3.0\0${place}`),
    segment(0xfe, place),
    frame,
    scans,
    end,
    Buffer.from(`a second picture ${place}`),
  );
  expect(stored(photo)).toEqual(jpeg(jfif, colours, frame, scans, end));
});

test("a photo that lies on its side stays turned", () => {
  const photo = jpeg(
    segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exifOf(6)])),
    frame,
    scans,
    end,
  );
  const kept = stored(photo);
  expect(kept?.includes(place)).toBe(false);
  const [turned] = kept?.toString("latin1").match(/Exif\0\0MM\0\*[\s\S]{22}/) ?? [];
  expect(Buffer.from(turned ?? "", "latin1").readUInt16BE(6 + 18)).toBe(6);
  expect(kept?.subarray(-scans.length - 2)).toEqual(Buffer.concat([scans, end]));
  // Stored a second time, it is the same picture.
  expect(stored(kept as Buffer)).toEqual(kept);
});

test("a PNG is stored without its texts, its time and its place", () => {
  const pixels = chunk("IDAT", "pixels");
  const notes = ["tEXt", "zTXt", "iTXt", "tIME"].map((type) => chunk(type, place));
  const gamma = chunk("gAMA", "\0\0\xb1\x8f");
  const trailing = Buffer.concat([
    png(chunk("eXIf", exifOf(1)), gamma, ...notes, pixels),
    Buffer.from(place),
  ]);
  expect(stored(trailing)).toEqual(png(gamma, pixels));
  const turned = stored(png(chunk("eXIf", exifOf(8)), pixels));
  expect(turned?.includes(place)).toBe(false);
  expect(turned?.includes("eXIf")).toBe(true);
});

test("a WebP is stored without its place, and its head doesn't promise one", () => {
  const pixels = riff("VP8 ", "pixel");
  const photo = webp(0b11100, pixels, riff("EXIF", exifOf(1)), riff("XMP ", place));
  expect(stored(photo)).toEqual(webp(0b10000, pixels));
  const turned = stored(webp(0b1000, pixels, riff("EXIF", exifOf(3))));
  expect(turned?.includes(place)).toBe(false);
  expect(turned?.includes("EXIF")).toBe(true);
});
