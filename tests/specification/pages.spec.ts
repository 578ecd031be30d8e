import type { Browser, Page as Tab } from "@playwright/test";
import { provider } from "../scheduling-provider.ts";
import type { SiteServer } from "../site-server.ts";
import { expect, test } from "../site-test.ts";
import { checklist } from "./checklist.ts";
import { openRecordingTab, verifyBehaviour } from "./verify-behaviour.ts";
import { verifyPage } from "./verify-page.ts";

test.use({ siteSettings: provider });

// One tab shows the pages as the server made them, without scripts, and one runs them.
let served: Tab;
let live: Tab;

test.beforeAll(async ({ browser, siteWith }) => {
  const site = await siteWith(provider);
  served = await newTab(browser, site, { javaScriptEnabled: false });
  live = await newTab(browser, site, {});
});

test.afterAll(async () => {
  for (const tab of [served, live]) await tab.context().close();
});

for (const { screen, path, rows } of checklist) {
  test(`${screen} (${path}) shows and does what the specification says of it`, async () => {
    const response = await served.goto(path);
    for (const row of rows) {
      const fault = row.shows
        ? await verifyPage(served, row.shows, response?.status() ?? 0)
        : await verifyBehaviour(await openRecordingTab(live, path), row.does);
      expect.soft(fault, row.says).toBeNull();
    }
  });
}

async function newTab(browser: Browser, site: SiteServer, options: object): Promise<Tab> {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ baseURL: site.url, viewport, ...options });
  return context.newPage();
}
