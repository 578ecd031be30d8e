import { faultsAtWidths } from "./every-page/faults-at-widths.ts";
import { widthsPx } from "./every-page/routes.ts";
import { expect, test } from "./site-test.ts";

const siteEmail = "hello@chalkline.example";
const sitePhone = "+1 416 555 0142";

test("without a provider a stand-in says how to book, and gives the focus back", async ({
  page,
}) => {
  await page.goto("/contact");
  await page.waitForFunction(() => "Calendly" in window);
  const button = page.getByRole("button", { name: "Schedule Your Call" });
  const dialog = page.getByRole("dialog", { name: "Book your free consultation" });
  await button.focus();

  const told = page.waitForRequest(/\/visits\?booking$/);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect.soft(await faultsAtWidths(page, widthsPx, ["dialog"])).toEqual([]);
  expect((await told).method()).toBe("POST");
  await expect(dialog.getByRole("link", { name: sitePhone })).toHaveAttribute(
    "href",
    /^tel:\+\d+$/,
  );
  await expect(dialog.getByRole("link", { name: siteEmail })).toHaveAttribute(
    "href",
    new RegExp(`^mailto:${siteEmail}`),
  );
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
  expect(await page.evaluate(() => scrollY)).toBe(scrolledTo);
});

test("Back closes the stand-in with the page that it was opened on", async ({ page }) => {
  await page.goto("/pricing");
  await page.getByRole("contentinfo").getByRole("link", { name: "About", exact: true }).click();
  await expect(page).toHaveURL(/\/about$/);
  await page.waitForFunction(() => "Calendly" in window);
  await page
    .getByRole("button", { name: /^Book|^Schedule/ })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/pricing$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a provider that is there before the stand-in stays", async ({ page }) => {
  await page.addInitScript(
    "window.opened = []; window.Calendly = { initPopupWidget: (options) => opened.push(options) };",
  );
  await page.goto("/contact", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Schedule Your Call" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await page.evaluate("opened")).toMatchObject([{ prefill: {}, utm: {} }]);
});
