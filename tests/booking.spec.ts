import type { Page } from "@playwright/test";
import { faultsAtWidths } from "./every-page/faults-at-widths.ts";
import { provider, provideWidget } from "./scheduling-provider.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { expect, test } from "./site-test.ts";

const widgetScripts = (page: Page) => page.locator("script[src$='/assets/external/widget.js']");
const widgetStyles = (page: Page) => page.locator("link[href$='/assets/external/widget.css']");

// tests/specification checks what each button opens.

const opened = (page: Page) =>
  page.evaluate(() => (window as unknown as { opened?: unknown[] }).opened);

test.describe("with a provider", () => {
  test.use({ siteSettings: provider });

  test("a press waits a second for the widget, and then does nothing", async ({ page }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await provideWidget(page, () => promise);
    await page.goto("/contact", { waitUntil: "commit" });
    await widgetScripts(page).waitFor({ state: "attached" });
    await untilScriptsAreUp(page);
    const button = page.getByRole("button", { name: "Schedule Your Call" });
    await button.click();
    await page.waitForTimeout(1_200);
    resolve();
    await expect.poll(() => opened(page)).toEqual([]);
    await page.evaluate("delete window.Calendly");
    await button.click();
    await page.evaluate(
      "setTimeout(() => { window.Calendly = { initPopupWidget: (o) => opened.push(o) } }, 300)",
    );
    await expect.poll(() => opened(page)).toHaveLength(1);
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

  test("the provider's popup opens its frame, in its own styles", async ({ page }) => {
    await provide(page);
    await page.goto("/pricing");
    await expect
      .poll(() => page.evaluate(() => "Calendly" in window && document.styleSheets.length > 1))
      .toBe(true);
    await page
      .getByRole("button", { name: /book|call|consultation/i })
      .first()
      .click();
    await expect(page.locator(".provider-overlay")).toHaveCSS("position", "fixed");
    await expect(
      page.frameLocator(".provider-overlay iframe").getByText("Pick a time"),
    ).toBeVisible();
    await expect(page.locator("body")).toHaveCSS("overflow", "hidden");
  });

  test("a booking link pressed with Ctrl, Shift or the middle button opens its page elsewhere", async ({
    page,
    context,
  }) => {
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
    await expect(dialog.getByRole("definition").last()).toContainText("We say where to start");
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
  });
});

/** Answers for the provider with a widget built as Calendly's: elements by script, styles by class and by property. */
async function provide(page: Page) {
  const script = `
    window.Calendly = { initPopupWidget({ url }) {
      const overlay = document.createElement("div");
      overlay.className = "provider-overlay";
      const frame = document.createElement("iframe");
      frame.src = url;
      frame.width = "100%";
      overlay.append(frame);
      document.body.append(overlay);
      document.body.style.overflow = "hidden";
    } };`;
  const styles = ".provider-overlay { position: fixed; inset: 0 }";
  await provideWidget(page, undefined, { script, styles });
  await page.route("https://scheduling.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><p>Pick a time</p>" }),
  );
}
