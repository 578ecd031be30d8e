/**
 * Cuts the site's two typefaces down to the characters that its words use and the axes that its styles use, so that
 * the first page carries tens of kilobytes of type and not hundreds. Runs before each build; writes app/fonts/generated.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import subsetFont from "subset-font";

const root = join(import.meta.dirname, "..");
const outputFolder = join(root, "app/fonts/generated");

// What an operator may type into a setting or an issue's title, beyond the words that are in the sources today.
const printableAscii = Array.from({ length: 95 }, (_, index) =>
  String.fromCharCode(32 + index),
).join("");
const punctuationAndFrench = "‘’“”–—…•·×→←©°½¼¾àâçèéêëîïôùûüÀÂÇÈÉÊËÎÏÔÙÛÜ«»œŒæ";

const faces = [
  {
    source: "@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2",
    output: "archivo.woff2",
    variationAxes: { wght: { min: 400, max: 800 }, wdth: { min: 100, max: 125 } },
  },
  {
    source: "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-500-normal.woff2",
    output: "plex-mono-500.woff2",
    variationAxes: undefined,
  },
];

const characters = await charactersInUse(["app", "content"]);
await mkdir(outputFolder, { recursive: true });
for (const face of faces) {
  const original = await readFile(join(root, "node_modules", face.source));
  const subset = await subsetFont(original, characters, {
    targetFormat: "woff2",
    ...(face.variationAxes ? { variationAxes: face.variationAxes } : {}),
  });
  await writeFile(join(outputFolder, face.output), subset);
  console.log(`${face.output}: ${(subset.length / 1000).toFixed(1)} KB`);
}

async function charactersInUse(folders: string[]): Promise<string> {
  const found = new Set(printableAscii + punctuationAndFrench);
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || !/\.(ts|tsx|css|html|md)$/.test(entry.name)) continue;
      for (const character of await readFile(join(entry.parentPath, entry.name), "utf8")) {
        if (character > " ") found.add(character);
      }
    }
  }
  return [...found].sort().join("");
}
