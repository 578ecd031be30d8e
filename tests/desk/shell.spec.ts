import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { newAddress } from "../new-address.ts";
import { signUp } from "../visitors.ts";
import { expect, test } from "./desk-test.ts";

test("finds issues and subscribers by their words, whatever the accents", async ({
  page,
  site,
  desk,
}) => {
  await site.publish({ title: "Étages below the piers", html: "<p>Words.</p>" });
  const address = newAddress();
  await inDatabase(site, (db) => signUp(db, address));
  for (const [list, words, name] of [
    ["issues", "PIERS etages", /Étages below the piers/],
    ["subscribers", address.toUpperCase().replace("@", " "), address],
  ] as const) {
    await page.goto(`${desk.url}/${list}`);
    await page.getByLabel("Find").fill(words);
    await page.getByRole("button", { name: "Find" }).click();
    await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
    await expect(page.getByRole("link", { name })).toBeVisible();
  }
});

test("says that a page is slow to come, and leaves the last one alone", async ({ page, desk }) => {
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
  const said = page.locator("[aria-live]:not([aria-busy] *)", { hasText: "Loading…" });
  await expect(said).toHaveAttribute("aria-live", "polite");
  await expect(link).toBeFocused();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await expect(address).toHaveValue("half@an");
  answer();
  await expect(page.getByRole("heading", { name: "Subscribers" })).toBeVisible();
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
  const links = bar.getByRole("link").filter({ visible: true });
  const daily = ["Today", "Messages", "Issues", "Subscribers"];
  await expect(links).toHaveText(daily);
  await bar.getByRole("button", { name: "More" }).click();
  await expect(links).toHaveText([...daily, "The site's words", "People", "Settings"]);
  // The menu is over the page, whose fields it covers in part.
  expect(await accessibilityFaults(page, ["nav"])).toEqual([]);
  await bar.getByRole("link", { name: "People" }).click();
  await expect(page.getByRole("heading", { name: "People", level: 1 })).toBeVisible();
  await expect(links).toHaveText(daily);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
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
