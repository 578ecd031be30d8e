import type { Browser, Page as Tab } from "@playwright/test";
import { provider } from "../scheduling-provider.ts";
import type { SiteServer } from "../site-server.ts";
import { expect, test } from "../site-test.ts";
import { about, contact } from "./checklist-about-and-contact.ts";
import { businessDescription, everyPage } from "./checklist-every-page.ts";
import { home, pricing } from "./checklist-home-and-pricing.ts";
import { notFound, privacy, terms } from "./checklist-legal-and-not-found.ts";
import {
  malformedIssue,
  missingIssue,
  newsletter,
  newsletterIssue,
} from "./checklist-newsletter.ts";
import { useCases, writtenUseCases } from "./checklist-use-cases.ts";
import type { Page } from "./expectations.ts";
import { openRecordingTab, verifyBehaviour } from "./verify-behaviour.ts";
import { verifyPage } from "./verify-page.ts";

test.use({ siteSettings: provider });

const screens = [
  home,
  pricing,
  useCases,
  ...writtenUseCases,
  newsletter,
  newsletterIssue,
  missingIssue,
  malformedIssue,
  about,
  contact,
  terms,
  privacy,
  notFound,
];

/**
 * The specification's demands on each screen, sentence by sentence. tests/error-catalogue.spec.ts covers
 * notices and error texts (section 8), the forms' specs the calls (section 7).
 */
const checklist: readonly Page[] = screens.map((page) => ({
  ...page,
  rows: [...page.rows, ...(page === home ? businessDescription : []), ...everyPage],
}));

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
