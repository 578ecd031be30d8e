import type { Page } from "@playwright/test";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { confirmForLinks } from "../mail-links.ts";
import { newAddress } from "../new-address.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, test } from "./desk-test.ts";

test.use({ siteSettings: sendingSettings });

/** The smallest picture that a browser draws. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function startDraft(page: Page): Promise<string> {
  await page.getByRole("link", { name: "Issues", exact: true }).click();
  await page.getByRole("button", { name: "Write an issue" }).click();
  await page.waitForURL(/drafts\/\d+$/);
  return page.url();
}

function textOf(page: Page) {
  return page.getByRole("textbox", { name: "Text" });
}

const saved = /^Saved,/;

async function untilSaved(page: Page): Promise<void> {
  await expect(page.getByRole("status")).toHaveText(saved);
}

test("writes, previews, publishes, tests, sends and corrects an issue", {
  tag: "@postgres",
}, async ({ page, site, expectConsole }) => {
  test.slow();
  // The preview without pictures.
  expectConsole(/img-src 'none'/);
  const { address: reader } = await confirmForLinks(site);
  await startDraft(page);
  await page.getByLabel("Title").fill("Five quotes before lunch");
  await textOf(page).fill("Sent from the *van*.\n\n");
  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], "the-van.png", { type: "image/png" }));
    const drop = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
    document.querySelector(".cm-content")?.dispatchEvent(drop);
  }, picture.toString("base64"));
  await expect(textOf(page)).toContainText("/pictures/");
  await untilSaved(page);

  const preview = page.frameLocator("iframe");
  await expect(preview.getByText("Sent from the van.")).toBeVisible();
  const shown = preview.getByRole("img", { name: "the van" });
  expect(await shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
  for (const kind of ["Mail", "Mail, dark", "Mail, no pictures", "Mail, plain text"]) {
    const shownAs = page.waitForResponse(/\/preview\//);
    await page.getByLabel("Preview").last().selectOption({ label: kind });
    await (await shownAs).finished();
    await expect(preview.getByText("Five quotes before lunch").first()).toBeVisible();
  }
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Publish" }).click();
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
    Boolean(to?.some((one) => one.address === reader) && subject === "Five quotes before lunch"),
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
  await textOf(page).fill("Sent from the *truck*.");
  await untilSaved(page);
  await page.getByRole("button", { name: "Publish the correction" }).click();
  await expect(heading).toHaveText(`${number} Six quotes before lunch`);
  await expect
    .poll(async () => await (await fetch(address)).text())
    .toMatch(/Six quotes[\s\S]*<em>truck<\/em>/);
});

test("a draft outlives a lost connection, a reload, a second window and a restart", {
  tag: "@postgres",
}, async ({ page, desk, context, expectConsole }) => {
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

  // A window that saw an older text can't overwrite a newer one unasked.
  const second = await context.newPage();
  await second.goto(address);
  await expect(second.locator(".cm-editor")).toBeVisible();
  await textOf(second).fill("From the second window.");
  await untilSaved(second);
  await textOf(page).fill("From the first");
  await expect(page.getByRole("alert")).toContainText("Another window");
  await textOf(page).fill("From the first window.");
  // Longer than it waits before it saves.
  await page.waitForTimeout(1_500);
  expect(await (await page.request.get(address)).text()).toContain("From the second window.");
  await page.getByRole("button", { name: "The one in this window" }).click();
  await untilSaved(page);
  await second.reload();
  await expect(textOf(second)).toHaveText("From the first window.");
  await second.close();

  // Killed in the middle of a sentence, and opened again by the new link.
  await page.route("**/save", (route) => route.abort());
  await textOf(page).fill("Typed while it was gone.");
  await expect(page.getByRole("alert")).toBeVisible();
  await desk.restart();
  await page.unroute("**/save");
  await expect(page.getByRole("alert")).toContainText("open the new link");
  await context.addCookies([await desk.session()]);
  await page.goto(address);
  await expect(textOf(page)).toHaveText("Typed while it was gone.");
  await untilSaved(page);
});

test("nothing that an issue or a message holds runs at the desk", async ({ page, site }) => {
  const ran: string[] = [];
  await page.exposeFunction("ran", (where: string) => ran.push(where));
  await startDraft(page);
  await page.getByLabel("Title").fill("<img src=x onerror=parent.ran('title')>");
  await page.getByLabel("Written in").selectOption("html");
  await textOf(page).fill(
    `<script>parent.ran("script")</script><img src="x" onerror="parent.ran('img')"><a href="javascript:parent.ran('link')">Press</a><p>Words</p>`,
  );
  await untilSaved(page);
  const preview = page.frameLocator("iframe");
  for (const kind of ["Page, desktop", "Mail", "Mail, plain text"]) {
    await page.getByLabel("Preview").last().selectOption({ label: kind });
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
