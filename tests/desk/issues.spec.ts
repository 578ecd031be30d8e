import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "@playwright/test";
import { torontoDay } from "#content/toronto-time.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { listSends } from "#newsletter/sends/sends.ts";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { confirmForLinks } from "../mail-links.ts";
import { newAddress } from "../new-address.ts";
import { smallestPicture } from "../phone-photo.ts";
import { sendingSettings } from "../site-server.ts";
import { waitForScripts } from "../site-test.ts";
import { expect, test, untilSaved } from "./desk-test.ts";

test.use({ siteSettings: sendingSettings });

async function startDraft(page: Page): Promise<string> {
  await page.goto("/issues");
  await page.getByRole("button", { name: "Write an issue" }).click();
  await untilOpen(page);
  return page.url();
}

async function publishNow(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
}

/** The editor replaces the text field that works without it. */
async function untilOpen(page: Page): Promise<void> {
  await page.waitForURL(/drafts\/\d+$/);
  await expect(page.locator("div[role=textbox]")).toBeVisible();
}

async function openSource(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Source" }).click();
  await expect(page.locator(".cm-editor")).toBeVisible();
}

async function correctIt(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Correct it" }).click();
  await untilOpen(page);
  await openSource(page);
  return page.url();
}

function textOf(page: Page) {
  return page.locator("div[role=textbox]");
}

test("writes, previews, publishes, tests, sends and corrects an issue", {
  tag: "@postgres",
}, async ({ page, site }) => {
  test.slow();
  const { address: subscriber } = await confirmForLinks(site);
  await startDraft(page);
  await page.getByLabel("Title").fill("Five quotes before lunch");
  await openSource(page);
  await textOf(page).fill("Sent from the *van*.\n\n");
  await page.getByRole("button", { name: "Source" }).click();
  await textOf(page).press("ControlOrMeta+End");
  await page.getByLabel("Pictures to add").setInputFiles({
    name: "IMG_1.png",
    mimeType: "image/png",
    buffer: smallestPicture,
  });
  await page.getByLabel("Description of the picture").fill("the van");
  // Publishes nothing.
  await page.getByLabel("Description of the picture").press("Enter");
  await untilSaved(page);

  const preview = page.frameLocator("iframe");
  await expect(preview.getByText("Sent from the van.")).toBeVisible();
  // The site's own styles are in it.
  await expect(preview.locator("h1")).toHaveCSS("font-family", /Archivo Wide/);
  const shown = preview.getByRole("img", { name: "the van" });
  await expect(shown).toHaveJSProperty("naturalWidth", 1);
  for (const kind of ["Mail", "Dark"]) {
    const shownAs = page.waitForResponse(/\/preview\//);
    await page.getByRole("button", { name: kind, exact: true }).click();
    await (await shownAs).finished();
    await expect(preview.getByText("Five quotes before lunch").first()).toBeVisible();
  }
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  // To oneself, before anything is public.
  const first = newAddress();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await page.getByLabel("Send yourself a test").fill(first);
  await page.getByLabel("Send yourself a test").press("Enter");
  await expect(page.getByText(`on its way to ${first}`)).toBeVisible();
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByRole("button", { name: "Preview", exact: true })).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 720 });
  const tried = await site.mailTo(first);
  expect(tried.subject).toBe("[Test] Five quotes before lunch");
  expect(tried.html).toContain("<em>van</em>");
  expect(await (await fetch(`${site.url}/newsletter`)).text()).not.toContain("Five quotes");

  page.on("dialog", (dialog) => dialog.accept());
  await publishNow(page);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/^#\d+ Five quotes before lunch$/);
  const address =
    (await page.getByRole("link", { name: "See it on the site" }).getAttribute("href")) ?? "";
  expect(await (await fetch(address)).text()).toContain("<em>van</em>");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  const me = newAddress();
  await page.getByLabel("Send yourself a test first").fill(me);
  await page.getByRole("button", { name: "Send the test" }).click();
  await expect(page.getByRole("status")).toContainText("The test is on its way");
  expect((await site.mailTo(me)).subject).toBe("[Test] Five quotes before lunch");

  await page.getByRole("button", { name: /^Send to/ }).click();
  await page.waitForURL(/sends\/\d+$/);
  const mail = await site.mail(({ to, subject }) =>
    Boolean(
      to?.some((one) => one.address === subscriber) && subject === "Five quotes before lunch",
    ),
  );
  expect(mail.html).toContain(`${site.url}/pictures/`);
  await expect(heading).toHaveText("Sent: Five quotes before lunch");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  // Corrected: another word and title, the same address.
  await page.getByRole("link", { name: "The issue" }).click();
  await expect(heading).toHaveText(/^#\d+ Five/);
  const number = (await heading.textContent())?.split(" ")[0];
  await page.getByRole("button", { name: "Correct it" }).click();
  await page.getByLabel("Title").fill("Six quotes before lunch");
  await openSource(page);
  await textOf(page).fill("Sent from the *truck*.");
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
  await page.getByRole("button", { name: "Load the other text" }).click();
  await untilSaved(page);
  await expect(textOf(page)).toHaveText("From the second window.");

  // Of two windows with words that can't be saved, one keeps its own, and the other says that it must stay open.
  for (const window of [page, second]) await window.route("**/save", (route) => route.abort());
  await textOf(page).fill("Kept of the first");
  await expect(page.getByRole("alert")).toContainText("kept in this browser");
  await textOf(second).fill("In the second alone");
  await expect(second.getByRole("alert")).toContainText("leave this window open");
  await second.unroute("**/save");
  await untilSaved(second);
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("Another window");
  await expect(textOf(page)).toHaveText("Kept of the first");
  await page.unroute("**/save");
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("Another window");
  await page.getByRole("button", { name: "Load the other text" }).click();
  await untilSaved(page);
  await expect(textOf(page)).toHaveText("In the second alone");
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
  page.on("dialog", (dialog) => dialog.accept());
  await startDraft(page);
  await page.getByLabel("Title").fill("Dated");
  await openSource(page);
  await textOf(page).fill("One *price*.");
  await untilSaved(page);
  await publishNow(page);
  await page.waitForURL(/issues\/\d+$/);
  const id = page.url().split("/").at(-1) ?? "";
  const published = () => inDatabase(site, (db) => findIssue(db, Number(id)));
  const publishDate = String(torontoDay(site.now()));
  expect(await published()).toMatchObject({ publishDate });

  await correctIt(page);
  // In the form that it was written in, and not yet a draft with words of its own.
  await expect(textOf(page)).toHaveText("One *price*.");
  await textOf(page).fill("Two *prices*.");
  await untilSaved(page);
  await page.getByRole("button", { name: "Publish the correction" }).click();
  await page.waitForURL(/issues\/\d+$/);
  expect(await published()).toMatchObject({
    publishDate,
    html: "<p>Two <em>prices</em>.</p>",
  });

  // Corrected at the desk and, before that is published, by a command.
  const draft = await correctIt(page);
  await textOf(page).fill("Three *prices*.");
  await untilSaved(page);
  const file = path.join(site.dataDir, "dated.html");
  await writeFile(file, "<p>Four prices.</p>");
  await site.command("issues", "update", id, file, "--title", "Dated", "--yes");
  await page.getByRole("button", { name: "Publish the correction" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "The published issue was changed" });
  await expect(alert.getByRole("button", { name: "Copy this text" })).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  expect((await published())?.html).toBe("<p>Four prices.</p>");

  // Told where it is opened, too, and in the list.
  await page.getByRole("link", { name: "Issues", exact: true }).first().click();
  const listed = page.getByRole("listitem").filter({ hasText: /correction of #\d+/ });
  await expect(listed).toHaveCount(1);
  await page.goto(draft);
  await alert.getByRole("button", { name: "Load the other text" }).click();
  await expect(alert).toBeHidden();
  await untilOpen(page);
  await openSource(page);
  await expect(textOf(page)).toHaveText("<p>Four prices.</p>");
  await textOf(page).fill("<p>Six prices.</p>");
  await untilSaved(page);
  await page.getByRole("link", { name: "Issues", exact: true }).first().click();
  await listed.getByRole("button", { name: "Delete" }).click();
  await expect(listed).toHaveCount(0);
  expect((await published())?.html).toBe("<p>Four prices.</p>");
});

test("a refused and a slow publication are nobody else's change", async ({ page }) => {
  page.on("dialog", (dialog) => dialog.accept());
  await startDraft(page);
  await textOf(page).fill("Words without a title.");
  const publish = page.getByRole("button", { name: "Publish…" });
  await publish.click();
  const alert = page.getByRole("alert");
  await expect(alert).toHaveText("It has no title.");
  await page.getByLabel("Title").fill("Slowly");
  // It may have a title now.
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
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^#\d+ Slowly$/);
  const address = await page.getByRole("link", { name: "See it on the site" }).getAttribute("href");
  expect(await (await fetch(address ?? "")).text()).toContain("Words typed meanwhile.");
});

test("a browser that can't keep a copy saves all the same, and keeps no other desk's text", async ({
  page,
  desk,
}) => {
  const address = await startDraft(page);
  await textOf(page).fill("The first words.");
  await untilSaved(page);
  // As an earlier release kept it, and as another desk at this address of the machine does.
  const id = address.split("/").at(-1);
  await page.evaluate((id) => {
    const words = { title: "Of another site", preheader: "", format: "markdown" };
    for (const name of [`draft-${id}`, `draft https://elsewhere.example ${id} 2026-11-20`]) {
      const kept = { version: 2, words: { ...words, body: "Of another site." } };
      window.localStorage.setItem(name, JSON.stringify(kept));
    }
  }, id);
  await page.reload();
  await expect(textOf(page)).toHaveText("The first words.");
  await untilSaved(page);

  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("Full", "QuotaExceededError");
    };
  });
  await page.reload();
  const { promise: seen, resolve: look } = Promise.withResolvers<void>();
  await page.route("**/save", async (route) => {
    await seen;
    await route.continue();
  });
  await textOf(page).fill("Saved without a copy.");
  await expect(page.getByRole("status")).toContainText("This browser can’t keep a copy of it");
  look();
  await untilSaved(page);
  await page.unroute("**/save");
  await page.goto(`${desk.url}/messages`);
  await page.goto(address);
  await expect(textOf(page)).toHaveText("Saved without a copy.");
  // A paste of pictures as data.
  await page.evaluate(() => {
    const text = new DataTransfer();
    text.setData("text/plain", "x".repeat(1_000_001));
    const paste = new ClipboardEvent("paste", { clipboardData: text, bubbles: true });
    document.querySelector("div[role=textbox]")?.dispatchEvent(paste);
  });
  await expect(page.getByRole("alert")).toContainText("longer than an issue may be");
  page.once("dialog", (dialog) => dialog.accept());
});

test("the removal of an issue cancels its planned send and says so", async ({
  page,
  site,
  desk,
}) => {
  await confirmForLinks(site);
  page.on("dialog", (dialog) => dialog.accept());
  const { id } = await site.publish({ title: "Withdrawn", html: "<p>Words.</p>" });
  await page.goto(`${desk.url}/issues/${id}`);
  const day = torontoDay(site.now()).add({ days: 2 });
  await page.getByLabel("Begin at, in Toronto’s time").fill(`${day}T07:30`);
  await page.getByRole("button", { name: /^Send to/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Waiting: Withdrawn");
  await page.goto(`${desk.url}/issues/${id}`);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("status")).toContainText("Its planned send is cancelled");
  expect(await inDatabase(site, (db) => listSends(db, { issueId: id }))).toMatchObject([
    { state: "cancelled" },
  ]);
});

test("nothing that an issue or a message holds runs at the desk", async ({ page, site }) => {
  const ran: string[] = [];
  await page.exposeFunction("ran", (where: string) => ran.push(where));
  await startDraft(page);
  await page.getByLabel("Title").fill("<img src=x onerror=parent.ran('title')>");
  await openSource(page);
  await page.getByLabel("Written in").selectOption("html");
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
  await expect(page.getByText("<img src=x onerror=ran('message')>")).toBeVisible();
  expect(ran).toEqual([]);
});

test("a deleted draft and a removed issue come back with Undo or from the bin", async ({
  page,
  site,
  desk,
}) => {
  page.on("dialog", (dialog) => dialog.accept());
  const draft = await startDraft(page);
  await page.getByLabel("Title").fill("Thrown away");
  await textOf(page).fill("Words.");
  await untilSaved(page);
  await page.goto(`${desk.url}/issues`);
  const listed = page.getByRole("listitem").filter({ hasText: "Thrown away" });
  await listed.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("status")).toHaveText("The draft is in the bin for thirty days.");
  await expect(listed).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForURL(draft);

  const { id } = await site.publish({ title: "Taken down", html: "<p>Words.</p>" });
  const address = `${site.url}/newsletter/${id}`;
  await page.goto(`${desk.url}/issues/${id}`);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("status")).toHaveText("The issue is in the bin for thirty days.");
  await expect.poll(async () => (await fetch(address)).status).toBe(404);
  await page.getByRole("link", { name: /^Bin \(\d+\)$/ }).click();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page
    .getByRole("listitem")
    .filter({ hasText: "Taken down" })
    .getByRole("button", { name: "Restore" })
    .click();
  await page.waitForURL(`${desk.url}/issues/${id}`);
  await expect.poll(async () => (await fetch(address)).status).toBe(200);
});

test("begins an issue with the words of the last one", async ({ page, site, desk }) => {
  await site.publish({ title: "Weekly", html: "<p>One <b>price</b>.</p>" });
  await page.goto(`${desk.url}/issues`);
  await page.getByRole("button", { name: "Copy the last issue" }).click();
  await untilOpen(page);
  await expect(page.getByLabel("Title")).toHaveValue("Weekly");
  await expect(textOf(page)).toContainText("One price.");
  await expect(page.getByRole("button", { name: "Publish…" })).toBeVisible();
});
