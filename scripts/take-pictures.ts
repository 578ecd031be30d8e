// Pictures of the built site, with its starter issues and nothing else in it, for looking through.
//
//   npm run pictures -- FOLDER         every page at every width
//     --engine firefox|webkit          in another engine
//     --only PATTERN                   those alone whose name matches, such as ^use-case
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { engineNames, openTab } from "#tests/engines/open-tab.ts";
import { untilStill } from "#tests/engines/tab.ts";
import { sitePages } from "#tests/every-page/routes.ts";
import { startSiteServer } from "#tests/site-server.ts";

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
const site = await startSiteServer();
const tab = await openTab(engine);
try {
  for (const { name, path: address } of sitePages) {
    if (!new RegExp(options.only).test(name)) continue;
    for (const width of widthsPx) {
      await tab.resize(width);
      // Opened at each width: a wider window asks for larger pictures later.
      await tab.open(new URL(address, site.url).href);
      await untilStill(tab);
      await writeFile(path.join(folder, `${name}-${width}.png`), await tab.screenshot());
    }
  }
} finally {
  await tab.close();
  await site.close();
}
