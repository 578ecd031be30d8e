/**
 * Draws the firm's logo, app/seo/icons.ts, in the sizes that browsers and phones ask for. Run it by hand when the logo has
 * changed, `node_modules/.bin/node scripts/draw-icons.ts`; what it writes is kept with the sources, since it is small.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Resvg } from "@resvg/resvg-js";
import { iconPath, logoSvg as logo } from "#app/seo/icons.ts";
import { palettePng } from "./palette-png.ts";

const publicFolder = path.join(import.meta.dirname, "../public");

/** Shares of the edge that the logo keeps: phones cut corners, and a maskable icon may lose a fifth on each side. */
const fullBleed = { appleTouch: 0.86, maskable: 0.72 };

await write(iconPath.vector, Buffer.from(`${logo}\n`));
await write(iconPath.classic, ico([16, 32]));
await write(iconPath.appleTouch, draw(onInk(fullBleed.appleTouch), 180));
await write(iconPath.small, draw(logo, 192));
await write(iconPath.large, draw(logo, 512));
await write(iconPath.maskable, draw(onInk(fullBleed.maskable), 512));

async function write(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path.join(publicFolder, file), bytes);
  console.log(`${file}: ${(bytes.length / 1000).toFixed(1)} KB`);
}

function render(svg: string, edge: number) {
  return new Resvg(svg, { fitTo: { mode: "width", value: edge } }).render();
}

function draw(svg: string, edge: number): Uint8Array {
  return palettePng(render(svg, edge));
}

/** The logo on a square of its own ground, without rounded corners. */
function onInk(share: number): string {
  const inner = logo.replace(/^<svg[^>]*>|<\/svg>\s*$/g, "").replace(/<rect[^>]*>/, "");
  const margin = (30 * (1 - share)) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 30"><path fill="#101a2b" d="M0 0h30v30H0z"/><g transform="translate(${margin} ${margin}) scale(${share})">${inner}</g></svg>`;
}

/** An icon file: a directory of 6 + 16 bytes an entry, then the pictures as PNG with four bytes a pixel. */
function ico(edges: number[]): Uint8Array {
  const pictures = edges.map((edge) => render(logo, edge).asPng());
  const directory = Buffer.alloc(6 + 16 * edges.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(edges.length, 4);
  let offset = directory.length;
  for (const [index, picture] of pictures.entries()) {
    const entry = 6 + 16 * index;
    directory.writeUInt8(edges[index] ?? 0, entry);
    directory.writeUInt8(edges[index] ?? 0, entry + 1);
    directory.writeUInt16LE(1, entry + 4);
    directory.writeUInt16LE(32, entry + 6);
    directory.writeUInt32LE(picture.length, entry + 8);
    directory.writeUInt32LE(offset, entry + 12);
    offset += picture.length;
  }
  return Buffer.concat([directory, ...pictures]);
}
