import type { Page } from "@playwright/test";
import { faultsAtWidths } from "./every-page/faults-at-widths.ts";
import { provider, providerFiles, provideWidget } from "./scheduling-provider.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { expect, test } from "./site-test.ts";

const widgetScripts = (page: Page) => page.locator("script[src$='/assets/external/widget.js']");
const widgetStyles = (page: Page) => page.locator("link[href$='/assets/external/widget.css']");

// tests/specification checks what each button opens.

const opened = (page: Page) =>
  page.evaluate(() => (window as unknown as { opened?: unknown[] }).opened);

test.describe("with a provider", () => {
  test.use({ siteSettings: provider });

  test("nothing happens before the widget has loaded", async ({ page }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await provideWidget(page, () => promise);
    await page.goto("/contact", { waitUntil: "commit" });
    await widgetScripts(page).waitFor({ state: "attached" });
    await untilScriptsAreUp(page);
    await page.getByRole("button", { name: "Schedule Your Call" }).click();
    expect(await opened(page)).toBeUndefined();
    resolve();
    await expect.poll(() => opened(page)).toEqual([]);
    await page.getByRole("button", { name: "Schedule Your Call" }).click();
    await expect.poll(() => opened(page)).toHaveLength(1);
  });

  test("a booking link pressed with Ctrl, Shift or the middle button opens its page elsewhere", async ({
    page,
    context,
  }) => {
    await context.route(providerFiles, (route) => route.fulfill({ body: "" }));
    await provideWidget(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/pricing");
    await expect.poll(() => opened(page)).toEqual([]);
    for (const how of [
      { modifiers: ["ControlOrMeta"] },
      { modifiers: ["Shift"] },
      { button: "middle" },
    ] as const) {
      const tab = context.waitForEvent("page");
      await page.locator("header a[data-booking]").click(how as object);
      await (await tab).close();
    }
    expect(await opened(page)).toEqual([]);
  });

  test("while the widget is blocked nothing breaks", async ({ page, expectConsole }) => {
    // The browser reports the blocked files; our code may throw nothing.
    expectConsole(/net::ERR_FAILED/);
    let blocked = 0;
    await page.route(providerFiles, (route) => {
      blocked += 1;
      return route.abort();
    });
    await page.goto("/contact");
    await expect.poll(() => blocked).toBe(2);
    await page.getByRole("button", { name: "Schedule Your Call" }).click();
    await expect(page.locator("dialog")).toHaveCount(0);
  });

  test("script and stylesheet are in each page once, and go with it", async ({ page }) => {
    await provideWidget(page);
    await page.goto("/");
    for (const name of ["Contact", "Home"]) {
      const link = page
        .getByRole("navigation", { name: "Main" })
        .first()
        .getByRole("link", { name, exact: true });
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "page");
      await expect(widgetScripts(page)).toHaveCount(1);
      await expect(widgetStyles(page)).toHaveCount(1);
    }
  });
});

test.describe("without a provider", () => {
  test("a stand-in says how to book, and closes with its page", async ({ page }) => {
    await page.goto("/pricing");
    await page.getByRole("contentinfo").getByRole("link", { name: "Contact", exact: true }).click();
    await expect(page).toHaveURL(/\/contact$/);
    await untilScriptsAreUp(page);
    await page.waitForFunction(() => "Calendly" in window);
    const button = page.getByRole("button", { name: "Schedule Your Call" });
    const dialog = page.getByRole("dialog", { name: "Book your free consultation" });
    await button.focus();

    await page.keyboard.press("Enter");
    await expect(dialog).toBeVisible();
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect.soft(await faultsAtWidths(page, ["dialog"])).toEqual([]);
    for (const [name, href] of [
      ["+1 416 555 0143", /^tel:\+\d+$/],
      ["hello@chalkline.example", /^mailto:hello@chalkline\.example/],
    ] as const) {
      await expect(dialog.getByRole("link", { name })).toHaveAttribute("href", href);
    }
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();

    const scrolledTo = await page.evaluate(() => scrollY);
    await button.click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toHaveCount(0);
    await button.click();
    await page.mouse.click(4, 4);
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolledTo);

    await button.click();
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/pricing$/);
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
