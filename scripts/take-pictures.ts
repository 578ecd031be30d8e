// Pictures of the built site, with its starter issues and nothing else in it, for looking through.
//
//   npm run pictures -- FOLDER         every page and state at every width
//     --engine firefox|webkit          in another engine
//     --only PATTERN                   those alone whose name matches, such as ^state-contact
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { type EngineName, engineNames, openTab } from "#tests/engines/open-tab.ts";
import { type Tab, type TabOptions, untilStill } from "#tests/engines/tab.ts";
import { settingsWebKitLacks } from "#tests/engines/webkit.ts";
import { sitePages } from "#tests/every-page/routes.ts";
import { startSiteServer } from "#tests/site-server.ts";
import { findOrInstallChromium } from "./chromium.ts";
import { findOrInstallFirefox } from "./firefox.ts";
import { picturedStates } from "./pictured-states.ts";
import { findOrInstallWebKit } from "./webkit.ts";

const widthsPx = [390, 768, 1440];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
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
const [folder] = positionals;
if (!folder) throw new Error("Name a folder for the pictures.");
const site = await startSiteServer();
try {
  await takeAll(engine, path.resolve(folder), new RegExp(options.only));
} finally {
  await site.close();
}

async function takeAll(engine: EngineName, folder: string, only: RegExp) {
  await mkdir(folder, { recursive: true });
  const states = picturedStates.map((state) => ({ ...state, name: `state-${state.name}` }));
  const wanted = [...sitePages, ...states].filter(({ name }) => only.test(name));
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
