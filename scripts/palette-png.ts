import { crc32, deflateSync } from "node:zlib";

/** As `@resvg/resvg-js` renders: rows of red, green, blue and premultiplied alpha, a byte each. */
type Rendered = { width: number; height: number; pixels: Uint8Array };

/** Most entries of a PNG's palette. */
const maxColours = 256;

/**
 * A PNG with one byte a pixel (PNG specification, colour type 3). Flat drawings have few colours besides the blends at
 * their edges, so those seen least are taken for the nearest of the others.
 */
export function palettePng({ width, height, pixels }: Rendered): Uint8Array {
  const colours = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const palette = choosePalette(colours);
  const indexOf = new Map<number, number>(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = colours[y * width + x] ?? 0;
      const index = indexOf.get(colour) ?? nearest(palette, colour);
      indexOf.set(colour, index);
      // Each row begins with a filter byte; none does best on palettes.
      rows[y * (width + 1) + 1 + x] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const channels = palette.map(readColour);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(channels.flatMap((channel) => channel.slice(0, 3)))),
    chunk("tRNS", Buffer.from(channels.map(([, , , alpha]) => alpha))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function choosePalette(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxColours)
    .map(([colour]) => colour);
}

function nearest(palette: number[], colour: number): number {
  const wanted = readColour(colour);
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const [index, candidate] of palette.entries()) {
    const channels = readColour(candidate);
    const distance = channels.reduce((sum, value, at) => sum + (value - (wanted[at] ?? 0)) ** 2, 0);
    if (distance < bestDistance) [best, bestDistance] = [index, distance];
  }
  return best;
}

type Channels = [red: number, green: number, blue: number, alpha: number];

function readColour(colour: number): Channels {
  const alpha = colour >>> 24;
  const straight = (value: number) => (alpha === 0 ? 0 : Math.round((value * 255) / alpha));
  return [
    straight(colour & 255),
    straight((colour >>> 8) & 255),
    straight((colour >>> 16) & 255),
    alpha,
  ];
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
