// Pictures of the built site with its starter issues, and of its desk, empty and full, for looking through.
//
//   npm run pictures -- FOLDER         every page at every width
//     --engine firefox|webkit          in another engine
//     --only PATTERN                   those alone whose name matches, such as ^use-case or ^desk
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { startDesk } from "#tests/desk/desk-test.ts";
import { type DeskScreen, emptyDesk, fillDesk } from "#tests/desk/full-desk.ts";
import { engineNames, openTab } from "#tests/engines/open-tab.ts";
import { untilStill } from "#tests/engines/tab.ts";
import { sitePages } from "#tests/every-page/routes.ts";
import { sendingSettings, startSiteServer } from "#tests/site-server.ts";

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
const [folder] = positionals;
if (!folder) throw new Error("Name a folder for the pictures.");
await mkdir(folder, { recursive: true });
const site = await startSiteServer(sendingSettings);
const tab = await openTab(engine);
try {
  await takeAll(site.url, sitePages);
  const desk = await startDesk(site);
  await tab.open(`${desk.link()}&here`);
  await takeAll(desk.url, emptyDesk, "desk-");
  await takeAll(desk.url, await fillDesk(site), "desk-");
} finally {
  await tab.close();
  await site.close();
}

async function takeAll(url: string, screens: readonly DeskScreen[], prefix = ""): Promise<void> {
  for (const { name, path: address, presses = [], widths = widthsPx } of screens) {
    if (!new RegExp(options.only).test(prefix + name)) continue;
    for (const width of widths) {
      await tab.resize(width);
      // Opened at each width: a wider window asks for larger pictures later.
      await tab.open(new URL(address, url).href);
      for (const selector of presses) await tab.click(selector);
      await untilStill(tab);
      const file = path.join(String(folder), `${prefix}${name}-${width}.png`);
      await writeFile(file, await tab.screenshot());
      console.log(file);
    }
  }
}
