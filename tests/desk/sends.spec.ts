import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "@playwright/test";
import { accessibilityFaults } from "../every-page/axe.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, test } from "./desk-test.ts";

// Slow enough for a test to steer what goes out.
test.use({ siteSettings: { ...sendingSettings, SMTP_RATE: "3" } });

/** Two minutes' worth, however slow the machine is that steers it. */
const subscribers = 360;
const rows = 4_000;

/** Subscribers, and after them many who left elsewhere. */
const list = [
  "Contact,Wanted,Comment",
  "nobody,yes,",
  ...Array.from(
    { length: rows },
    (_, row) => `${row}@list.example,${row < subscribers ? "yes" : "left"},`,
  ),
].join("\n");

/** The desk can't be reached, as when an SSH connection is cut: nothing comes back, whether or not it arrived. */
async function cut(page: Page, address: string, { arrives = false } = {}): Promise<void> {
  await page.route(address, async (route) => {
    if (route.request().method() === "GET") return await route.fallback();
    if (arrives) await route.fetch();
    await route.abort();
  });
}

test("imports a list, sends to it and steers the send, through lost connections and a restart", async ({
  page,
  site,
  desk,
  expectConsole,
}) => {
  test.slow();
  expectConsole(/ERR_FAILED/);
  const alert = page.getByRole("alert");
  await page.goto(`${desk.url}/subscribers/import`);
  await page
    .getByLabel("Choose or drop it here")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(list) });
  await cut(page, "**/import*");
  await page.getByRole("button", { name: "Look at it" }).click();
  await expect(alert).toContainText("no connection to the desk");
  await page.unroute("**/import*");
  await page.getByRole("button", { name: "Look at it" }).click();

  // The operator names the columns one by one.
  await expect(alert).toContainText("Which column has the email addresses?");
  await page.getByLabel("Contact is taken for").selectOption("address");
  await page.getByLabel("Wanted is taken for").selectOption("state");
  await page.getByLabel("Rows without a state are").selectOption("confirmed");
  await page.getByRole("button", { name: "Read it again" }).click();
  await expect(page.getByText("4,000 would be new.")).toBeVisible();
  await expect(page.getByRole("row", { name: /^2 There is no email address/ })).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByLabel("What these people agreed to").fill("The card on the counter.");
  await cut(page, "**/import*");
  await page.getByRole("button", { name: /^Import 4,000 new/ }).click();
  await expect(alert).toContainText("no connection to the desk");
  await page.unroute("**/import*");
  await page.getByRole("button", { name: /^Import 4,000 new/ }).click();
  await expect(page.getByText("Imported: 4,000 new. No mail was sent.")).toBeVisible();

  const title = "Steered";
  const { id } = await site.publish({ title, html: "<p>Ink.</p>" });
  await page.goto(`${desk.url}/issues/${id}`);
  page.on("dialog", (dialog) => dialog.accept());
  const send = page.getByRole("button", { name: `Send to ${subscribers} subscribers` });
  await page.getByLabel("The line beside the subject").fill("Kept");
  await cut(page, `**/issues/${id}*`, { arrives: true });
  await send.click();
  await expect(alert).toContainText("no connection to the desk");
  await expect(page.getByLabel("The line beside the subject")).toHaveValue("Kept");
  await page.unroute(`**/issues/${id}*`);
  await send.click();
  await page.waitForURL(/sends\/\d+$/);

  const heading = page.getByRole("heading", { level: 1 });
  const through = async () =>
    await page
      .getByLabel("Mails that are through")
      .evaluate((bar: HTMLProgressElement) => bar.value);
  await expect.poll(through).toBeGreaterThan(0);
  await site.restart();
  const atRestart = await through();
  await expect.poll(through).toBeGreaterThan(atRestart);

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(heading).toHaveText(`Paused: ${title}`);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(heading).toHaveText(`Sending: ${title}`);
  const atResume = await through();
  await expect.poll(through).toBeGreaterThan(atResume);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(heading).toHaveText(`Cancelled: ${title}`);
  await expect(
    page.getByText("not mailed: left, cancelled, or earlier mail came back"),
  ).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  const mails = site.mails().filter(({ subject }) => subject === title);
  const reached = mails.flatMap(({ to }) => to?.map(({ address }) => address) ?? []);
  expect(new Set(reached).size).toBe(reached.length);
  expect(reached.length).toBeLessThan(subscribers);
});

test("a limit of the firm's own mail account is said in the server's words wherever one looks, and to the owner", async ({
  page,
  site,
  desk,
}) => {
  const words = "5.4.5 Daily user sending limit exceeded";
  const title = "Past the limit";
  const people = path.join(site.dataDir, "people.csv");
  await writeFile(
    people,
    ["email", ...[1, 2, 3, 4, 5, 6].map((n) => `${n}@many.example`)].join("\n"),
  );
  const asked = ["--state", "confirmed", "--consent", "The card on the counter."];
  await site.command("subscribers", "import", people, ...asked);
  const { id } = await site.publish({ title, html: "<p>Ink.</p>" });
  const { mailServer } = site;
  mailServer.limit = { accepts: 0, at: "message", answer: () => `550 ${words}` };
  await page.goto(`${desk.url}/issues/${id}`);
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: /^Send to \d+ subscribers$/ }).click();
  await page.waitForURL(/sends\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Paused: ${title}`);
  await expect(page.getByText(words)).toContainText(
    "It paused itself: the mail server refused 5 mails",
  );
  const send = page.url().split("/").at(-1) ?? "";
  expect(await site.command("sends", "show", send)).toContain(words);
  expect(site.output()).toContain(words);
  await page.goto(desk.url);
  await expect(page.getByRole("main")).toContainText(words);

  mailServer.limit = null;
  await site.passTime(5 * 60 * 60_000);
  const letter = await site.mail(({ subject }) => subject?.startsWith("Paused: ") ?? false);
  expect(letter.text).toContain(words);
  expect(letter.text).toContain(`sends resume ${send}`);
  await page.goto(`${desk.url}/sends/${send}`);
  await page.getByRole("button", { name: "Cancel" }).click();
});
