import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import ICAL from "ical.js";
import { expect, test } from "./site-test.ts";

const ruler = (page: Page, name: string) => page.getByRole("region", { name });

async function downloadedDays(page: Page, name: string) {
  const downloading = page.waitForEvent("download");
  await ruler(page, name).getByRole("link", { name: "Add to your calendar" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.ics$/);
  const file = await readFile(await download.path(), "utf8");
  const events = new ICAL.Component(ICAL.parse(file)).getAllSubcomponents("vevent");
  return events.map((event) => ({
    day: event.getFirstPropertyValue("dtstart")?.toString(),
    words: `${event.getFirstPropertyValue("summary")} ${event.getFirstPropertyValue("description")}`,
  }));
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with scripts ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled });

    test("an invoice's date becomes its days, and a file for a calendar", async ({ page }) => {
      await page.goto("/rulers");
      const invoice = ruler(page, "A proper invoice");
      await invoice.getByLabel("The owner received it on").fill("2028-02-15");
      await invoice.getByLabel("Amount without the holdback, in dollars").fill("$36,500");
      await invoice.getByLabel("Interest in your contract").fill("10");
      await invoice.getByRole("button", { name: "Measure" }).click();
      await expect(page).toHaveURL(/\/rulers\?received=2028-02-15&.*#proper-invoice$/);
      for (const day of ["February 22, 2028", "February 29, 2028", "March 14, 2028"]) {
        await expect(invoice.getByText(day, { exact: true })).toBeVisible();
      }
      await expect(invoice).toContainText("Interest from this day, $10.00 a day");
      await expect(invoice).toContainText("January 1, 2026. No legal advice.");
      const days = await downloadedDays(page, "A proper invoice");
      expect(days.map(({ day }) => day)).toEqual(["2028-02-22", "2028-02-29", "2028-03-14"]);
      for (const { words } of days) expect(words).toMatch(/\$36,500\.00.*No legal advice/s);
    });

    test("each unsigned extra takes from the ten per cent over an estimate", async ({ page }) => {
      await page.goto("/rulers");
      const estimate = ruler(page, "Ten per cent over an estimate");
      await estimate.getByLabel("Estimate, in dollars, agreed changes included").fill("8,000");
      await estimate.getByLabel("Extras nobody signed").fill("450, 1,200");
      await estimate.getByLabel("The final bill goes out on").fill("2026-12-31");
      await estimate.getByRole("button", { name: "Measure" }).click();
      await expect(estimate).toContainText("$8,800.00");
      await expect(estimate).toContainText("$350.00 left");
      await expect(estimate).toContainText("$850.00 over");
      const days = await downloadedDays(page, "Ten per cent over an estimate");
      expect(days).toMatchObject([{ day: "2026-12-31" }]);
    });

    test("lien and holdback days go by the contract's date", async ({ page }) => {
      await page.goto("/rulers?contract=2018-06-30&ends=2026-06-30");
      const lien = ruler(page, "Holdback and lien");
      await expect(lien).toContainText("August 14, 2026");
      await expect(lien).toContainText("with 45 days for each step");
      await lien.getByLabel("The owner and the contractor signed on").fill("2026-06-05");
      await lien.getByRole("button", { name: "Measure" }).click();
      await expect(lien).toContainText("August 29, 2026");
      await expect(lien).toContainText("September 1, 2027");
      const days = await downloadedDays(page, "Holdback and lien");
      expect(days.map(({ day }) => day)).toContain("2027-06-19");
    });
  });
}

test("what can't be read is said beside its field, and measures nothing", async ({ page }) => {
  await page.goto("/rulers?received=2027-02-29&amount=lots");
  const invoice = ruler(page, "A proper invoice");
  const received = invoice.getByLabel("The owner received it on");
  await expect(received).toHaveAccessibleDescription("Write a date between 2000 and 2099.");
  const amount = invoice.getByLabel("Amount without the holdback, in dollars");
  await expect(amount).toHaveValue("lots");
  await expect(amount).toHaveAccessibleDescription("Write an amount.");
  await expect(invoice.getByRole("link", { name: "Add to your calendar" })).toHaveCount(0);
});

test("a ruler with nothing written shows an example and says so; with one field, what is missing", async ({
  page,
}) => {
  await page.goto("/rulers?contract=&ends=");
  const lien = ruler(page, "Holdback and lien");
  await expect(lien).toContainText("An example. Write in yours.");
  await expect(lien.getByText("Last day to preserve a lien", { exact: true })).toBeVisible();
  await page.goto("/rulers?contract=2026-06-05&ends=");
  await expect(lien).not.toContainText("An example. Write in yours.");
  await expect(lien.getByLabel("Published, completed or terminated")).toHaveAccessibleDescription(
    "Write a date between 2000 and 2099.",
  );
});

test("an estimate of a few cents is drawn", async ({ request }) => {
  const page = await (await request.get("/rulers?estimate=0.05&extras=0")).text();
  expect(page).toContain("$0.05");
  expect(page).not.toContain("NaN");
});

test("a use case and an issue lead to the ruler that belongs to them", async ({ page }) => {
  await page.goto("/use-cases/business-operations");
  await page.getByRole("link", { name: "Measure when an invoice is due" }).click();
  await expect(page).toHaveURL("/rulers#proper-invoice");
  await page.goto("/newsletter/3");
  await page.getByRole("link", { name: "Measure the ten per cent over an estimate" }).click();
  await expect(page).toHaveURL("/rulers#estimate");
});
