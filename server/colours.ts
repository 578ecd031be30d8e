import { crc32 } from "node:zlib";
import { colord, extend } from "colord";
import a11y from "colord/plugins/a11y";
import mix from "colord/plugins/mix";
import { type Colours, usualColours } from "#content/colours.ts";

extend([a11y, mix]);

const paper = "#eef2e9";
const sheet = "#fafcf6";
const ink = "#101a2b";
/** The sheet of a mail in dark mode. */
const night = "#0d2140";

/** WCAG 2.2, success criterion 1.4.3. */
const textContrast = 4.5;

export type ColourResult =
  | { ok: true; accent: string }
  /** `nearest` is the lightest of its hue that passes; null if it is no colour. */
  | { ok: false; contrast: number; nearest: string | null };

/** Reads a colour as `#rgb` or `#rrggbb`, which has to be readable on the site's paper and under white. */
export function readAccent(text: string): ColourResult {
  if (!/^#(?:[0-9a-f]{3}){1,2}$/i.test(text)) return { ok: false, contrast: 0, nearest: null };
  const accent = colord(text).toHex();
  const contrast = onPaper(accent);
  if (contrast >= textContrast) return { ok: true, accent };
  return { ok: false, contrast, nearest: shade(accent, -1, (hex) => onPaper(hex) >= textContrast) };
}

function onPaper(hex: string): number {
  return colord(hex).contrast(paper);
}

/** The site's colours from one. Each keeps the contrast that its place needs. */
export function coloursFrom(accent: string): Colours {
  const against = (ground: string, least: number) => (hex: string) =>
    colord(hex).contrast(ground) >= least;
  const soft = [0.86, 0.9, 0.94].map((white) => colord(accent).mix("#ffffff", white).toHex());
  const fill = shade(accent, 1, against(ink, 6));
  return {
    accent,
    soft: soft.find((hex) => colord(accent).contrast(hex) >= textContrast) ?? sheet,
    fill,
    fillPressed: shade(fill, -1, (hex) => colord(fill).contrast(hex) >= 1.12),
    linkInDark: shade(accent, 1, against(night, 7)),
    lineInDark: shade(accent, 1, against(night, textContrast)),
  };
}

/** The nearest lighter or darker colour of the same hue that passes. */
function shade(from: string, towards: 1 | -1, passes: (hex: string) => boolean): string {
  const { h, s, l } = colord(from).toHsl();
  for (let lightness = l; lightness >= 0 && lightness <= 100; lightness += towards / 2) {
    const hex = colord({ h, s, l: lightness }).toHex();
    if (passes(hex)) return hex;
  }
  return towards === 1 ? "#ffffff" : "#000000";
}

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

function at(colour: number[], channel: number): number {
  return colour[channel] ?? 0;
}
