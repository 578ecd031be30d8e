import type { Page } from "@playwright/test";
import { field, leastWritten } from "./contact-form.ts";
import { expect, test } from "./site-test.ts";

const stopsMax = 60;

test.use({ viewport: { width: 390, height: 844 } });

test("by keyboard alone, from an issue to a message that arrives", async ({ page, site }) => {
  await page.goto("/newsletter/1");
  await stopsTo(page, ".site-footer a[href='/contact']");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/contact");
  const fields = { ...leastWritten, Email: "keys@reyes.example" };
  for (const [label, value] of Object.entries(fields)) {
    await stopsTo(page, `#${await field(page, label).getAttribute("id")}`);
    await page.keyboard.type(value);
  }
  await stopsTo(page, "#contact-form button[type=submit]");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Message Sent Successfully!", { exact: true })).toBeInViewport();
  await site.messageFrom("keys@reyes.example");
});

async function stopsTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < stopsMax; stops += 1) {
    await page.keyboard.press("Tab");
    if (await page.locator(selector).and(page.locator(":focus")).count()) return;
  }
  throw new Error(`${selector} is none of the next ${stopsMax} stops.`);
}
