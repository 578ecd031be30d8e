import { crc32 } from "node:zlib";
import { colord } from "colord";
import { type Colours, usualColours } from "#content/colours.ts";
import { ink, paper, sheet } from "#settings/colours.ts";

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
