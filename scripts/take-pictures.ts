// Pictures of the built site, with its starter issues and nothing else in it.
//
//   npm run pictures                 the README's tour, into docs/pictures
//   npm run pictures -- --all DIR    every page and state at every width, whole, and on paper, for looking through
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { sitePages } from "#tests/every-page/routes.ts";
import { startSiteServer } from "#tests/site-server.ts";
import { findOrInstallChromium } from "./chromium.ts";
import { picturedStates } from "./pictured-states.ts";

const tourFolder = path.join(import.meta.dirname, "..", "docs", "pictures");

/** What the README shows: a screen, the window's size, and the picture's width, all in pixels. */
const tour = [
  { name: "home", path: "/", width: 1440, height: 1000, pictureWidth: 900 },
  { name: "pricing", path: "/pricing", width: 1440, height: 1000, pictureWidth: 900 },
  { name: "use-case", path: "/use-cases/leads", width: 1440, height: 1000, pictureWidth: 900 },
  { name: "newsletter", path: "/newsletter", width: 1440, height: 1000, pictureWidth: 900 },
  { name: "issue", path: "/newsletter/1", width: 1440, height: 1000, pictureWidth: 900 },
  { name: "contact", path: "/contact", width: 1440, height: 1000, pictureWidth: 900 },
  { name: "home-small", path: "/", width: 390, height: 844, pictureWidth: 390 },
  { name: "newsletter-small", path: "/newsletter", width: 390, height: 844, pictureWidth: 390 },
] as const;

/** Whole pages, for looking through: from the narrowest phone to the widest window, in pixels. */
const widthsPx = [320, 390, 768, 1440, 1920];

const papers = ["A4", "Letter"];

const pictureQuality = 0.72;

/** Bytes that no picture of the tour may exceed, since a repository carries them for good. */
const pictureMaxBytes = 150 * 1024;

const { values: options } = parseArgs({ options: { all: { type: "string" } } });
const site = await startSiteServer();
const executablePath = findOrInstallChromium();
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  await (options.all ? takeAll(browser, path.resolve(options.all)) : takeTour(browser));
} finally {
  await browser.close();
  await site.close();
}

async function takeTour(browser: Browser) {
  await mkdir(tourFolder, { recursive: true });
  const darkroom = await browser.newPage();
  for (const { name, path: address, width, height, pictureWidth } of tour) {
    const page = await browser.newPage({
      viewport: { width, height },
      deviceScaleFactor: 2,
      reducedMotion: "reduce",
    });
    await open(page, address);
    const picture = await shrink(darkroom, await page.screenshot(), pictureWidth);
    if (picture.byteLength > pictureMaxBytes) {
      throw new Error(`${name} is ${picture.byteLength} bytes, over ${pictureMaxBytes}.`);
    }
    await writeFile(path.join(tourFolder, `${name}.webp`), picture);
    console.log(`${name}.webp: ${(picture.byteLength / 1024).toFixed(0)} KB`);
    await page.close();
  }
}

async function takeAll(browser: Browser, folder: string) {
  await mkdir(folder, { recursive: true });
  const page = await browser.newPage({ reducedMotion: "reduce" });
  for (const { name, path: address } of sitePages) {
    for (const width of widthsPx) {
      await page.setViewportSize({ width, height: 900 });
      // Anew at each width: what a window needs when it has been made wider comes after it has been asked for.
      await open(page, address);
      await page.screenshot({ path: path.join(folder, `${name}-${width}.png`), fullPage: true });
    }
    for (const format of papers) {
      await page.pdf({ path: path.join(folder, `${name}-${format}.pdf`), format });
    }
  }
  await page.close();
  console.log(`${sitePages.length} pages`);
  for (const { name, path: plain, address, during, ...state } of picturedStates) {
    const take = async () => {
      const asked = (await address?.(site)) ?? plain;
      await takeState(browser, asked, path.join(folder, `state-${name}`), state);
    };
    await (during ? during(site, take) : take());
  }
  console.log(`${picturedStates.length} states`);
}

type Arrangement = Pick<(typeof picturedStates)[number], "context" | "textPx" | "arrange">;

/** Opens a page at each width, brings it to the state, and takes it: a state may not outlive a change of width. */
async function takeState(
  browser: Browser,
  address: string,
  file: string,
  { context, textPx, arrange }: Arrangement,
) {
  const page = await browser.newPage({ reducedMotion: "reduce", ...context });
  if (textPx) {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Page.setFontSizes", { fontSizes: { standard: textPx } });
  }
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, address);
    await arrange?.(page);
    // Chromium forgets the size of letters when it takes more than the window, so the window becomes the page.
    if (textPx) {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height });
    }
    await page.screenshot({ path: `${file}-${width}.png`, fullPage: !textPx });
  }
  await page.close();
}

async function open(page: Page, address: string) {
  await page.goto(new URL(address, site.url).href, { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready);
}

/** Scales a PNG down and writes it as WebP, by the browser's own encoder. */
async function shrink(darkroom: Page, png: Buffer, width: number): Promise<Buffer> {
  const dataUrl = await darkroom.evaluate(
    async ({ png, width, quality }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = width;
      canvas.height = Math.round((image.height * width) / image.width);
      const context = canvas.getContext("2d");
      if (!context) throw new Error("This browser draws no pictures.");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/webp", quality);
    },
    { png: png.toString("base64"), width, quality: pictureQuality },
  );
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
}
