import { findFirefox } from "../../scripts/firefox.ts";
import { findWebKit } from "../../scripts/webkit.ts";
import { expect, test as siteTest } from "../site-test.ts";
import { openFirefox } from "./firefox.ts";
import type { Tab, TabOptions } from "./tab.ts";
import { openWebKit } from "./webkit.ts";

export { expect };

export type EngineName = "firefox" | "webkit";

type WorkerFixtures = {
  /** Which engine the tests run in: each is a project of its own in playwright.config.ts. */
  engine: EngineName;
  /** A window that the tests of a worker share. Each opens its page anew. */
  tab: Tab;
  /** The same of a browser that runs none of the site's scripts. */
  tabWithoutScripts: Tab;
};

/** Playwright's test with the real site and a browser that isn't Chromium. */
export const test = siteTest.extend<
  { newTab: (options?: TabOptions) => Promise<Tab> },
  WorkerFixtures
>({
  engine: ["firefox", { option: true, scope: "worker" }],
  tab: [({ engine }, use) => lend(engine, {}, use), { scope: "worker", timeout: 60_000 }],
  tabWithoutScripts: [
    ({ engine }, use) => lend(engine, { scripts: false }, use),
    { scope: "worker", timeout: 60_000 },
  ],
  /** A browser that has never been anywhere. */
  newTab: async ({ engine }, use) => {
    const opened: Tab[] = [];
    await use(async (options = {}) => {
      const tab = await openTab(engine, options);
      opened.push(tab);
      return tab;
    });
    for (const tab of opened) await tab.close();
  },
});

async function lend(engine: EngineName, options: TabOptions, use: (tab: Tab) => Promise<void>) {
  const tab = await openTab(engine, options);
  await use(tab);
  await tab.close();
}

function openTab(engine: EngineName, options: TabOptions): Promise<Tab> {
  const found = { firefox: findFirefox(), webkit: findWebKit() };
  if (engine === "firefox" && found.firefox) return openFirefox(found.firefox, options);
  if (engine === "webkit" && found.webkit) return openWebKit(found.webkit, options);
  throw new Error(`This machine has no ${engine}.`);
}
