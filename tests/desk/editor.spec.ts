import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { starterIssues } from "#content/starter-issues.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { choosePhoto, smallestPicture } from "../phone-photo.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, startDraft, test, untilSaved } from "./desk-test.ts";

test.use({ siteSettings: sendingSettings });

const clipboard = path.join(import.meta.dirname, "../fixtures/clipboard");
const fixture = (name: string) =>
  readFileSync(path.join(import.meta.dirname, "../fixtures", name), "utf8");

async function untilOpen(page: Page): Promise<void> {
  await expect(textOf(page)).toBeVisible();
  await expect(written(page)).toBeHidden();
}

const textOf = (page: Page) => page.getByRole("textbox", { name: "Text" });
/**
 * Comes to the text, presses a key that moves the caret, and waits until the editor knows where it is: it puts the caret
 * back 20 ms after it has come to the text, which timers set later than its own wait for, and is told of a move in a task.
 */
async function moveCaret(page: Page, key: string): Promise<void> {
  await textOf(page).evaluate((text: HTMLElement) => {
    text.focus();
    return new Promise((resolve) => setTimeout(resolve, 40));
  });
  await page.keyboard.press(key);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
}

/** What is to be saved. */
const written = (page: Page) => page.locator("textarea[name=body]");

/** Saves as another window would. The draft has just been begun, and has nothing of its own. */
async function openWith(page: Page, draft: string, words: { format: string; body: string }) {
  const version = await page.locator("input[name=version]").first().inputValue();
  const saved = await page.request.post(`${draft}/save`, {
    form: { title: "A letter", preheader: "", version, ...words },
    headers: { Origin: new URL(draft).origin },
  });
  expect(await saved.json()).toMatchObject({ ok: true });
  // The preview's pictures may still be on their way.
  await page.goto(draft, { waitUntil: "commit" });
  await untilOpen(page);
}

async function paste(page: Page, data: Record<string, string>): Promise<void> {
  await textOf(page).focus();
  await textOf(page).evaluate((target, given) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(given)) clipboardData.setData(type, text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
  }, data);
}

test("a letter goes in and out byte for byte where nobody touched it, or is shown as its source", async ({
  page,
}) => {
  // Their pictures are elsewhere.
  await page.route("**/preview/**", (route) => route.fulfill({ body: "" }));
  // The unit test of letter-text.ts has more of Markdown; reading HTML takes a browser.
  const html = (body: string, why = "") => ({ format: "html", body, why });
  const markdown = (body: string, why = "") => ({ format: "markdown", body, why });
  const corpus = [
    html("<p>One <b>bold</b>.</p><ul>\n<li>a</li>\n</ul>\n\n<hr>"),
    html("<p>One<p>Two &mdash; three", "its HTML is written in an unusual way"),
    html(starterIssues[0]?.html ?? "", "it has a layout of its own"),
    html(fixture("newsletters/mailchimp.html"), "it is a page with a layout of its own"),
    markdown(
      "Setext\n===\n\n* star\n* list\n\n\n+ loose\n\n+ list\n\nTrailing  \nbreak\\\nand another\n",
    ),
    markdown('A [named][x] link, ~~old~~.\n\n[x]: https://example.com "t"\n'),
    markdown("A note.[^1]\n\n[^1]: At the foot.\n", "it has footnotes"),
  ];
  for (const { format, body, why } of corpus) {
    await openWith(page, await startDraft(page), { format, body });
    await expect(written(page), body).toHaveValue(body);
    const notes = why === "" ? [] : [`Shown as source, because ${why}.`];
    await expect.soft(page.getByRole("note"), body).toHaveText(notes);
    if (why !== "") continue;
    await moveCaret(page, "ControlOrMeta+End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Added.");
    await expect(written(page)).toHaveValue(/Added\./);
    const added = await written(page).inputValue();
    // The addresses of links stay at the end.
    const without = added.replace(/\s*(?:<p>)?Added\.(?:<\/p>)?/, "");
    expect(without.trimEnd(), body).toBe(body.trimEnd());
    await page.keyboard.press("ControlOrMeta+z");
  }
});

test("a paste from a word processor, a mail or a page keeps headings, lists, links, tables and bold, and nothing else", async ({
  page,
}) => {
  // Those with a version in their name are what that program put on the clipboard.
  const names = readdirSync(clipboard).filter((name) => name.endsWith(".html"));
  let markdown = "";
  for (const name of names) {
    await startDraft(page);
    const html = fixture(`clipboard/${name}`);
    markdown = fixture(`clipboard/${name.replace("html", "md")}`);
    await paste(page, { "text/html": html, "text/plain": "The same as plain words." });
    await expect(written(page), name).toHaveValue(markdown);
  }
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  // What is stored is read as what was seen.
  const seen = (await textOf(page).textContent()) ?? "";
  await untilSaved(page);
  await page.reload();
  await untilOpen(page);
  expect(await textOf(page).textContent()).toBe(seen);
  await expect(written(page)).toHaveValue(markdown);
});

test("asks whether pasted Markdown is to be formatted, and links a pasted address", async ({
  page,
}) => {
  await startDraft(page);
  const markdown = "## Steps\n\n- *Call*\n- Quote\n";
  await paste(page, { "text/plain": markdown });
  const question = page.getByRole("status").filter({ hasText: "looks like Markdown" });
  await expect(question).toBeVisible();
  await expect(written(page)).toHaveValue(/\\#/);
  await question.getByRole("button", { name: "Format it" }).click();
  await expect(question).toBeHidden();
  await expect(written(page)).toHaveValue(markdown);
  await expect(textOf(page).getByRole("listitem")).toHaveText(["Call", "Quote"]);

  await page.locator(".letter > :last-child").click();
  await paste(page, { "text/plain": "2 * 3 = 6" });
  await expect(question).toBeHidden();
  await page.keyboard.press("Shift+Home");
  await paste(page, { "text/plain": "https://example.com/sums" });
  await expect(written(page)).toHaveValue(/\[2 \\\* 3 = 6\]\(https:\/\/example\.com\/sums\)/);
});

test("a title grows with its words on a phone, and stays one line", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDraft(page);
  const title = page.getByLabel("Title");
  const words = "Frost below the piers, and what it did to the porch of a house on the hill";
  await title.fill(words.replace(", and", ",\nand"));
  await title.press("Enter");
  await untilSaved(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(words);
  expect(await title.evaluate((field) => field.scrollHeight <= field.clientHeight)).toBe(true);
  await page.reload();
  await expect(title).toHaveValue(words);
  expect(await title.evaluate((field) => field.scrollHeight <= field.clientHeight)).toBe(true);
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
  await expect(written(page)).toHaveValue(`## Prices

One **bold** word, <https://example.com/a_b> too<https://example.com>

- call
  - once

> said
`);
  await page.getByRole("button", { name: "Table" }).press("Enter");
  await page.keyboard.type("Job");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Price");
  await page.getByRole("button", { name: "Remove the column" }).press("Enter");
  await page.getByRole("button", { name: "Remove the row" }).press("Enter");
  await expect(written(page)).toHaveValue(/\| --- \| --- \|/);
  await expect(page.getByText(/\d+ words, 1 min to read/)).toBeVisible();

  const save = page.waitForResponse(/\/save$/);
  await page.keyboard.type("x");
  await page.keyboard.press("ControlOrMeta+s");
  await save;
  await expect(page.getByText(/^Saved just now/)).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
});

test("a phone's photo comes to the page and the mail small, upright and without its place", async ({
  page,
  site,
}) => {
  test.slow();
  page.on("dialog", (dialog) => dialog.accept());
  await startDraft(page);
  await page.getByLabel("Title").fill("With a photo");
  await textOf(page).fill("Above it.");
  expect(await choosePhoto(page.getByLabel("Pictures to add"))).toBeGreaterThan(12_000_000);
  await expect(page.getByRole("status").first()).toHaveText(/^Adding a picture/);
  await expect(page.getByRole("button", { name: "Source" })).toBeDisabled();
  // Pressed while it is on its way, it is published with it.
  const description = page.getByLabel("Description of the picture");
  await description.fill("The van & the ladder");
  await expect(written(page)).toHaveValue(
    /^Above it\.\n\n<img src="\/pictures\/[\w-]{43}\.jpg" alt="The van &amp; the ladder" width="534">\n$/,
  );
  const [, src = ""] = /src="([^"]+)"/.exec(await written(page).inputValue()) ?? [];
  const stored = await (await page.request.get(site.url + src)).body();
  expect(stored.length).toBeLessThan(1_500_000);
  expect(stored.indexOf("Exif")).toBe(-1);
  expect(stored.indexOf("TestCam")).toBe(-1);
  const shown = await page.locator(".picture img").evaluate((image: HTMLImageElement) => {
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
  await page.getByLabel("Send yourself a test").fill(me);
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
    ["prices.pdf", "application/pdf", "“prices.pdf” is no picture."],
    ["IMG_1.HEIC", "", "“IMG_1.HEIC” is a HEIC photo, which this browser can’t read."],
    ["broken.jpg", "image/jpeg", "“broken.jpg” is damaged"],
  ] as const) {
    await field.setInputFiles({
      name,
      mimeType,
      buffer: Buffer.from("\u00ff\u00d8\u00ff nothing"),
    });
    await expect(alert).toContainText(why);
  }
  const png = smallestPicture.toString("base64");
  // A spreadsheet's cells come as a table and as a picture of it.
  await textOf(page).evaluate((target, base64) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "Job\tPrice\nValve\t350");
    clipboardData.setData(
      "text/html",
      "<table><tr><td>Job</td><td>Price</td></tr><tr><td>Valve</td><td>350</td></tr></table>",
    );
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
  }, png);
  await expect(written(page)).toHaveValue("| Job | Price |\n| --- | --- |\n| Valve | 350 |\n");

  await page.locator(".letter > :last-child").click();
  await page.keyboard.type("First.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Second.");
  await page.getByText("First.").evaluate((first, base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "van.png", { type: "image/png" }));
    const { x, y, height } = first.getBoundingClientRect();
    const where = { clientX: x + 300, clientY: y + height / 2, bubbles: true, cancelable: true };
    first.parentElement?.dispatchEvent(new DragEvent("drop", { dataTransfer, ...where }));
  }, png);
  await expect(page.locator(".picture")).toBeVisible();
  await expect(written(page)).toHaveValue(
    /First\.\n\n<img src="[^"]+" alt="" width="1">\n\nSecond\.\n$/,
  );
});

test("the preview stays where one reads it, and is never wider than its box", async ({ page }) => {
  const draft = await startDraft(page);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route("https://pictures.example/**", async (route) => {
    await arrived;
    await route.fulfill({ path: "public/icon-192.png" });
  });
  const paragraphs = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`);
  const body = [...paragraphs, "![](https://pictures.example/van.png)"].join("\n\n");
  await openWith(page, draft, { format: "markdown", body });
  const preview = page.frameLocator("iframe");
  const read = preview.getByText("Paragraph 40.");
  const loaded = () =>
    preview.locator("html").evaluate(() => [location.search, document.readyState]);
  // Scrolled before its picture has come, and once it has.
  await expect.poll(loaded).toEqual(["?version=2", "interactive"]);
  await read.scrollIntoViewIfNeeded();
  await expect(read).toBeInViewport();
  await page.getByText("Paragraph 3.", { exact: true }).click();
  await page.keyboard.type("x");
  await expect.poll(loaded).toEqual(["?version=3", "interactive"]);
  arrive();
  await expect.poll(loaded).toEqual(["?version=3", "complete"]);
  await expect(read).toBeInViewport();
  await page.keyboard.type("x");
  await expect.poll(loaded).toEqual(["?version=4", "complete"]);
  await expect(read).toBeInViewport();

  // Scaled to its box once its own size is known.
  const sticksOut = async () => {
    const widths = [".frame", "iframe"].map(async (selector) => {
      const box = await page.locator(selector).boundingBox();
      return box?.width ?? Number.NaN;
    });
    const [box = Number.NaN, frame = Number.NaN] = await Promise.all(widths);
    return frame - box;
  };
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 844 });
    if (width < 1000) await page.getByRole("button", { name: "Preview", exact: true }).click();
    for (const name of ["Desktop", "Phone", "Mail", "Desktop", "Dark", "Page"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect.poll(sticksOut).toBeLessThanOrEqual(1);
    }
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(wide).toBeLessThanOrEqual(0);
    if (width < 1000) await page.getByRole("button", { name: "Preview", exact: true }).click();
  }
});

test.describe("with a logo of its own", () => {
  const look = { SITE_LOGO: "public/icon-192.png", SITE_COLOUR: "#7a1f5c" };
  test.use({ siteSettings: { ...sendingSettings, ...look } });

  test("the preview of the page has the firm's logo and colour", async ({ page }) => {
    const draft = await startDraft(page);
    await openWith(page, draft, { format: "markdown", body: "Words." });
    const logo = page.frameLocator("iframe").locator("img[src*='logo.png']").first();
    await expect(logo).toHaveJSProperty("naturalWidth", 192);
    const back = page.frameLocator("iframe").getByRole("link", { name: /Back to Newsletter/ });
    await expect(back).toHaveCSS("color", "rgb(122, 31, 92)");
  });
});
