import { copyFileSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { listMessages } from "#contact/messages.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { newAddress } from "../new-address.ts";
import { sendMessage, signUp } from "../visitors.ts";
import { expect, test } from "./desk-test.ts";

// A site of its own, since its past comes back.
test.use({ siteSettings: { SITE_NAME: "Backup & Sons" } });

test("a backup is downloaded, uploaded again, and restored after saying what will change", {
  tag: "@postgres",
}, async ({ page, desk, site }) => {
  test.slow();
  const main = page.getByRole("main");
  const [early, late] = [newAddress(), newAddress()];
  await inDatabase(site, async (db) => {
    await signUp(db, early);
    await sendMessage(db, { firstName: "Early" });
  });
  await page.goto(`${desk.url}/settings`);
  await page.getByRole("link", { name: "Backups" }).click();
  await expect(main).toContainText("None is here yet.");
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByRole("status")).toContainText("The backup is made");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download site-/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^site-[\d-]+\.sqlite$/);
  const file = await download.path();
  expect(readFileSync(file).subarray(0, 15).toString()).toBe("SQLite format 3");

  await inDatabase(site, async (db) => {
    await signUp(db, late);
    await sendMessage(db, { firstName: "Late" });
  });
  const chooseFile = page.getByLabel("Choose or drop it here");
  await chooseFile.setInputFiles({
    name: "cut.sqlite",
    mimeType: "application/octet-stream",
    buffer: readFileSync(file).subarray(0, 30_000),
  });
  await page.getByRole("button", { name: "Look at it" }).click();
  await expect(page.getByRole("alert")).toContainText("This can’t be restored. It is damaged:");
  await page.getByRole("link", { name: "Backups" }).click();
  await chooseFile.setInputFiles({
    name: "letter.sqlite",
    mimeType: "application/octet-stream",
    buffer: Buffer.from("Dear all"),
  });
  await page.getByRole("button", { name: "Look at it" }).click();
  await expect(page.getByRole("alert")).toContainText("That is no backup");
  await chooseFile.setInputFiles(file);
  await page.getByRole("button", { name: "Look at it" }).click();
  await expect(page.getByRole("row", { name: "Messages 2 1 1 fewer" })).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Restore this backup" }).click();
  await expect(page.getByRole("status")).toContainText(/Restored\. What was there before is site-/);
  await expect(page.getByRole("button", { name: "Restore this backup" })).toHaveCount(0);
  const stored = () =>
    inDatabase(site, async (db) => [
      ...(await listMessages(db)).map(({ firstName }) => firstName),
      ...(await listSubscribers(db)).map(({ email }) => email),
    ]);
  expect(await stored()).toEqual(["Early", early]);
  // The site that was running goes on, with what is there now.
  expect((await page.request.get(`${site.url}/newsletter`)).status()).toBe(200);
  await page.getByRole("link", { name: "Backups" }).click();
  await expect(main.getByText("Before a restore")).toBeVisible();
  await page.getByLabel("Days").fill("7");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(main).toContainText("keeps it for 7 days");
  await page.getByLabel("Days").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(main).toContainText("makes none at night, and deletes none of these");
  const old = path.join(site.dataDir, "backups", "site-2025-11-01-0330.sqlite");
  copyFileSync(file, old);
  utimesSync(old, new Date("2025-11-01"), new Date("2025-11-01"));
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByRole("status")).toContainText("The backup is made");
  await expect(page.getByRole("link", { name: /^Download site-2025-11-01/ })).toBeVisible();
  await page.goto(`${desk.url}/`);
  await expect(main).toContainText(/The last backup is \d+ (?:s|min) old, \d.*B\./);
});
