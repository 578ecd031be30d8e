import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { expect, test } from "./desk-test.ts";

test("the palette finds an issue by the keyboard alone, and goes there", async ({
  page,
  desk,
  site,
  expectConsole,
}) => {
  const { id } = await site.publish({ title: "Frost below the piers", html: "<p>Words.</p>" });
  await page.goto(`${desk.url}/settings`);
  const palette = page.getByRole("dialog", { name: "Find or go to" });
  const field = palette.getByRole("combobox");
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await expect(palette.getByRole("option", { name: "Messages" })).toBeVisible();
  await page.keyboard.type("below the PIERS");
  await expect(palette.getByRole("option")).toHaveCount(1);
  await expect(field).toHaveAttribute("aria-activedescendant", /.+-0$/);
  expect(await accessibilityFaults(page, ["dialog"])).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${desk.url}/issues/${id}`);
  await expect(palette).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("booking");
  await expect(palette.getByRole("group", { name: "Settings" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);

  // Its page needs no scripts.
  const found = await page.request.get(`${desk.url}/find?q=below+the+piers`);
  expect(await found.text()).toContain(`href="/issues/${id}"`);

  expectConsole(/503/);
  await page.route("**/find.json*", (route) => route.fulfill({ status: 503 }));
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("status")).toContainText("The database does not answer.");
});

test("on a phone the palette shows whose message it is", async ({ page, site, desk }) => {
  const message = { ...contactMessage, firstName: "Wilhelmina", lastName: "Oduya-Sutherland" };
  await callFunction(site.url, "send-contact-email", { ...message, message: "Word. ".repeat(40) });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${desk.url}/messages`);
  await page.getByRole("link", { name: /More/ }).click();
  await expect(page.getByRole("combobox", { name: "Find or go to" })).toBeFocused();
  await page.keyboard.type("wilhelmina");
  const name = page.getByRole("option", { name: /Wilhelmina/ }).locator("b");
  await expect(name).toBeVisible();
  const lines = await name.evaluate(
    (element) =>
      element.getBoundingClientRect().height /
      Number.parseFloat(getComputedStyle(element).lineHeight),
  );
  expect(Math.round(lines)).toBeLessThanOrEqual(2);
});

test("shows the shape of a page that is slow to come, and leaves the last one alone", async ({
  page,
  desk,
}) => {
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.goto(`${desk.url}/subscribers/add`);
  const main = page.getByRole("main");
  const address = page.getByLabel("Address");
  await address.fill("half@an");
  page.on("dialog", (dialog) => dialog.accept());
  await page.route("**/subscribers.data*", async (route) => {
    await isAsked;
    await route.continue();
  });
  const link = page.getByRole("navigation").getByRole("link", { name: "Subscribers" });
  await link.click();
  await expect(main).toHaveAttribute("aria-busy", "true");
  await expect(page.locator(".skeleton.rows")).toBeInViewport();
  const said = page.locator("[aria-live]:not([aria-busy] *)", { hasText: "Loading…" });
  await expect(said).toHaveAttribute("aria-live", "polite");
  await expect(link).toBeFocused();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  // It is over the page, which keeps what was typed.
  await expect(address).toHaveValue("half@an");
  answer();
  await expect(page.getByRole("heading", { name: "Subscribers" })).toBeVisible();
  await expect(page.locator(".skeleton")).toHaveCount(0);
  await expect(said).toHaveCount(0);
  await expect(main).toHaveAttribute("aria-busy", "false");
});

test("on a phone the rooms are a bar at the foot, which hides nothing", async ({ page, desk }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${desk.url}/settings`);
  const bar = page.getByRole("navigation", { name: "Desk" });
  const isAtFoot = () =>
    bar.evaluate((element) => Math.round(element.getBoundingClientRect().bottom) === innerHeight);
  const isNarrow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    );
  expect(await isAtFoot()).toBe(true);
  await expect(bar.getByRole("link").filter({ visible: true })).toHaveText([
    /More/,
    "Today",
    "Messages",
    "Issues",
    "Subscribers",
  ]);
  expect(await isNarrow()).toBe(true);
  const last = page.getByRole("main").getByRole("button").last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await last.click({ trial: true });

  // Letters of twice the size.
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  expect(await isAtFoot()).toBe(true);
  expect(await isNarrow()).toBe(true);
  for (const link of await bar.getByRole("link").filter({ visible: true }).all()) {
    await expect(link).toBeInViewport({ ratio: 1 });
    expect(await link.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  }

  // A keyboard leaves half of the screen, and the bar goes with the page.
  await page.setViewportSize({ width: 390, height: 420 });
  await expect.poll(isAtFoot).toBe(false);
});
