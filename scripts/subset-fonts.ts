/**
 * Cuts the site's two typefaces down to the characters that its words use and the weights and widths that its styles
 * use. A file of 14,000 bytes comes with the first flight of a connection, one that is larger waits for a second: so
 * text, headings and lettering are a file each, and what names and newsletters may bring besides, letters with accents
 * and signs of programs, are files of their own that a browser fetches only where a page has one of them. Runs before
 * each build; writes app/fonts/generated.
 */
import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
// @ts-expect-error It has no types.
import subsetFont from "subset-font";

const root = join(import.meta.dirname, "..");
const outputFolder = join(root, "app/fonts/generated");

// An operator may type these into a setting or an issue's title; the sources' words are added.
const printableAscii = Array.from({ length: 95 }, (_, index) =>
  String.fromCharCode(32 + index),
).join("");
const punctuation = "‘’“”–—…•·×→©";
/** All inside the `unicode-range` that app/styles/fonts.css gives them. */
const rare = "*<>\\^_`{|}~°¼½¾àâçèéêëîïôùûüÀÂÇÈÉÊËÎÏÔÙÛÜ«»œŒæ←";

const archivo = "@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2";

const faces = [
  { source: archivo, output: "archivo", axes: { wght: { min: 400, max: 700 }, wdth: 100 } },
  { source: archivo, output: "archivo-wide", axes: { wght: 750, wdth: 117 } },
  {
    source: "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-500-normal.woff2",
    output: "plex-mono-500",
    axes: undefined,
  },
];

const used = await charactersInUse(["app", "content"]);
await mkdir(outputFolder, { recursive: true });
for (const { source, output, axes } of faces) {
  const original = await readFile(join(root, "node_modules", source));
  for (const [name, characters] of [
    [output, used],
    [`${output}-rare`, rare],
  ] as const) {
    const subset = await subsetFont(original, characters, {
      targetFormat: "woff2",
      // The styles use no other feature of the fonts, and kerning is on by default.
      keepFeatures: ["kern"],
      // Archivo has no hints to begin with, and screens that profit from the mono's have gone.
      noHinting: true,
      ...(axes ? { variationAxes: axes } : {}),
    });
    await writeFile(join(outputFolder, `${name}.woff2`), subset);
    console.log(`${name}.woff2: ${(subset.length / 1000).toFixed(1)} KB`);
  }
}

async function charactersInUse(folders: string[]): Promise<string> {
  const found = new Set(printableAscii + punctuation);
  const sources = `{${folders.join(",")}}/**/*.{ts,tsx,css,html,md}`;
  for await (const file of glob(sources, { cwd: root })) {
    for (const character of await readFile(join(root, file), "utf8")) {
      if (character > " ") found.add(character);
    }
  }
  return [...found]
    .filter((character) => !rare.includes(character))
    .sort()
    .join("");
}
