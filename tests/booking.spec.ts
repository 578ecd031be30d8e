import type { Page } from "@playwright/test";
import { provider } from "./scheduling-provider.ts";
import { expect, test } from "./site-test.ts";

const widgetScripts = (page: Page) => page.locator("script[src$='/assets/external/widget.js']");
const widgetStyles = (page: Page) => page.locator("link[href$='/assets/external/widget.css']");

test.use({ siteSettings: provider });

// What each button opens, the specification's own tests ask.

/** Answers for the provider's host with a widget that writes down what it is asked to open. */
async function provide(page: Page, deliver: () => Promise<void> = async () => {}) {
  await page.route(`${provider.SCHEDULING_ASSET_HOST}/**`, async (route) => {
    await deliver();
    const isScript = route.request().url().endsWith(".js");
    await route.fulfill({
      contentType: isScript ? "text/javascript" : "text/css",
      body: isScript
        ? "window.opened = []; window.Calendly = { initPopupWidget: (options) => opened.push(options) };"
        : "",
    });
  });
}

type Later = { later: object[] };

const opened = (page: Page) =>
  page.evaluate(() => (window as unknown as { opened?: unknown[] }).opened);

test("a provider that another script has put in its place since is the one that is asked", async ({
  page,
}) => {
  await provide(page);
  await page.goto("/");
  await expect.poll(() => opened(page)).toEqual([]);
  await page.evaluate(() => {
    Object.assign(window, {
      later: [],
      Calendly: {
        initPopupWidget: (options: object) => (window as never as Later).later.push(options),
      },
    });
  });
  await page.getByRole("button", { name: "Book Your Free Consultation" }).first().click();
  expect(await opened(page)).toEqual([]);
  expect(await page.evaluate(() => (window as never as Later).later)).toEqual([
    { url: provider.SCHEDULING_URL, prefill: {}, utm: {} },
  ]);
});

test("nothing happens before the widget has loaded", async ({ page }) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await provide(page, () => promise);
  await page.goto("/contact", { waitUntil: "commit" });
  await widgetScripts(page).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Schedule Your Call" }).click();
  expect(await opened(page)).toBeUndefined();
  resolve();
  await expect.poll(() => opened(page)).toEqual([]);
  await page.getByRole("button", { name: "Schedule Your Call" }).click();
  expect(await opened(page)).toHaveLength(1);
});

test("nothing happens while the widget is blocked, and nothing breaks", async ({
  page,
  expectConsole,
}) => {
  // The browser tells of the blocked files; nothing of ours may be thrown.
  expectConsole(/net::ERR_FAILED/);
  const blocked: string[] = [];
  await page.route(`${provider.SCHEDULING_ASSET_HOST}/**`, (route) => {
    blocked.push(route.request().url());
    return route.abort();
  });
  await page.goto("/contact");
  await expect.poll(() => blocked.length).toBe(2);
  await page.getByRole("button", { name: "Schedule Your Call" }).click();
  await expect(page.locator("dialog")).toHaveCount(0);
});

test("four pages later there is still one script and one stylesheet, fetched once", async ({
  page,
}) => {
  let fetched = 0;
  await provide(page, async () => {
    fetched += 1;
  });
  await page.goto("/");
  await expect.poll(() => opened(page)).toEqual([]);
  const links = page.getByRole("navigation", { name: "Main" }).first();
  for (let round = 0; round < 2; round += 1) {
    for (const name of ["Contact", "Home"]) {
      await links.getByRole("link", { name, exact: true }).click();
      await expect(links.getByRole("link", { name, exact: true })).toHaveAttribute(
        "aria-current",
        "page",
      );
    }
  }
  await expect(widgetScripts(page)).toHaveCount(1);
  await expect(widgetStyles(page)).toHaveCount(1);
  expect(fetched).toBe(2);
});
