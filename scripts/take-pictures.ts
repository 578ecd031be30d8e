// Pictures of the built site, with its starter issues and nothing else in it.
//
//   npm run pictures                 the README's tour, into docs/pictures
//   npm run pictures -- --all DIR    every page and state at every width, whole, and on paper, for looking through
//     --engine firefox|webkit        the same in another engine, without paper
//     --only PATTERN                 those alone whose name matches, such as ^state-contact
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { type EngineName, engineNames, openTab } from "#tests/engines/open-tab.ts";
import { type Tab, type TabOptions, untilStill } from "#tests/engines/tab.ts";
import { settingsWebKitLacks } from "#tests/engines/webkit.ts";
import { sitePages } from "#tests/every-page/routes.ts";
import { startSiteServer } from "#tests/site-server.ts";
import { findOrInstallChromium } from "./chromium.ts";
import { findOrInstallFirefox } from "./firefox.ts";
import { picturedStates } from "./pictured-states.ts";
import { findOrInstallWebKit } from "./webkit.ts";

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

const { values: options } = parseArgs({
  options: {
    all: { type: "string" },
    engine: { type: "string", default: "chromium" },
    only: { type: "string", default: "" },
  },
});
const engine = engineNames.find((name) => name === options.engine);
if (!engine) throw new Error(`--engine is one of ${engineNames.join(", ")}.`);
const install = {
  chromium: findOrInstallChromium,
  firefox: findOrInstallFirefox,
  webkit: findOrInstallWebKit,
};
if (!install[engine]()) throw new Error(`This machine has no ${engine}.`);
const site = await startSiteServer();
try {
  if (options.all) await takeAll(engine, path.resolve(options.all), new RegExp(options.only));
  else await inChromium(takeTour);
} finally {
  await site.close();
}

async function inChromium(work: (browser: Browser) => Promise<void>) {
  const executablePath = findOrInstallChromium();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  await work(browser).finally(() => browser.close());
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

async function takeAll(engine: EngineName, folder: string, only: RegExp) {
  await mkdir(folder, { recursive: true });
  const states = picturedStates.map((state) => ({ ...state, name: `state-${state.name}` }));
  const wanted = [...sitePages, ...states].filter(({ name }) => only.test(name));
  // Before the states, some of which leave fewer issues.
  const pages = sitePages.filter(({ name }) => only.test(name));
  if (engine === "chromium") await inChromium((browser) => print(browser, folder, pages));
  const windows = keepWindow(engine);
  for (const sight of wanted) {
    const { name, path: plain, address, options, arrange, during }: Sight = sight;
    if (engine === "webkit" && settingsWebKitLacks.some((one) => options?.[one])) continue;
    const take = async () => {
      const asked = (await address?.(site)) ?? plain;
      const tab = await windows.open(options);
      const file = path.join(folder, name);
      await takeAtWidths(tab, new URL(asked, site.url).href, file, arrange);
    };
    await (during ? during(site, take) : take());
  }
  await windows.close();
  console.log(`${wanted.length} pages and states, in ${engine}`);
}

type Sight = Omit<(typeof picturedStates)[number], "name"> & { name: string };

/** One window at a time, anew where the visitor's settings are others. */
function keepWindow(engine: EngineName) {
  let kept: { tab: Tab; settings: string } | null = null;
  return {
    async open(options: TabOptions = {}): Promise<Tab> {
      const settings = JSON.stringify(options);
      if (kept?.settings === settings) return kept.tab;
      await kept?.tab.close();
      kept = { tab: await openTab(engine, options), settings };
      return kept.tab;
    },
    close: async () => kept?.tab.close(),
  };
}

/** Opens a page at each width, brings it to the state, and takes it: a state may not outlive a change of width. */
async function takeAtWidths(tab: Tab, address: string, file: string, arrange: Sight["arrange"]) {
  for (const width of widthsPx) {
    await tab.resize(width);
    // Anew at each width: what a window needs when it has been made wider comes after it has been asked for.
    await tab.open(address);
    await arrange?.(tab);
    await untilStill(tab);
    await writeFile(`${file}-${width}.png`, await tab.screenshot());
  }
}

async function print(browser: Browser, folder: string, pages: readonly Sight[]) {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  for (const { name, path: address } of pages) {
    await open(page, address);
    for (const format of papers) {
      await page.pdf({ path: path.join(folder, `${name}-${format}.pdf`), format });
    }
  }
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
