import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "@playwright/test";
import { torontoDay } from "#content/toronto-time.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { confirmForLinks } from "../mail-links.ts";
import { newAddress } from "../new-address.ts";
import { smallestPicture } from "../phone-photo.ts";
import { sendingSettings } from "../site-server.ts";
import { waitForScripts } from "../site-test.ts";
import { expect, sayYes, startDraft, test, untilSaved } from "./desk-test.ts";

test.use({ siteSettings: sendingSettings });

/** The editor replaces the text field that works without it. */
async function untilOpen(page: Page): Promise<void> {
  await page.waitForURL(/drafts\/\d+$/);
  await expect(page.locator("div[role=textbox]")).toBeVisible();
}

async function openSource(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More tools" }).click();
  await page.getByRole("button", { name: "HTML" }).click();
  await expect(page.locator("div[role=textbox]")).toBeHidden();
}

async function correctIt(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Edit" }).click();
  await untilOpen(page);
  await openSource(page);
  return page.url();
}

const textOf = (page: Page) => page.getByRole("textbox", { name: "Text", exact: true });

test("writes, previews, publishes, tests, sends and corrects an issue", {
  tag: "@postgres",
}, async ({ page, site }) => {
  test.slow();
  const { address: subscriber } = await confirmForLinks(site);
  await startDraft(page);
  await page.getByLabel("Title").fill("Five quotes before lunch");
  await openSource(page);
  await textOf(page).fill("<p>Sent from the <em>van</em>.</p>");
  await page.getByRole("button", { name: "HTML" }).click();
  await textOf(page).press("ControlOrMeta+End");
  await page.getByLabel("Pictures to add").setInputFiles({
    name: "IMG_1.png",
    mimeType: "image/png",
    buffer: smallestPicture,
  });
  await page.getByLabel("Description of the picture").fill("the van");
  await page.getByLabel("Description of the picture").press("Enter");
  await untilSaved(page);

  const preview = page.frameLocator("iframe");
  await expect(preview.getByText("Sent from the van.")).toBeVisible();
  for (const place of [page, preview])
    await expect(place.locator("em")).toHaveCSS("font-style", "italic");
  // The site's own styles are in it.
  await expect(preview.locator("h1")).toHaveCSS("font-family", /Archivo Wide/);
  const shown = preview.getByRole("img", { name: "the van" });
  await expect(shown).toHaveJSProperty("naturalWidth", 1);
  for (const kind of ["Mail", "Dark mail"]) {
    const shownAs = page.waitForResponse(/\/preview\//);
    await page.getByRole("button", { name: kind, exact: true }).click();
    await (await shownAs).finished();
    await expect(preview.getByText("Five quotes before lunch").first()).toBeVisible();
  }
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  const first = newAddress();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await page.getByRole("button", { name: "Write", exact: true }).click();
  await expect(page.getByRole("button", { name: "Preview", exact: true })).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByLabel("Send yourself a test first").fill(first);
  await page.getByLabel("Send yourself a test first").press("Enter");
  await expect(page.getByText(`on its way to ${first}`)).toBeVisible();
  const tried = await site.mailTo(first);
  expect(tried.subject).toBe("[Test] Five quotes before lunch");
  expect(tried.html).toContain("<em>van</em>");
  expect(await (await fetch(`${site.url}/newsletter`)).text()).not.toContain("Five quotes");

  await sayYes(page);
  await page.getByRole("button", { name: "Publish now, mail nobody" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/^#\d+ Five quotes before lunch$/);
  const address =
    (await page.getByRole("link", { name: "See it on the site" }).getAttribute("href")) ?? "";
  expect(await (await fetch(address)).text()).toContain("<em>van</em>");

  await page.getByRole("button", { name: /^Send to/ }).click();
  await page.waitForURL(/sends\/\d+$/);
  const mail = await site.mail(({ to, subject }) =>
    Boolean(
      to?.some((one) => one.address === subscriber) && subject === "Five quotes before lunch",
    ),
  );
  expect(mail.html).toContain(`${site.url}/pictures/`);
  await expect(page.locator("h2.state")).toHaveText("Sent");

  await page.getByRole("link", { name: "The issue" }).click();
  await expect(heading).toHaveText(/^#\d+ Five/);
  const number = (await heading.textContent())?.split(" ")[0];
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Title").fill("Six quotes before lunch");
  await openSource(page);
  await textOf(page).fill("<p>Sent from the <em>truck</em>.</p>");
  await untilSaved(page);
  await page.getByRole("button", { name: "Publish the correction" }).click();
  await expect(heading).toHaveText(`${number} Six quotes before lunch`);
  await expect
    .poll(async () => await (await fetch(address)).text())
    .toMatch(/Six quotes[\s\S]*<em>truck<\/em>/);
});

test("a draft outlives a lost connection, a reload, a second window and a restart", async ({
  page,
  desk,
  context,
  expectConsole,
}) => {
  test.slow();
  expectConsole(/ERR_FAILED|401/);
  const address = await startDraft(page);
  await page.getByLabel("Title").fill("Kept");
  await textOf(page).fill("First words.");
  await untilSaved(page);

  await page.route("**/save", (route) => route.abort());
  await textOf(page).fill("First words. And more.");
  await expect(page.getByRole("alert")).toContainText("kept in this browser");
  await page.unroute("**/save");
  await untilSaved(page);
  await page.reload();
  await expect(textOf(page)).toHaveText("First words. And more.");

  // A window that saw an older text can't overwrite a newer one: its own is there to be copied until it loads the other.
  const second = waitForScripts(await context.newPage());
  await second.goto(address);
  await untilOpen(second);
  await textOf(second).fill("From the second window.");
  await untilSaved(second);
  await textOf(page).fill("From the first");
  await expect(page.getByRole("alert")).toContainText("Another window");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy this text" }).click();
  await page.getByRole("button", { name: "Copied" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("From the first\n");
  await page.getByRole("button", { name: "Discard mine, load the other" }).click();
  await untilSaved(page);
  await expect(textOf(page)).toHaveText("From the second window.");
  await second.close();

  // Killed in the middle of a sentence, and opened again by the new link.
  await page.route("**/save", (route) => route.abort());
  await textOf(page).fill("Typed while it was gone.");
  await expect(page.getByRole("alert")).toBeVisible();
  await desk.restart();
  await page.unroute("**/save");
  await expect(page.getByRole("alert")).toContainText("open the desk in another tab");
  await context.addCookies([await desk.session()]);
  await page.goto(address);
  await expect(textOf(page)).toHaveText("Typed while it was gone.");
  await untilSaved(page);
});

test("the correction of an issue keeps its day, and overwrites no change by a command", async ({
  page,
  site,
}) => {
  test.slow();
  await sayYes(page);
  await startDraft(page);
  await page.getByLabel("Title").fill("Dated");
  await openSource(page);
  await textOf(page).fill("<p>One <em>price</em>.</p>");
  await untilSaved(page);
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Publish now, mail nobody" }).click();
  await page.waitForURL(/issues\/\d+$/);
  const id = page.url().split("/").at(-1) ?? "";
  const published = () => inDatabase(site, (db) => findIssue(db, Number(id)));
  const publishDate = String(torontoDay(site.now()));
  expect(await published()).toMatchObject({ publishDate });

  await correctIt(page);
  await expect(textOf(page)).toHaveValue("<p>One <em>price</em>.</p>");
  await textOf(page).fill("<p>Two <em>prices</em>.</p>");
  await untilSaved(page);
  await page.getByRole("button", { name: "Publish the correction" }).click();
  await page.waitForURL(/issues\/\d+$/);
  expect(await published()).toMatchObject({
    publishDate,
    html: "<p>Two <em>prices</em>.</p>",
  });

  // Corrected at the desk and, before that is published, by a command.
  const draft = await correctIt(page);
  await textOf(page).fill("<p>Three <em>prices</em>.</p>");
  await untilSaved(page);
  const file = path.join(site.dataDir, "dated.html");
  await writeFile(file, "<p>Four prices.</p>");
  await site.command("issues", "update", id, file, "--title", "Dated", "--yes");
  await page.getByRole("button", { name: "Publish the correction" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "The published issue was changed" });
  await expect(alert.getByRole("button", { name: "Copy this text" })).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  expect((await published())?.html).toBe("<p>Four prices.</p>");

  await page.goto(draft);
  await alert.getByRole("button", { name: "Discard mine, load the other" }).click();
  await expect(alert).toBeHidden();
  await untilOpen(page);
  await openSource(page);
  await expect(textOf(page)).toHaveValue("<p>Four prices.</p>");
  await textOf(page).fill("<p>Six prices.</p>");
  await untilSaved(page);
  await page.goto(`${new URL(draft).origin}/issues?show=drafts`);
  const listed = page.getByRole("listitem").filter({ hasText: /Correction of #\d+/ });
  await listed.getByLabel("More for Dated").click();
  await listed.getByRole("button", { name: "Delete" }).click();
  await expect(listed).toHaveCount(0);
  expect((await published())?.html).toBe("<p>Four prices.</p>");
});

test("a refused and a slow publication are nobody else's change", async ({ page }) => {
  await sayYes(page);
  await startDraft(page);
  await textOf(page).fill("Words without a title.");
  const publish = page.getByRole("button", { name: "Publish…" });
  await publish.click();
  const alert = page.getByRole("alert");
  await expect(alert).toHaveText("It has no title.");
  await page.getByLabel("Title").fill("Slowly");
  await expect(alert).toBeHidden();
  await untilSaved(page);
  await expect(page.getByRole("main")).not.toContainText("Another window");

  // The answer to the save comes after Publish was pressed, as over a slow line.
  const { promise: pressed, resolve: press } = Promise.withResolvers<void>();
  await page.route("**/save", async (route) => {
    const answer = await route.fetch();
    await pressed;
    await route.fulfill({ response: answer });
  });
  const saving = page.waitForRequest(/\/save$/);
  await textOf(page).fill("Words that are saved slowly.");
  await saving;
  await textOf(page).fill("Words typed meanwhile.");
  await publish.click();
  press();
  await page.getByRole("button", { name: "Publish now, mail nobody" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^#\d+ Slowly$/);
  const address = await page.getByRole("link", { name: "See it on the site" }).getAttribute("href");
  expect(await (await fetch(address ?? "")).text()).toContain("Words typed meanwhile.");
});

test("nothing that an issue or a message holds runs at the desk", async ({ page, site }) => {
  const ran: string[] = [];
  await page.exposeFunction("ran", (where: string) => ran.push(where));
  await startDraft(page);
  await page.getByLabel("Title").fill("<img src=x onerror=parent.ran('title')>");
  await openSource(page);
  await textOf(page).fill(
    `<script>parent.ran("script")</script><img src="x" onerror="parent.ran('img')"><a href="javascript:parent.ran('link')">Press</a><p>Words</p>`,
  );
  await untilSaved(page);
  const preview = page.frameLocator("iframe");
  for (const kind of ["Desktop", "Mail"]) {
    await page.getByRole("button", { name: kind, exact: true }).click();
    await expect(preview.getByText("Words").first()).toBeVisible();
  }
  await expect(page.getByRole("region", { name: "Checks" })).toContainText("Left out");
  const frame = page.locator("iframe");
  const source = `${new URL(page.url()).origin}${await frame.getAttribute("src")}`;
  const direct = await page.request.get(source);
  expect(direct.headers()["content-security-policy"]).toContain("default-src 'none'");

  await callFunction(site.url, "send-contact-email", {
    ...contactMessage,
    firstName: "<script>ran('name')</script>",
    message: "<img src=x onerror=ran('message')> =HYPERLINK(1)",
  });
  await page.getByRole("link", { name: "Messages", exact: true }).click();
  await page
    .getByRole("link", { name: /ran\('name'\)/ })
    .first()
    .click();
  await expect(page.getByRole("article")).toContainText("<img src=x onerror=ran('message')>");
  expect(ran).toEqual([]);
});

test("a deleted draft and a removed issue come back from the bin, but a removed issue's planned send doesn't", async ({
  page,
  site,
  desk,
}) => {
  await confirmForLinks(site);
  await sayYes(page);
  const draft = await startDraft(page);
  await page.getByLabel("Title").fill("Thrown away");
  await textOf(page).fill("Words.");
  await untilSaved(page);
  await page.goto(`${desk.url}/issues?show=drafts`);
  await page.getByLabel("More for Thrown away").click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("status")).toHaveText("The draft is in the bin for thirty days.");
  await expect(page.getByRole("link", { name: "Thrown away" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForURL(draft);

  const { id } = await site.publish({ title: "Taken down", html: "<p>One <b>price</b>.</p>" });
  const address = `${site.url}/newsletter/${id}`;
  await page.goto(`${desk.url}/issues/${id}`);
  await page.getByLabel(/7:00/).check();
  await page.getByRole("button", { name: /^Send to/ }).click();
  await expect(page.locator("h2.state")).toHaveText(/^Waiting for/);
  await page.goto(`${desk.url}/issues/${id}`);
  await page.getByLabel("More for Taken down").click();
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("status")).toContainText("Its planned send is cancelled");
  await expect.poll(async () => (await fetch(address)).status).toBe(404);
  await page.getByRole("link", { name: /^Bin \d+$/ }).click();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByLabel("More for Taken down").click();
  await page.getByRole("button", { name: "Restore" }).click();
  await page.waitForURL(`${desk.url}/issues/${id}`);
  await expect.poll(async () => (await fetch(address)).status).toBe(200);
  await expect(page.getByRole("link", { name: /^Cancelled/ })).toBeVisible();

  await page.goto(`${desk.url}/issues`);
  await page.getByRole("button", { name: "Copy the last issue" }).click();
  await untilOpen(page);
  await expect(page.getByLabel("Title")).toHaveValue("Taken down");
  await expect(textOf(page)).toContainText("One price.");
});
