import type { Page } from "@playwright/test";
import { accessibilityFaults } from "./every-page/axe.ts";
import { resizePage } from "./every-page/resize-page.ts";
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

test("the three tabs begin with Trades, and a click shows a tab's panel and hides the others", async ({
  page,
}) => {
  await page.goto("/use-cases");
  await expect(page.getByRole("tab")).toHaveText(tabs);
  await expectChosen(page, "Trades");
  for (const name of ["Home Improvement", "Trades", "Real Estate"]) {
    await tab(page, name).click();
    await expectChosen(page, name);
    for (const width of [390, 1440]) {
      await resizePage(page, width);
      expect.soft(await accessibilityFaults(page, ["main"]), `${name} at ${width} px`).toEqual([]);
    }
  }
});

test("arrow keys, Home and End go to the tab that they mean, focus and panel alike, and other keys don't", async ({
  page,
}) => {
  await page.goto("/use-cases");
  await tab(page, "Trades").click();
  for (const [key, to] of [
    ["ArrowRight", "Real Estate"],
    ["ArrowRight", "Home Improvement"],
    ["ArrowRight", "Trades"],
    ["ArrowLeft", "Home Improvement"],
    ["ArrowLeft", "Real Estate"],
    ["Home", "Trades"],
    ["End", "Home Improvement"],
    ["ArrowDown", "Home Improvement"],
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

test("each panel has four capabilities, a question and the starting point, chosen or not", async ({
  page,
}) => {
  await page.goto("/use-cases");
  const panels = page.locator("[role=tabpanel]");
  await expect(panels).toHaveCount(3);
  for (let index = 0; index < tabs.length; index += 1) {
    const panel = panels.nth(index);
    await expect(panel.locator(".capabilities li")).toHaveCount(4);
    await expect(panel).toContainText(/\?/);
    await expect(panel).toContainText(startingPoint);
  }
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("all panels are shown under their names, and there is nothing to press", async ({
    page,
  }) => {
    await page.goto("/use-cases");
    await expect(page.getByRole("tab")).toHaveCount(0);
    for (const name of tabs) {
      await expect(page.getByRole("heading", { name, level: 2, exact: true })).toBeVisible();
    }
    for (const panel of await page.locator("[role=tabpanel]").all()) {
      await expect(panel.getByText(startingPoint)).toBeVisible();
    }
  });
});
