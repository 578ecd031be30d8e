import type { Page } from "@playwright/test";
import { sentences } from "#content/sentences.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { choosePhoto } from "../phone-photo.ts";
import { waitForScripts } from "../site-test.ts";
import { expect, test } from "./desk-test.ts";

const preview = (page: Page) => page.frameLocator("iframe.preview");
const save = (page: Page) => page.getByRole("button", { name: "Save" });

test("the owner presses a sentence on its page, writes there, and puts the delivered words back", async ({
  page,
  site,
}) => {
  const about = async () => await (await fetch(`${site.url}/about`)).text();
  await page.goto("/messages");
  await page.getByRole("link", { name: "The site’s words" }).click();
  await page.getByRole("link", { name: /^About/ }).click();
  const sentence = preview(page).getByText("We measure before we cut");
  const heading = page.getByLabel("Heading");
  // The page in the frame hears of keys once it is loaded.
  const frame = page.locator("iframe");
  const stateOf = (shown: Element) => (shown as HTMLIFrameElement).contentDocument?.readyState;
  await expect(sentence).toBeVisible();
  await expect.poll(() => frame.evaluate(stateOf)).toBe("complete");
  await sentence.press("Enter");
  await expect(heading).toBeFocused();

  await heading.fill("We measure your week, all of it, before we cut a single thing");
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

  await page.getByRole("link", { name: "Another sentence" }).click();
  await expect(page.getByRole("dialog")).toContainText("What you wrote isn’t saved. Leave it?");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(heading).toHaveValue("Measured twice");

  await save(page).click();
  await expect(page.getByRole("status").first()).toContainText("Saved.");
  await expect.poll(about).toContain("Measured twice</h1>");
  await expect(preview(page).getByText("Measured twice")).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByRole("button", { name: "Put the delivered words back" }).click();
  await expect(heading).toHaveValue("We measure before we cut");
  await expect.poll(about).toContain("We measure before we cut</h1>");
  // Nothing is asked after it was saved.
  await page.getByRole("link", { name: "Another sentence" }).click();
  await expect(page.getByText("Press a sentence on the page")).toBeVisible();
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
  await expect(fourth.getByRole("img", { name: "The new portrait" })).toBeVisible();
  const third = page.getByRole("group", { name: "Person 3" });
  await third.locator("summary").press("Enter");
  await page.getByRole("button", { name: "Remove Person 3" }).press("Enter");
  await expect(third.getByLabel("Name")).toHaveValue("Test Person");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await save(page).click();
  await expect(page.getByRole("status").first()).toContainText("Saved.");

  await expect.poll(about).toContain("Portrait of Test Person");
  await expect(preview(page).getByRole("img", { name: "Portrait of Test Person" })).toBeVisible();
  const [, path = ""] = /src="(\/pictures\/[^"]+)" alt="Portrait/.exec(await about()) ?? [];
  const bytes = await (await page.request.get(site.url + path)).body();
  expect(bytes.length).toBeLessThan(300_000);
  expect(bytes.indexOf("Exif")).toBe(-1);
  expect(bytes.indexOf("TestCam")).toBe(-1);
  await third.locator("summary").click();
  const portrait = page.getByRole("img", { name: "The portrait now" });
  await expect(portrait).toHaveJSProperty("naturalWidth", 480);
  await expect(portrait).toHaveJSProperty("naturalHeight", 480);

  await page.getByRole("button", { name: "Put the delivered words back" }).click();
  await expect.poll(about).not.toContain("Test Person");
  expect(await portraits()).toEqual(before);
});

test("two windows change the same words, and the later is told and keeps what it wrote", async ({
  page,
  context,
  desk,
}) => {
  const address = `${desk.url}/words/newsletter?word=newsletter`;
  await page.goto(address);
  const other = waitForScripts(await context.newPage());
  await other.goto(address);
  await other.getByLabel("Name").fill("The Plumb Line");
  await save(other).click();
  await expect(other.getByRole("status").first()).toContainText("Saved.");
  await page.getByLabel("Name").fill("The Level");
  await save(page).click();
  await expect(page.getByRole("alert")).toContainText("Another window has changed these words");
  await expect(page.getByLabel("Name")).toHaveValue("The Level");
  await other.getByRole("button", { name: "Put the delivered words back" }).click();
  await expect(other.getByLabel("Name")).toHaveValue("The Matrix");
  await other.close();
});
