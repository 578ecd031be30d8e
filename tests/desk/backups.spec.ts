import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { listMessages } from "../list-messages.ts";
import { newAddress } from "../new-address.ts";
import { sendMessage, signUp } from "../visitors.ts";
import { expect, sayYes, test } from "./desk-test.ts";

// A site of its own, since its past comes back.
test.use({ siteSettings: { SITE_NAME: "Backup & Sons" } });

test("a backup is downloaded, listed again, and restored by the running site", async ({
  page,
  desk,
  site,
}) => {
  test.slow();
  const main = page.getByRole("main");
  await inDatabase(site, async (db) => {
    await signUp(db, newAddress());
    await sendMessage(db, { firstName: "Early" });
  });
  // A night without room.
  const folder = path.join(site.dataDir, "backups");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "failed.txt"), "there is no room");
  await page.goto(`${desk.url}/`);
  await expect(main).toContainText(/The backup failed .* ago: there is no room/);
  await page.goto(`${desk.url}/settings?show=backups`);
  await page.getByRole("link", { name: "Each night’s backup" }).click();
  await expect(main).toContainText("None is here yet");
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByRole("status")).toContainText("The backup is made");
  await expect(main).toContainText(/\d+ kB/);
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByLabel(/^More for site-/).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download site-/ }).click(),
  ]);
  const file = await download.path();
  expect(readFileSync(file).subarray(0, 15).toString()).toBe("SQLite format 3");

  await inDatabase(site, (db) => sendMessage(db, { firstName: "Late" }));
  // A file copied into the folder is listed, under any name.
  copyFileSync(file, path.join(folder, "from-the-safe.sqlite"));
  writeFileSync(path.join(folder, "torn.sqlite"), readFileSync(file).subarray(0, 4096));
  await page.reload();
  await expect(main).toContainText("from-the-safe.sqlite");
  await expect(main).toContainText("torn.sqlite. Damaged, can’t be restored");

  await sayYes(page);
  await page.getByLabel("More for from-the-safe.sqlite").click();
  await page.getByRole("button", { name: "Restore…" }).click();
  await expect(main).toContainText(/was restored\. What was there before is among the backups/);
  const names = await inDatabase(site, async (db) =>
    (await listMessages(db)).map(({ firstName }) => firstName),
  );
  expect(names).toEqual(["Early"]);
  await expect(main).toContainText("Before a restore");
  expect((await page.request.get(`${site.url}/newsletter`)).status()).toBe(200);
  await page.goto(`${desk.url}/`);
  await expect(main).toContainText(/The last backup is \d+ (?:s|min) old, \d.*B\./);
  await expect(main).not.toContainText("there is no room");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByRole("status")).toContainText("Plans, sends and letters go on.");
  expect(path.basename(download.suggestedFilename())).toMatch(/^site-.*Z\.sqlite$/);
});
