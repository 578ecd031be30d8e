import type { Page } from "@playwright/test";
import { faultsAtWidths } from "./every-page/faults-at-widths.ts";
import { expect, test } from "./site-test.ts";

const tabs = ["Trades", "Real Estate", "Home Improvement"];
const startingPoint = "Starting point: free consultation, pay-what-you-think audit, 90-day roadmap";

const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });

async function expectChosen(page: Page, name: string) {
  await expect(tab(page, name)).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab", { selected: true })).toHaveCount(1);
  await expect(page.getByRole("tabpanel")).toHaveCount(1);
  await expect(page.getByRole("tabpanel", { name, exact: true })).toBeVisible();
}

test("a click or a key shows a tab's panel and hides the others", async ({ page }) => {
  await page.goto("/use-cases");
  await expect(page.getByRole("tab")).toHaveText(tabs);
  await expectChosen(page, "Trades");
  const panels = page.locator("[role=tabpanel]");
  await expect(panels).toHaveCount(3);
  for (const panel of await panels.all()) {
    await expect(panel.locator(".capabilities li")).toHaveCount(4);
    await expect(panel).toContainText(/\?/);
    await expect(panel).toContainText(startingPoint);
  }
  for (const name of ["Home Improvement", "Real Estate", "Trades"]) {
    await tab(page, name).click();
    await expectChosen(page, name);
    expect.soft(await faultsAtWidths(page, ["main"]), name).toEqual([]);
  }
  for (const [key, to] of [
    ["ArrowRight", "Real Estate"],
    ["ArrowRight", "Home Improvement"],
    ["ArrowRight", "Trades"],
    ["ArrowLeft", "Home Improvement"],
    ["ArrowLeft", "Real Estate"],
    ["Home", "Trades"],
    ["End", "Home Improvement"],
    ["ArrowDown", "Home Improvement"],
    ["Control+Home", "Home Improvement"],
  ] as const) {
    await page.keyboard.press(key);
    await expectChosen(page, to);
    await expect(tab(page, to), key).toBeFocused();
  }
  // The tabs are one stop of the Tab key.
  await page.keyboard.press("Tab");
  await expect(page.locator("[role=tab]:focus")).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await expect(tab(page, "Home Improvement")).toBeFocused();
});

test("a link to a trade's panel opens it, before anything else is pressed", async ({ page }) => {
  await page.goto("/use-cases#panel-real-estate", { waitUntil: "domcontentloaded" });
  await expectChosen(page, "Real Estate");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("all panels are shown under their names, without tabs", async ({ page }) => {
    await page.goto("/use-cases");
    await expect(page.getByRole("tab")).toHaveCount(0);
    for (const name of tabs) {
      await expect(page.getByRole("heading", { name, level: 2, exact: true })).toBeVisible();
    }
    await expect(page.getByText(startingPoint).filter({ visible: true })).toHaveCount(3);
    await page.getByRole("button", { name: "Book Your Free Consultation" }).first().click();
    await expect(page).toHaveURL(/\/contact/);
  });
});
