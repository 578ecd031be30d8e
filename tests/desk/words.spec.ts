import type { Page } from "@playwright/test";
import { sentences } from "#content/sentences.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { choosePhoto } from "../phone-photo.ts";
import { waitForScripts } from "../site-test.ts";
import { expect, test } from "./desk-test.ts";

const preview = (page: Page) => page.frameLocator("iframe.preview");
const save = (page: Page) => page.getByRole("button", { name: "Save" });
const history = (page: Page) => page.locator(".history");

test("the owner presses a sentence on its page, writes there, and puts an earlier wording back", async ({
  page,
  site,
}) => {
  const about = async () => await (await fetch(`${site.url}/about`)).text();
  await page.goto("/messages");
  await page.getByRole("link", { name: "The site's words" }).click();
  await page.getByRole("link", { name: /^About/ }).click();
  await expect(preview(page).getByText("We measure before we cut")).toBeVisible();
  const said = page.getByRole("status").filter({ hasText: "is fixed" });
  // Until the desk listens to the page.
  await expect(async () => {
    await preview(page).getByText("Book Your Free Consultation").first().click();
    await expect(said).toContainText("“Book Your Free Consultation” is fixed", { timeout: 500 });
  }).toPass();
  await preview(page).getByText("We measure before we cut").press("Enter");
  const heading = page.getByLabel("Heading");
  await expect(heading).toBeFocused();

  await heading.fill("We measure your week, all of it, before we cut a single thing");
  await expect(page.getByText("21 characters too long for its place: 40 fit.")).toBeVisible();
  await save(page).click();
  await expect(page.getByRole("alert")).toContainText("Heading is longer than 40 characters.");
  await heading.fill("Measured <b>twice</b>");
  // As it will be, and as text alone.
  await expect(preview(page).getByRole("heading", { level: 1 })).toHaveText(
    "Measured <b>twice</b>",
  );
  await save(page).click();
  await expect(page.getByRole("alert")).toContainText("Heading can't have < or >.");
  await heading.fill("Measured twice");
  expect(await about()).toContain("We measure before we cut");

  const asked: string[] = [];
  page.once("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole("link", { name: "Another sentence" }).click();
  await expect.poll(() => asked).toEqual(["What you wrote isn’t saved. Leave it?"]);
  await expect(heading).toHaveValue("Measured twice");
  page.once("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toContain("beforeunload");

  await save(page).click();
  await expect(page.getByRole("status").first()).toContainText("Saved.");
  await expect.poll(about).toContain("Measured twice</h1>");
  await expect(history(page)).toContainText("This computer");
  await expect(history(page).getByText("We measure before we cut")).toBeVisible();
  await expect(preview(page).getByText("Measured twice")).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  await heading.fill("Measured three times");
  await save(page).click();
  await expect(history(page).getByText("Measured three times")).toBeVisible();
  await history(page).getByRole("button", { name: "Put this back" }).last().click();
  await expect(heading).toHaveValue("Measured twice");
  await history(page).getByRole("button", { name: "Put the delivered words back" }).click();
  await expect(heading).toHaveValue("We measure before we cut");
  await expect.poll(about).toContain("We measure before we cut</h1>");
  // Nothing is asked after it was saved.
  await page.getByRole("link", { name: "Another sentence" }).click();
  await expect(page.getByText("Press a sentence on the page")).toBeVisible();
  expect(asked).toHaveLength(2);
});

test("every sentence that can be changed is on its page, and is known there", async ({
  page,
  desk,
}) => {
  const names = Object.entries(sentences).filter(([, { label }]) => !/search engines/.test(label));
  // Shown once somebody has a name.
  const unseen = "/about#who-does-what-and-what-each-one-answers";
  const missing: string[] = [];
  for (const path of new Set(names.map(([, fact]) => fact.path))) {
    const key = path.slice(1).replaceAll("/", "-") || "home";
    const shown = await (await page.request.get(`${desk.url}/words/${key}/preview`)).text();
    for (const [name] of names.filter(([, fact]) => fact.path === path)) {
      if (!shown.includes(`data-word="${name}"`)) missing.push(name);
    }
    expect(/[\ue000-\uf8ff]|<script/.exec(shown), path).toBeNull();
  }
  expect(missing).toEqual([unseen]);
});

test("the owner changes the hours, sees them before and on the site, and takes them back", async ({
  page,
  desk,
  site,
}) => {
  const contact = async () => await (await fetch(`${site.url}/contact`)).text();
  await page.goto(`${desk.url}/words/contact`);
  const closed = preview(page).getByText("Closed Saturday and Sunday");
  await expect(closed).toBeVisible();
  // Until the desk listens to the page.
  await expect(async () => {
    await closed.click();
    await expect(page.getByLabel("Friday")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.getByLabel("Friday").uncheck();
  await page.getByLabel("Closes").fill("16:30");
  await expect(
    preview(page).getByText("Monday to Thursday 9 AM to 4:30 PM EST").first(),
  ).toBeVisible();
  expect(await contact()).toContain("Monday to Friday 9 AM to 6 PM EST");

  await save(page).click();
  await expect(page.getByRole("status").first()).toContainText("Saved.");
  await expect(page.getByLabel("Friday")).not.toBeChecked();
  await expect.poll(contact).toContain("Monday to Thursday 9 AM to 4:30 PM EST");

  await page.getByRole("button", { name: "Put the delivered words back" }).click();
  await expect(page.getByRole("status").first()).toContainText("The usual words are back");
  await expect(page.getByLabel("Friday")).toBeChecked();
  await expect.poll(contact).toContain("Monday to Friday 9 AM to 6 PM EST");
});

test("what the specification fixes is refused, and what was typed stays", async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/words/pricing?word=prices`);
  const call = page.getByRole("group", { name: "Offer 1" });
  await call.getByLabel("Price").fill("$99");
  await save(page).click();
  await expect(page.getByRole("alert")).toContainText("The consultation's price stays $0");
  await expect(call.getByLabel("Price")).toHaveValue("$99");
  page.once("dialog", (dialog) => dialog.accept());
});

test("somebody joins the team by keyboard, with a portrait that is square, upright and nowhere taken", async ({
  page,
  desk,
  site,
}) => {
  const about = async () => await (await fetch(`${site.url}/about`)).text();
  const portraits = async () =>
    await inDatabase(site, (db) => db.selectFrom("pictures").select("hash").execute());
  const before = await portraits();
  await page.goto(`${desk.url}/words/about?word=team`);
  await page.getByRole("button", { name: "Add a person" }).press("Enter");
  const fourth = page.getByRole("group", { name: "Person 4" });
  await expect(fourth.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Test Person");
  await fourth.getByLabel("Role").fill("Estimator");
  await fourth.getByLabel("What they do").fill("Reads the drawings.");
  await choosePhoto(fourth.getByLabel("Portrait"), { width: 1200, height: 900 });
  await expect(fourth.getByRole("img", { name: "The portrait now" })).toBeVisible();
  await fourth.getByRole("button", { name: "Move Person 4 up" }).press("Enter");
  const third = page.getByRole("group", { name: "Person 3" });
  await expect(third.getByLabel("Name")).toHaveValue("Test Person");
  await expect(third.getByRole("button", { name: "Move Person 3 up" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(preview(page).getByRole("img", { name: "Portrait of Test Person" })).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await save(page).click();
  await expect(page.getByRole("status").first()).toContainText("Saved.");

  await expect.poll(about).toContain("Portrait of Test Person");
  const [, path = ""] = /src="(\/pictures\/[^"]+)" alt="Portrait/.exec(await about()) ?? [];
  const bytes = await (await page.request.get(site.url + path)).body();
  expect(bytes.length).toBeLessThan(300_000);
  expect(bytes.indexOf("Exif")).toBe(-1);
  expect(bytes.indexOf("TestCam")).toBe(-1);
  const portrait = page.getByRole("img", { name: "The portrait now" });
  const shown = await portrait.evaluate((image: HTMLImageElement) => {
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const drawing = canvas.getContext("2d");
    drawing?.drawImage(image, 0, 0);
    // The photo's red is on top: upright, it is 900 by 1200, and a ninth of what is above the square is left out.
    const [red, green] = drawing?.getImageData(240, 10, 1, 1).data ?? [];
    return {
      width: canvas.width,
      height: canvas.height,
      isRed: Number(red) > 240 && Number(green) < 40,
    };
  });
  expect(shown).toEqual({ width: 480, height: 480, isRed: true });

  await page.getByRole("button", { name: "Put the delivered words back" }).click();
  await expect.poll(about).not.toContain("Test Person");
  expect(await portraits()).toEqual(before);
});

test("two windows change the same words, and the later is told and sees both", async ({
  page,
  context,
  desk,
  expectConsole,
}) => {
  // The refusal's status.
  expectConsole(/409/);
  const address = `${desk.url}/words/newsletter?word=newsletter`;
  await page.goto(address);
  const other = waitForScripts(await context.newPage());
  await other.goto(address);
  await other.getByLabel("Name").fill("The Plumb Line");
  await save(other).click();
  await expect(other.getByRole("status").first()).toContainText("Saved.");
  await other.close();

  await page.getByLabel("Name").fill("The Level");
  await save(page).click();
  await expect(page.getByRole("alert")).toContainText("Another window has changed these words");
  const others = page.locator(".notice").filter({ hasText: "The other’s words" });
  await expect(others).toContainText("The Plumb Line");
  await expect(page.getByLabel("Name")).toHaveValue("The Level");
  await others.getByRole("button", { name: "Take these" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("The Plumb Line");

  // Saved again with both in sight, it takes the place of the other, which stays in the history.
  await page.getByLabel("Name").fill("The Level");
  await save(page).click();
  await expect(page.getByRole("status").first()).toContainText("Saved.");
  await expect(history(page).locator("del")).toHaveText(["The Plumb Line", "The Matrix"]);
  await page.getByRole("button", { name: "Put the delivered words back" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("The Matrix");
});
