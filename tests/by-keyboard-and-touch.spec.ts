import type { Page } from "@playwright/test";
import { field, leastWritten } from "./contact-form.ts";
import { missingPageComplaint } from "./every-page/routes.ts";
import { wayToBooking } from "./every-page/way-to-booking.ts";
import { expect, test } from "./site-test.ts";

const stopsMax = 60;

test.use({
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
});

test("by keyboard alone, from an issue to a message that arrives", async ({ page, site }) => {
  await page.goto("/newsletter/1");
  await pressAt(page, ".site-footer a[href='/contact']");
  await expect(page).toHaveURL("/contact");
  const fields = { ...leastWritten, Email: "keys@reyes.example" };
  for (const [label, value] of Object.entries(fields)) {
    await stopsTo(page, `#${await field(page, label).getAttribute("id")}`);
    await page.keyboard.type(value);
  }
  await pressAt(page, "#contact-form button[type=submit]");
  await expect(page.getByText("Message Sent Successfully!", { exact: true })).toBeInViewport();
  await site.messageFrom("keys@reyes.example");
});

// That the bar is there for the keyboard and a finger, each page is asked in every-page/screens.spec.ts.
test("the bar opens the booking, by touch and by keyboard", async ({ page, expectConsole }) => {
  expectConsole(missingPageComplaint);
  for (const [path, press] of [
    ["/pricing", () => page.locator(wayToBooking).tap()],
    ["/no-such-page", () => pressAt(page, wayToBooking)],
  ] as const) {
    await page.goto(path);
    await page.waitForFunction(() => "Calendly" in window);
    await press();
    await expect(page.getByRole("dialog", { name: "Book your free consultation" })).toBeVisible();
  }
});

async function pressAt(page: Page, selector: string): Promise<void> {
  await stopsTo(page, selector);
  await page.keyboard.press("Enter");
}

async function stopsTo(page: Page, selector: string): Promise<void> {
  const isThere = (wanted: string) => document.activeElement?.matches(wanted) ?? false;
  for (let stops = 0; stops < stopsMax; stops += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(isThere, selector)) return;
  }
  throw new Error(`${selector} is none of the next ${stopsMax} stops.`);
}
