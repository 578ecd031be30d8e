import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { newAddress } from "../new-address.ts";
import { signUp } from "../visitors.ts";
import { expect, sayYes, test } from "./desk-test.ts";

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
    // A short list has no search until it is asked for one.
    await page.goto(`${desk.url}/${list}?find=piers`);
    await page.getByLabel("Find").fill(words);
    await page.getByRole("button", { name: "Find" }).click();
    await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
    await expect(page.getByRole("link", { name })).toBeVisible();
  }
});

test("on a phone the rooms are a bar at the foot, which hides nothing", async ({ page, desk }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${desk.url}/settings`);
  const bar = page.getByRole("navigation", { name: "Desk" });
  const isAtFoot = () =>
    bar.evaluate((element) => Math.round(element.getBoundingClientRect().bottom) === innerHeight);
  expect(await isAtFoot()).toBe(true);
  const links = bar.getByRole("link").filter({ visible: true });
  const daily = ["Today", "Messages", "Issues", "Subscribers"];
  await expect(links).toHaveText(daily);
  await bar.getByRole("button", { name: "More" }).click();
  await expect(links).toHaveText([...daily, "The site’s words", "People", "Settings", /See/]);
  // The menu is over the page, whose fields it covers in part.
  expect(await accessibilityFaults(page, ["nav"])).toEqual([]);
  await bar.getByRole("link", { name: "People" }).click();
  await expect(page.getByRole("heading", { name: "People", level: 1 })).toBeVisible();
  await expect(links).toHaveText(daily);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  const last = page.getByRole("main").getByRole("button").last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await last.hover({ trial: true });
});

test("a browser that translates pages does no harm", async ({ page, desk }) => {
  await page.goto(`${desk.url}/settings`);
  // As Chrome's translation does, which leaves alone what isn't to be translated.
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const text of found) {
      if (text.parentElement?.closest("[translate=no], script, style")) continue;
      const font = document.createElement("font");
      text.replaceWith(font);
      font.append(`(${text.data})`);
    }
  });
  const field = page.getByLabel("Telephone");
  await field.fill("0");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("“Telephone” must be a telephone number");
  await sayYes(page);
  await page
    .getByRole("navigation", { name: "Desk" })
    .getByRole("link", { name: "Messages" })
    .click();
  await expect(page.getByRole("heading", { name: "Messages", level: 1 })).toBeVisible();
});
