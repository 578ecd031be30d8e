import type { Page } from "@playwright/test";
import { expect, test } from "./site-test.ts";

const sheetOf = (page: Page, name: string) =>
  page.locator("details").filter({ has: page.locator("summary", { hasText: name }) });

/** As a browser from before 2025 reads the page's styles. */
async function withoutOpenSelector(page: Page) {
  await page.route("**/pricing", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/:open\b/g, ":unknown");
    await route.fulfill({ response: answer, body });
  });
}

for (const [browser, javaScriptEnabled, knowsOpen] of [
  ["scripts on", true, true],
  ["scripts off", false, true],
  ["scripts off, in a browser that doesn't know :open", false, false],
] as const) {
  test.describe(`with ${browser}`, () => {
    test.use({ javaScriptEnabled, bypassCSP: !knowsOpen });

    test("the audit's price is blank until the fourth sheet is turned, and is carried nowhere", async ({
      page,
    }) => {
      const sent: string[] = [];
      if (!knowsOpen) await withoutOpenSelector(page);
      await page.goto("/pricing");
      page.on("request", (request) => sent.push(request.url() + (request.postData() ?? "")));
      const price = page.getByLabel("What would it be worth to you, in dollars?");
      const blank = page.getByText("Blank until you’ve turned A-4, below.");
      await expect(price).toBeHidden();
      await expect(blank).toBeVisible();
      await sheetOf(page, "ROI Analysis").locator("summary").click();
      await expect(sheetOf(page, "ROI Analysis")).toContainText("$33,480 saved");
      await expect(price).toBeHidden();
      await sheetOf(page, "Workflow Design").locator("summary").click();
      await page.getByRole("link", { name: "Now write your price" }).click();
      await expect(blank).toBeHidden();
      await price.fill("$4321");
      await expect(page.getByText("That’s how it works")).toBeVisible();
      // What is written stays when the sheet is turned back.
      await sheetOf(page, "Workflow Design").locator("summary").click();
      await expect(price).toHaveValue("$4321");
      await page.getByRole("link", { name: "Read all eight sheets" }).click();
      await expect(page).toHaveURL("/sample-audit");
      await expect(page.locator(".audit-sheet")).toHaveCount(8);
      expect(sent.filter((request) => request.includes("4321"))).toEqual([]);
      expect(
        await page.evaluate(() => JSON.stringify([localStorage, sessionStorage])),
      ).not.toContain("4321");
    });
  });
}

test("every sheet says that it is an example, and which of the eight it is", async ({ page }) => {
  await page.goto("/sample-audit");
  for (const [index, sheet] of (await page.locator(".audit-sheet").all()).entries()) {
    await expect(sheet.locator(".stamp")).toHaveText("Example");
    await expect(sheet.getByText(new RegExp(`, ${index + 1} of 8$`))).toBeVisible();
    await expect(sheet.getByRole("img")).toBeVisible();
  }
});

test("on paper the sample audit is its eight sheets, a page each", async ({ page, request }) => {
  await page.goto("/sample-audit");
  const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(8);
  const href = await page.getByRole("link", { name: /PDF/ }).getAttribute("href");
  const kept = await request.get(href ?? "");
  expect(kept.headers()["content-type"]).toBe("application/pdf");
});
