import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { colord } from "colord";
import { getMimeType } from "hono/utils/mime";
import { type Colours, usualColours } from "#content/colours.ts";
import { iconPath, logoPath } from "#contracts/icons.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { ink, paper, sheet } from "#settings/colours.ts";
import type { LogoFile } from "#settings/setting-kinds.ts";
import { securityHeaders } from "./document.ts";
import { type StoredAnswer, store } from "./page-cache.ts";

/** A name with a hash of its content in it, so its bytes never change. */
const hashedName = /^\/assets\/[^/]+-[\w-]{6,8}\.\w+$/;

/** Usual names of a site's service worker; the first is the one in public/, which ends a former site's. */
const serviceWorkers = [
  "/sw.js",
  "/service-worker.js",
  "/serviceworker.js",
  "/service_worker.js",
  "/ngsw-worker.js",
  "/pwabuilder-sw.js",
  "/superpwa-sw.js",
];

const ownPicture = /^\/(?:favicon\.svg|[\w-]*icon[\w-]*\.png|share\/[\w/-]+\.png)$/;

/** Pictures of shared links without the site's mark. */
const unmarkedFolder = "/share/unmarked/";

/** The built files by path, in memory so that a new build doesn't disturb a running site. */
export function readFiles(
  folder: string,
  settings: SiteSettings,
  logo: LogoFile | null = null,
): Map<string, StoredAnswer> {
  const { colours } = settings;
  const contents = new Map<string, Buffer<ArrayBuffer>>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).replaceAll(path.sep, "/");
    // Dot folders are for tools.
    if (entry.isFile() && !/(?:^|\/)\.(?!well-known\/)/.test(name)) {
      contents.set(`/${name}`, readFileSync(file));
    }
  }
  if (colours) recolourPictures(contents, colours);
  if (logo) putLogo(contents, logo);
  const lastWorker = contents.get("/sw.js");
  if (lastWorker) for (const name of serviceWorkers) contents.set(name, lastWorker);
  const files = new Map<string, StoredAnswer>();
  for (const [name, body] of contents) {
    const isCompressedForm = /\.(?:br|gz)$/.test(name) && contents.has(name.replace(/\.\w+$/, ""));
    if (isCompressedForm) continue;
    const contentType = getMimeType(name) ?? "application/octet-stream";
    const headers = {
      "content-type": contentType,
      "cache-control": cachingOf(name),
      ...securityHeaders(settings, contentType),
    };
    const compressed = { br: contents.get(`${name}.br`), gzip: contents.get(`${name}.gz`) };
    files.set(name, store({ status: 200, headers, body }, compressed));
  }
  return files;
}

function cachingOf(name: string): string {
  if (serviceWorkers.includes(name)) return "no-store";
  return hashedName.test(name) ? "public, max-age=31536000, immutable" : "public, max-age=3600";
}

function recolourPictures(contents: Map<string, Buffer<ArrayBuffer>>, colours: Colours): void {
  forgetCompressed(contents, [iconPath.vector, iconPath.classic]);
  for (const [name, picture] of contents) {
    if (ownPicture.test(name)) contents.set(name, recolour(picture, colours));
  }
  // The classic icon has no palette. Browsers tell a picture's kind by its bytes.
  const small = contents.get(iconPath.small);
  if (small) contents.set(iconPath.classic, small);
}

/** The firm's own logo in place of the site's mark; an SVG can't be a picture of pixels. */
function putLogo(contents: Map<string, Buffer<ArrayBuffer>>, { type, bytes }: LogoFile): void {
  const { vector, classic, ...pixels } = iconPath;
  forgetCompressed(contents, [vector, classic]);
  contents.delete(vector);
  for (const [name, picture] of contents) {
    if (name.startsWith(unmarkedFolder))
      contents.set(name.replace(unmarkedFolder, "/share/"), picture);
  }
  for (const name of [classic, ...Object.values(pixels)]) {
    if (type === "png") contents.set(name, bytes);
    else contents.delete(name);
  }
  if (type === "svg") contents.set(vector, bytes);
  contents.set(logoPath(type), bytes);
}

/** The build has also compressed some pictures that the owner's replace. */
function forgetCompressed(contents: Map<string, Buffer<ArrayBuffer>>, names: string[]): void {
  for (const name of names.flatMap((each) => [`${each}.br`, `${each}.gz`])) contents.delete(name);
}

/** One of the site's own pictures in the given colours: an SVG, or a PNG with a palette. */
function recolour(picture: Buffer<ArrayBuffer>, { accent, fill }: Colours) {
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
