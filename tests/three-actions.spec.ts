import type { Page } from "@playwright/test";
import { field, fillIn, leastWritten } from "./contact-form.ts";
import { missingPageComplaint } from "./every-page/routes.ts";
import { wayToBooking } from "./every-page/way-to-booking.ts";
import { expect, test } from "./site-test.ts";

/**
 * Whoever comes to any page on a phone reaches a sent message or a booking in three actions: what is set off by a tap or
 * by a key, or a form that is filled in. Looking for the next one, by Tab or by eye, is none.
 */
const actionsMax = 3;

/** Further than any of the stops that are looked for. */
const stopsMax = 60;

const contactLink = ".site-footer a[href='/contact']";

test.use({
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: "reduce",
});

/** Counts what a visitor does, and lets nobody do more than is allowed. */
function visitor() {
  let actions = 0;
  return async function act(what: string, does: () => Promise<unknown>) {
    actions += 1;
    expect(actions, `${what} is action ${actions}`).toBeLessThanOrEqual(actionsMax);
    await test.step(`${actions}. ${what}`, does);
  };
}

// That the bar is there for the keyboard and a finger, each page is asked in every-page/screens.spec.ts.
test("by touch, from a use case to a message that arrives", async ({ page, site }) => {
  const act = visitor();
  await page.goto("/use-cases/leads");
  await act("taps the link in the footer", () => page.locator(contactLink).tap());
  await act("fills in the form", () =>
    fillIn(page, { ...leastWritten, Email: "touch@reyes.example" }),
  );
  await act("taps the button below it", () =>
    page.getByRole("button", { name: "Send Message" }).tap(),
  );
  await expect(page.getByText("Message Sent Successfully!", { exact: true })).toBeInViewport();
  await site.messageFrom("touch@reyes.example");
});

test("by keyboard alone, from an issue to a message that arrives", async ({ page, site }) => {
  const act = visitor();
  await page.goto("/newsletter/1");
  await act("opens the link in the footer", async () => {
    await stopsTo(page, contactLink);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/contact");
  });
  await act("fills in the form", async () => {
    const fields = { ...leastWritten, Email: "keys@reyes.example" };
    for (const [label, value] of Object.entries(fields)) {
      await stopsTo(page, `#${await field(page, label).getAttribute("id")}`);
      await page.keyboard.type(value);
    }
  });
  await act("presses the button below it", async () => {
    await stopsTo(page, "#contact-form button[type=submit]");
    await page.keyboard.press("Enter");
  });
  await expect(page.getByText("Message Sent Successfully!", { exact: true })).toBeInViewport();
  await site.messageFrom("keys@reyes.example");
});

for (const { path, way } of [
  { path: "/pricing", way: "touch" },
  { path: "/no-such-page", way: "keyboard" },
] as const) {
  test(`by ${way}, from ${path} to the booking`, async ({ page, expectConsole }) => {
    if (path === "/no-such-page") expectConsole(missingPageComplaint);
    const act = visitor();
    const press = async (selector: string) => {
      if (way === "touch") return page.locator(selector).first().tap();
      await stopsTo(page, selector);
      return page.keyboard.press("Enter");
    };
    await page.goto(path);
    await page.waitForFunction(() => "Calendly" in window);
    await act("opens the booking from the bar", () => press(wayToBooking));
    await expect(page.getByRole("dialog", { name: "Book your free consultation" })).toBeVisible();
  });
}

/** Presses Tab until what the selector names has the focus. */
async function stopsTo(page: Page, selector: string): Promise<void> {
  const isThere = (wanted: string) => document.activeElement?.matches(wanted) ?? false;
  for (let stops = 0; stops < stopsMax; stops += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(isThere, selector)) return;
  }
  throw new Error(`${selector} is none of the next ${stopsMax} stops.`);
}
