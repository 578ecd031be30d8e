import type { Page } from "@playwright/test";
import { accessibilityFaults } from "../every-page/axe.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, sayYes, test } from "./desk-test.ts";

// Slow enough for a test to steer what goes out.
test.use({ siteSettings: { ...sendingSettings, SMTP_RATE: "3" } });

/** Two minutes' worth, however slow the machine is that steers it. */
const subscribers = 360;

/** Subscribers, and after them many who left elsewhere. */
const list = [
  "email,subscribed,comment",
  "nobody,yes,",
  ...Array.from(
    { length: 4_000 },
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
  const people = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(list) };
  await page.getByLabel("Choose or drop it here").setInputFiles(people);
  await cut(page, "**/import*");
  await page.getByRole("button", { name: "Check the file" }).click();
  await expect(alert).toContainText("no connection to the desk");
  await page.unroute("**/import*");
  await page.getByRole("button", { name: "Check the file" }).click();
  await expect(page.getByText("4,000 would be new.")).toBeVisible();
  await expect(page.getByText(/^Line 2: There is no email address/)).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByLabel("They have agreed.").check();
  await page.getByLabel("What these people agreed to").fill("The card on the counter.");
  await cut(page, "**/import*");
  await page.getByRole("button", { name: /^Import 4,000 new/ }).click();
  await expect(alert).toContainText("no connection to the desk");
  await page.unroute("**/import*");
  await page.getByRole("button", { name: /^Import 4,000 new/ }).click();
  await expect(page.getByText("Imported: 4,000 new.")).toBeVisible();

  const title = "Steered";
  const { id } = await site.publish({ title, html: "<p>Ink.</p>" });
  await page.goto(`${desk.url}/issues/${id}`);
  await sayYes(page);
  const send = page.getByRole("button", { name: `Send to ${subscribers} subscribers` });
  await page.getByLabel("Send yourself a test first").fill("kept@example.com");
  await cut(page, `**/issues/${id}*`, { arrives: true });
  await send.click();
  await expect(alert).toContainText("no connection to the desk");
  await expect(page.getByLabel("Send yourself a test first")).toHaveValue("kept@example.com");
  await page.unroute(`**/issues/${id}*`);
  await send.click();
  await page.waitForURL(/sends\/\d+$/);

  const state = page.locator("h2.state");
  const delivered = page.locator(".figures li", { hasText: "delivered" }).locator("b");
  const through = async () => Number((await delivered.textContent())?.replace(",", ""));
  await expect.poll(through).toBeGreaterThan(0);
  await site.restart();
  const atRestart = await through();
  await expect.poll(through).toBeGreaterThan(atRestart);

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(state).toHaveText("Paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(state).toHaveText("Sending");
  const atResume = await through();
  await expect.poll(through).toBeGreaterThan(atResume);
  await page.getByRole("button", { name: "Stop this send…" }).click();
  await expect(state).toHaveText("Cancelled");
  await expect(page.locator(".figures")).toHaveText(/^\d+ delivered.*\d+ not mailed$/);

  const mails = site.mails().filter(({ subject }) => subject === title);
  const reached = mails.flatMap(({ to }) => to?.map(({ address }) => address) ?? []);
  expect(new Set(reached).size).toBe(reached.length);
  expect(reached.length).toBeLessThan(subscribers);
});
