/**
 * Draws the picture that stands for a page where its link is shared, from the page's own title in the site's own type.
 * Runs at the end of each build; writes build/client/share.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Resvg } from "@resvg/resvg-js";
import subsetFont from "subset-font";
import {
  pageSharePicture,
  type SharePicture,
  sharePicturePath,
  siteSharePicture,
} from "#app/seo/share-picture.ts";
import { home } from "#content/pages/home.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { sitePages } from "#content/site-pages.ts";
import { palettePng } from "./palette-png.ts";
import { type Faces, newsletterPicture, pagePicture } from "./share-pictures/picture.ts";
import { fontOptions } from "./share-pictures/typeset.ts";

const projectRoot = path.join(import.meta.dirname, "..");
const clientFolder = path.join(projectRoot, "build/client");

const pages = sitePages.map(({ head }) => ({ ...pageSharePicture(head), path: head.path }));
const pictures = [...pages, { ...siteSharePicture, path: home.head.path }];

const fontFolder = await mkdtemp(path.join(tmpdir(), "share-pictures-"));
try {
  const faces = await cutFaces(fontFolder, pictures);
  await mkdir(path.join(clientFolder, path.dirname(sharePicturePath("any"))), { recursive: true });
  for (const picture of pictures) {
    const drawing =
      picture.path === newsletter.head.path
        ? newsletterPicture(newsletter.name, picture.alt, faces)
        : pagePicture(picture.alt, nameOfSheet(picture.path), faces);
    const rendered = new Resvg(drawing, fontOptions([faces.heading, faces.lettering])).render();
    await writeFile(path.join(clientFolder, sharePicturePath(picture.slug)), palettePng(rendered));
  }
} finally {
  await rm(fontFolder, { recursive: true });
}

function nameOfSheet(path: string): string {
  return path === home.head.path ? "Title sheet" : path;
}

/** The site's typefaces as files of one weight and width, which is what the renderer reads, with the letters in use. */
async function cutFaces(folder: string, all: (SharePicture & { path: string })[]): Promise<Faces> {
  const printableAscii = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at));
  const letters = all.map(({ alt, path }) => alt + path).join("") + printableAscii;
  async function cut(source: string, name: string, axes?: Record<string, number>) {
    const original = await readFile(path.join(projectRoot, "node_modules", source));
    const file = path.join(folder, name);
    const options = { targetFormat: "sfnt", ...(axes && { variationAxes: axes }) } as const;
    await writeFile(file, await subsetFont(original, letters, options));
    return file;
  }
  return {
    heading: {
      family: "Archivo",
      file: await cut(
        "@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2",
        "archivo.ttf",
        { wght: 750, wdth: 117 },
      ),
    },
    lettering: {
      family: "IBM Plex Mono Medium",
      file: await cut(
        "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-500-normal.woff2",
        "plex-mono.ttf",
      ),
    },
  };
}
