import type { Browser, Page as Tab } from "@playwright/test";
import { provider } from "../scheduling-provider.ts";
import type { SiteServer } from "../site-server.ts";
import { test as base, expect } from "../site-test.ts";
import { checklist } from "./checklist.ts";
import { openRecordingTab, verifyBehaviour } from "./verify-behaviour.ts";
import { verifyPage } from "./verify-page.ts";

type Opened = { path: string; tab: Tab; status: number };

// One tab shows the pages as the server made them, without scripts, and one runs them; both stay open from one row to
// the next, since hundreds of rows ask the same two dozen pages.
const test = base.extend<
  object,
  { served: (path: string) => Promise<Opened>; live: (path: string) => Promise<Tab> }
>({
  served: [
    async ({ browser, siteWith }, use) => {
      const site = await siteWith(provider);
      const tab = await newTab(browser, site, { javaScriptEnabled: false });
      let opened: Opened | undefined;
      await use(async (path) => {
        if (opened?.path !== path) {
          const response = await tab.goto(path);
          opened = { path, tab, status: response?.status() ?? 0 };
        }
        return opened;
      });
      await tab.context().close();
    },
    { scope: "worker" },
  ],
  live: [
    async ({ browser, siteWith }, use) => {
      const site = await siteWith(provider);
      const tab = await newTab(browser, site, {});
      await use((path) => openRecordingTab(tab, path));
      await tab.context().close();
    },
    { scope: "worker" },
  ],
});

for (const { screen, path, rows } of checklist) {
  test.describe(`${screen} (${path})`, () => {
    for (const row of rows) {
      test(row.says, async ({ served, live }) => {
        if (row.shows) {
          const { tab, status } = await served(path);
          expect(await verifyPage(tab, row.shows, status), row.says).toBeNull();
        } else {
          expect(await verifyBehaviour(await live(path), row.does), row.says).toBeNull();
        }
      });
    }
  });
}

async function newTab(browser: Browser, site: SiteServer, options: object): Promise<Tab> {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ baseURL: site.url, viewport, ...options });
  return context.newPage();
}
