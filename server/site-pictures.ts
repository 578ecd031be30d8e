import { crc32, deflateSync, inflateSync } from "node:zlib";
import { colord } from "colord";
import { type Colours, usualColours } from "#content/colours.ts";
import { ink, paper, sheet } from "./colours.ts";

/** One of the site's own pictures in the given colours: an SVG, or a PNG with a palette. */
export function recolour(picture: Buffer<ArrayBuffer>, { accent, fill }: Colours) {
  const pairs = [
    [usualColours.accent, accent],
    [usualColours.fill, fill],
  ] as const;
  if (!picture.subarray(1, 4).equals(Buffer.from("PNG"))) {
    const svg = pairs.reduce((text, [from, to]) => text.replaceAll(from, to), picture.toString());
    return Buffer.from(svg);
  }
  const copy = Buffer.from(picture);
  const at = copy.indexOf("PLTE");
  const end = at + 4 + copy.readUInt32BE(at - 4);
  for (let place = at + 4; place < end; place += 3) {
    const entry = [...copy.subarray(place, place + 3)];
    for (const [from, to] of pairs) copy.set(moved(entry, rgb(from), rgb(to)) ?? [], place);
  }
  copy.writeUInt32BE(crc32(copy.subarray(at, end)), end);
  return copy;
}

const grounds = [paper, sheet, ink].map(rgb);

/** A colour of the palette that is `from` over a ground, at an edge in part only, with `to` in its place. */
function moved(entry: number[], from: number[], to: number[]): number[] | null {
  for (const ground of grounds) {
    const way = from.map((value, channel) => value - at(ground, channel));
    const gone = entry.map((value, channel) => value - at(ground, channel));
    const share = dot(gone, way) / dot(way, way);
    const rest = gone.map((value, channel) => value - share * at(way, channel));
    if (share < 0.05 || share > 1.02 || Math.hypot(...rest) > 10) continue;
    return ground.map((value, channel) => Math.round(value + share * (at(to, channel) - value)));
  }
  return null;
}

function rgb(hex: string): number[] {
  const { r, g, b } = colord(hex).toRgb();
  return [r, g, b];
}

function dot(one: number[], other: number[]): number {
  return one.reduce((sum, value, channel) => sum + value * at(other, channel), 0);
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}

/** Where a shared link's picture has the site's mark, in pixels. */
const mark = { left: 504, top: 484, side: 73 };

/** A shared link's picture, a PNG with a palette of a byte a pixel, with its sheet where the site's mark was. */
export function withoutMark(picture: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const chunks = chunksOf(picture);
  const width = picture.readUInt32BE(16);
  const packed = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
  const rows = unfiltered(inflateSync(Buffer.concat(packed)), width + 1);
  const blank = rows[mark.top]?.[mark.left - 2] ?? 0;
  for (const row of rows.slice(mark.top, mark.top + mark.side)) {
    row.fill(blank, mark.left + 1, mark.left + 1 + mark.side);
  }
  const data = deflateSync(Buffer.concat(rows), { level: 9 });
  const first = chunks.findIndex(({ type }) => type === "IDAT");
  const others = chunks.filter(({ type }) => type !== "IDAT");
  const written = others.toSpliced(first, 0, { type: "IDAT", data }).map(writeChunk);
  return Buffer.concat([picture.subarray(0, 8), ...written]);
}

type Chunk = { type: string; data: Buffer };

function chunksOf(picture: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let place = 8; place < picture.length; ) {
    const length = picture.readUInt32BE(place);
    const type = picture.toString("latin1", place + 4, place + 8);
    chunks.push({ type, data: picture.subarray(place + 8, place + 8 + length) });
    place += length + 12;
  }
  return chunks;
}

function writeChunk({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

/** Rows without their filters (PNG, section 9), each after a zero, which names no filter. */
function unfiltered(bytes: Buffer, rowLength: number): Buffer[] {
  const rows: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += rowLength) {
    const row = bytes.subarray(start, start + rowLength);
    const filter = row[0];
    const above = rows.at(-1) ?? Buffer.alloc(rowLength);
    row[0] = 0;
    for (let x = 1; x < rowLength; x += 1) {
      const left = at(row, x - 1);
      const up = at(above, x);
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, at(above, x - 1))];
      row[x] = at(row, x) + (added[filter ?? 0] ?? 0);
    }
    rows.push(row);
  }
  return rows;
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft = 0, toUp = 0, toCorner = 0] = [
    up - corner,
    left - corner,
    left + up - 2 * corner,
  ].map(Math.abs);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
