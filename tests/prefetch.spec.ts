import type { Page } from "@playwright/test";
import { expect, test } from "./site-test.ts";

async function openHydrated(page: Page, path: string) {
  await page.goto(path);
  await expect(
    page.getByRole("button", { name: "Open menu", includeHidden: true }),
  ).toHaveAttribute("aria-expanded", "false");
  await page.waitForLoadState("networkidle");
}

const linkTo = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).first();

const intents = [
  { intent: "hover", show: (page: Page) => linkTo(page, "About").hover() },
  { intent: "focus", show: (page: Page) => linkTo(page, "About").focus() },
  { intent: "touch", show: (page: Page) => linkTo(page, "About").dispatchEvent("touchstart") },
];

for (const { intent, show } of intents) {
  test(`a ${intent} on a link fetches its page ahead of the click`, async ({ page }) => {
    await openHydrated(page, "/");
    const asked = page.waitForRequest(/\/assets\/about-[\w-]+\.js/);
    await show(page);
    await asked;
    expect(new URL(page.url()).pathname).toBe("/");
  });
}

test("nothing is fetched ahead for a visitor who saves data", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  await openHydrated(page, "/");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await linkTo(page, "About").hover();
  await page.waitForTimeout(300);
  expect(asked).toEqual([]);
});
