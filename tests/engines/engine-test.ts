import { expect, test as siteTest } from "../site-test.ts";
import { type EngineName, openTab } from "./open-tab.ts";
import type { Tab, TabOptions } from "./tab.ts";

export { expect };

type WorkerFixtures = {
  engine: EngineName;
  /** A window that the tests of a worker share. Each opens its page anew. */
  tab: Tab;
  /** The same of a browser that runs none of the site's scripts. */
  tabWithoutScripts: Tab;
};

/** Playwright's test with the real site and a browser that isn't Chromium. */
export const test = siteTest.extend<object, WorkerFixtures>({
  engine: ["firefox", { option: true, scope: "worker" }],
  tab: [({ engine }, use) => lend(engine, {}, use), { scope: "worker", timeout: 120_000 }],
  tabWithoutScripts: [
    ({ engine }, use) => lend(engine, { scripts: false }, use),
    { scope: "worker", timeout: 120_000 },
  ],
});

async function lend(engine: EngineName, options: TabOptions, use: (tab: Tab) => Promise<void>) {
  const tab = await openTab(engine, options);
  await use(tab);
  await tab.close();
}
