import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "@playwright/test";
import { starterIssues } from "#content/starter-issues.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { choosePhoto, smallestPicture } from "../phone-photo.ts";
import { sendingSettings } from "../site-server.ts";
import { holdRequests } from "../site-test.ts";
import { expect, sayYes, startDraft, test, untilSaved } from "./desk-test.ts";

test.use({ siteSettings: sendingSettings });

const clipboard = path.join(import.meta.dirname, "../fixtures/clipboard");
const fixture = (name: string) =>
  readFileSync(path.join(import.meta.dirname, "../fixtures", name), "utf8");

const textOf = (page: Page) => page.getByRole("textbox", { name: "Text" });
/** The body to be saved. */
const written = (page: Page) => page.locator("textarea[name=body]");

/** Saves as another window would, and opens the draft again. */
async function openWith(page: Page, draft: string, words: { body: string }) {
  const version = await page.locator("input[name=version]").first().inputValue();
  const saved = await page.request.post(`${draft}/save`, {
    form: { title: "A letter", preheader: "", version, ...words },
    headers: { Origin: new URL(draft).origin },
  });
  expect(await saved.json()).toMatchObject({ ok: true });
  // The preview's pictures may still be on their way.
  await page.goto(draft, { waitUntil: "commit" });
  await expect(page.locator(".letter").or(page.getByRole("note"))).toBeVisible();
}

const van = { name: "van 1.png", type: "image/png", bytes: smallestPicture };

type Given = {
  data?: Record<string, string>;
  file?: typeof van;
};

async function give(how: "paste" | "drop", onto: Locator, { data = {}, file }: Given) {
  await onto.scrollIntoViewIfNeeded();
  const given = { how, data, file: file && { ...file, bytes: file.bytes.toString("base64") } };
  await onto.evaluate((target, { how, data, file }) => {
    const transfer = new DataTransfer();
    for (const [type, text] of Object.entries(data)) transfer.setData(type, text);
    if (file) {
      const bytes = Uint8Array.from(atob(file.bytes), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], file.name, { type: file.type }));
    }
    const { left, right, top, height } = target.getBoundingClientRect();
    const where = {
      clientX: Math.min(right, left + 300) - 2,
      clientY: top + Math.min(height / 2, 20),
    };
    const init = { ...where, bubbles: true, cancelable: true };
    target.dispatchEvent(
      how === "paste"
        ? new ClipboardEvent("paste", { clipboardData: transfer, ...init })
        : new DragEvent("drop", { dataTransfer: transfer, ...init }),
    );
  }, given);
}

async function paste(page: Page, data: Record<string, string>, hasPicture = false): Promise<void> {
  await textOf(page).focus();
  await give("paste", textOf(page), { data, ...(hasPicture && { file: van }) });
}

/** The body to be saved, the last key included. */
async function html(page: Page): Promise<string> {
  return await written(page).evaluate((area: HTMLTextAreaElement) =>
    String(new FormData(area.form ?? undefined).get("body")),
  );
}

test("HTML that a letter can hold opens as a letter, and what is more than that as its HTML", async ({
  page,
}) => {
  await page.route("**/preview/**", (route) => route.fulfill({ body: "" }));
  const letters = [
    "<p>One <b>bold</b>, <i>one <strong>both</strong></i>.</p><ul>\n<li>a</li>\n</ul>\n\n<hr>",
    "<p>One<p>Two &mdash; three",
    '<table>\n<thead>\n<tr>\n<th style="text-align:right">Job</th>\n</tr>\n</thead>\n<tbody><tr><td style="text-align:right">1</td></tr></tbody></table>',
    `<p>שלום</p><p><img src="https://pictures.example/van.png" alt="007" width="300"></p>`,
  ];
  const others = [
    starterIssues[0]?.html ?? "",
    fixture("newsletters/mailchimp.html"),
    '<p style="color:red">Red</p>',
    "<p>One<sup>2</sup></p>",
    "<p>One</p><!-- two -->",
  ];
  const draft = await startDraft(page);
  for (const body of [...letters, ...others]) {
    await openWith(page, draft, { body });
    await expect(written(page), body).toHaveValue(body);
    const isMore = others.includes(body);
    await expect(page.getByText("its layout can’t be edited"), body).toHaveCount(isMore ? 1 : 0);
    await expect(isMore ? written(page) : page.locator(".letter"), body).toBeVisible();
  }
});

test("a paste from a word processor, a mail or a page keeps headings, lists, links, tables and bold, and nothing else", async ({
  page,
}) => {
  // Those with a version in their name are what that program put on the clipboard.
  const names = readdirSync(clipboard).filter((name) => name.endsWith(".html"));
  await startDraft(page);
  for (const name of names) {
    await textOf(page).focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await paste(page, {
      "text/html": fixture(`clipboard/${name}`),
      "text/plain": "The same as plain words.",
    });
    expect(aLineEach(await html(page)), name).toBe(fixture(`clipboard/letters/${name}`));
  }
  await page.getByRole("alert").getByRole("button", { name: "OK" }).click();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  await paste(page, {
    "text/html": `<p>Two</p><img src="file:///C:/image001.png"><img src="https://example.com/van.jpg" alt="Van"><img src="https://example.com/open.gif" width="1">`,
  });
  await expect(page.getByRole("alert")).toHaveText(
    /^2 pictures can’t come along this way: “image001.png”, “Van”. Save them as files/,
  );
});

function aLineEach(html: string): string {
  return `${html.replaceAll(/(<\/(?:p|h\d|li|ul|ol|table|tr|td|th|blockquote|pre)>|<hr>)(?!$)/g, "$1\n")}\n`;
}

test("pasted Markdown is formatted, a Markdown file too, and a pasted address is a link", async ({
  page,
}) => {
  await startDraft(page);
  const markdown = "# Steps\n\n- *Call*\n- Quote\n";
  const formatted = "<h2>Steps</h2><ul><li><p><em>Call</em></p></li><li><p>Quote</p></li></ul>";
  await paste(page, { "text/plain": markdown });
  expect(await html(page)).toBe(formatted);
  await page.keyboard.press("ControlOrMeta+z");
  expect(await html(page)).toBe("");
  await paste(page, { "text/plain": "2 * 3 = 6" });
  await page.keyboard.press("Shift+Home");
  await paste(page, { "text/plain": "https://example.com/sums" });
  expect(await html(page)).toContain('<a href="https://example.com/sums">2 * 3 = 6</a>');

  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  const letter = { name: "letter.md", type: "", bytes: Buffer.from(markdown) };
  await give("drop", textOf(page), { file: letter });
  await expect.poll(() => html(page)).toBe(formatted);
});

test("writes by keyboard alone: shortcuts, signs, link, table, save, publish", async ({ page }) => {
  await startDraft(page);
  await page.getByLabel("Title").fill("By keyboard");
  await textOf(page).focus();
  await page.keyboard.type("## Prices");
  await page.keyboard.press("Enter");
  await page.keyboard.type("One ");
  await page.keyboard.press("ControlOrMeta+b");
  await page.keyboard.type("bold");
  await page.keyboard.press("ControlOrMeta+b");
  await page.keyboard.type(" word, https://example.com/a_b too");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByLabel("The link’s address").fill("example.com");
  await page.keyboard.press("Enter");
  await expect(textOf(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("- call");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("once");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("> said");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  expect(await html(page)).toBe(
    '<h2>Prices</h2><p>One <strong>bold</strong> word, <a href="https://example.com/a_b">https://example.com/a_b</a> too<a href="https://example.com">https://example.com</a></p><ul><li><p>call</p><ul><li><p>once</p></li></ul></li></ul><blockquote><p>said</p></blockquote>',
  );
  await page.getByRole("button", { name: "More tools" }).press("Enter");
  await page.getByRole("button", { name: "Table", exact: true }).press("Enter");
  await page.keyboard.type("Job");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Price");
  await page.getByRole("button", { name: "Remove the column" }).press("Enter");
  await page.getByRole("button", { name: "Remove the row" }).press("Enter");
  expect((await html(page)).match(/<t[rhd]>/g)?.join("")).toBe("<tr><td><td><tr><td><td>");

  const save = page.waitForResponse(/\/save$/);
  await page.keyboard.type("x");
  // By its place, on a keyboard without Latin letters.
  const keyS = { key: "ы", code: "KeyS", ctrlKey: true, bubbles: true };
  await textOf(page).dispatchEvent("keydown", keyS);
  await save;
  await expect(page.getByText(/^Saved just now/)).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
});

test("a phone's photo comes to the page and the mail small, upright and without its place", async ({
  page,
  site,
}) => {
  test.slow();
  await sayYes(page);
  await startDraft(page);
  await page.getByLabel("Title").fill("With a photo");
  await textOf(page).fill("Above it.");
  const letGo = await holdRequests(page, "**/pictures");
  expect(await choosePhoto(page.getByLabel("Pictures to add"))).toBeGreaterThan(12_000_000);
  await expect(page.getByRole("status").first()).toHaveText(/^Adding a picture/);
  letGo();
  const description = page.getByLabel("Description of the picture");
  await description.fill("The van & the ladder");
  await expect(written(page)).toHaveValue(
    /^<p>Above it\.<\/p><p><img src="\/pictures\/[\w-]{43}\.jpg" alt="The van &amp; the ladder" width="534"><\/p>$/,
  );
  const [, src = ""] = /src="([^"]+)"/.exec(await written(page).inputValue()) ?? [];
  const stored = await (await page.request.get(site.url + src)).body();
  expect(stored.length).toBeLessThan(1_500_000);
  expect(stored.indexOf("Exif")).toBe(-1);
  expect(stored.indexOf("TestCam")).toBe(-1);
  const shown = await page.locator(".picture img").evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const drawing = canvas.getContext("2d");
    drawing?.drawImage(image, 0, 0);
    const [red, green] = drawing?.getImageData(canvas.width / 2, 20, 1, 1).data ?? [];
    return { width: canvas.width, height: canvas.height, red, green };
  });
  expect(shown).toMatchObject({ width: 1280, height: 1707 });
  expect(shown.red).toBeGreaterThan(240);
  expect(shown.green).toBeLessThan(20);
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  const me = `photo-${Date.now()}@mail.example`;
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByLabel("Send yourself a test first").fill(me);
  await page.getByRole("button", { name: "Send the test" }).click();
  const mail = await site.mailTo(me);
  expect(mail.html).toContain(`${site.url}${src}`);
  expect(mail.html).toContain('alt="The van &amp; the ladder"');
  expect(mail.html).toMatch(/<img[^>]*width="534"/);
});

test("says why a file is no picture, leaves words beside a picture alone, and shows pictures that are dropped where they fall", async ({
  page,
}) => {
  await startDraft(page);
  const field = page.getByLabel("Pictures to add");
  const alert = page.getByRole("alert");
  for (const [name, mimeType, why] of [
    ["IMG_1.HEIC", "", "“IMG_1.HEIC”: This picture is no PNG, JPEG, GIF or WebP."],
    ["broken.jpg", "image/jpeg", "“broken.jpg”: This picture is damaged"],
  ] as const) {
    const bytes = name === "broken.jpg" ? "\u00ff\u00d8\u00ff nothing" : "ftypheic";
    await field.setInputFiles({ name, mimeType, buffer: Buffer.from(bytes, "latin1") });
    await expect(alert).toContainText(why);
  }
  // A spreadsheet's cells come as a table and as a picture of it.
  const cells = {
    "text/plain": "Job\tPrice\nValve\t350",
    "text/html":
      "<table><tr><td>Job</td><td>Price</td></tr><tr><td>Valve</td><td>350</td></tr></table>",
  };
  await paste(page, cells, true);
  expect((await html(page)).match(/<t[rhd]>/g)?.join("")).toBe("<tr><th><th><tr><td><td>");

  await page.locator(".letter > :last-child").click();
  await page.keyboard.type("First.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Second.");
  // Files puts the address of a file beside it, as words.
  const data = { "text/plain": "file:///home/ann/van%201.png" };
  await give("drop", page.getByText("First."), { data, file: van });
  await expect(page.locator(".picture")).toBeVisible();
  await expect
    .poll(() => html(page))
    .toMatch(/<p>First\.<\/p><p><img src="[^"]+" alt="" width="1"><\/p><p>Second\.<\/p>$/);
  await give("drop", page.getByRole("cell", { name: "Valve" }), { file: van });
  await expect(page.locator(".letter > :is(table, :has(table)) + p .picture")).toBeVisible();
  await page.getByRole("button", { name: "More tools" }).click();
  await page.getByRole("button", { name: "HTML" }).click();
  const pictures = async () => (await written(page).inputValue()).match(/<img src="\/pictures/g);
  await give("drop", written(page), { file: van });
  await expect.poll(async () => (await pictures())?.length).toBe(3);
});

test("on a phone the tools and the way back stay at the end of a long letter", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openWith(page, await startDraft(page), { body: "<p>Words.</p>".repeat(90) });
  await page.locator(".letter > :last-child").click();
  for (const name of ["Bold", "Picture", "Publish…"])
    await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("main").getByRole("link", { name: "Issues" })).toBeInViewport();
});

test("leaving while a picture is on its way asks first", async ({ page }) => {
  await startDraft(page);
  const letGo = await holdRequests(page, "**/pictures");
  await give("drop", textOf(page), { file: van });
  await expect(page.getByRole("status").first()).toHaveText(/^Adding a picture/);
  await page.getByRole("link", { name: "Messages" }).click();
  await page.getByRole("button", { name: "Leave it" }).click();
  await page.waitForURL(/messages/);
  const answer = page.waitForResponse("**/pictures");
  letGo();
  await (await answer).finished();
  await page.waitForLoadState("networkidle");
});

test("an editor that doesn't load leaves the text in its field, and says so", async ({ page }) => {
  const draft = await startDraft(page);
  await textOf(page).fill("Words that stay.");
  await untilSaved(page);
  const gone = { contentType: "text/javascript", body: "throw new Error('It is gone.')" };
  await page.route(/letter\.client/, (route) => route.fulfill(gone));
  await page.goto(draft);
  await expect(page.getByRole("alert")).toHaveText(/^A part of the desk did not come/);
  await expect(written(page)).toHaveValue("<p>Words that stay.</p>");
  await written(page).fill("<p>And others.</p>");
  await untilSaved(page);
  await page.unroute(/letter\.client/);
  await page.goto(draft);
  await expect(textOf(page)).toHaveText("And others.");
});
