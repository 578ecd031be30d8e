import { readFileSync } from "node:fs";
import path from "node:path";
import { listMessages } from "#contact/messages.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { newAddress } from "../new-address.ts";
import { sendMessage, signUp } from "../visitors.ts";
import { expect, test } from "./desk-test.ts";

// A site of its own, since its past comes back.
test.use({ siteSettings: { SITE_NAME: "Backup & Sons" } });

test("a backup is downloaded, uploaded, and restored by the running site", async ({
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
  await page.goto(`${desk.url}/settings`);
  await page.getByRole("link", { name: "Backups" }).click();
  await expect(main).toContainText("None is here yet.");
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByRole("status")).toContainText("The backup is made");
  await expect(main).toContainText("0 subscribers, 1 messages");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download site-/ }).click(),
  ]);
  const file = await download.path();
  expect(readFileSync(file).subarray(0, 15).toString()).toBe("SQLite format 3");

  await inDatabase(site, (db) => sendMessage(db, { firstName: "Late" }));
  const chooseFile = page.getByLabel("Choose or drop it here");
  for (const [buffer, words] of [
    [readFileSync(file).subarray(0, 30_000), "malformed"],
    [Buffer.from("Dear all"), "it is no SQLite file"],
  ] as const) {
    await chooseFile.setInputFiles({ name: "x.sqlite", mimeType: "text/plain", buffer });
    await page.getByRole("button", { name: "Upload it" }).click();
    await expect(page.getByRole("alert")).toContainText(words);
  }
  await chooseFile.setInputFiles(file);
  await page.getByRole("button", { name: "Upload it" }).click();
  await expect(page.getByText("It is here, and was checked.")).toBeVisible();
  await expect(main).toContainText(/, uploaded.*1 messages/);

  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Restore…" }).first().click();
  await expect(main).toContainText(/was restored\. What was there before is among the backups/, {
    timeout: 60_000,
  });
  const names = await inDatabase(site, async (db) =>
    (await listMessages(db)).map(({ firstName }) => firstName),
  );
  expect(names).toEqual(["Early"]);
  await expect(main).toContainText("before a restore");
  expect((await page.request.get(`${site.url}/newsletter`)).status()).toBe(200);
  await page.goto(`${desk.url}/`);
  await expect(main).toContainText(/The last backup is \d+ (?:s|min) old, \d.*B\./);
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByRole("status")).toContainText("Plans, sends and letters go on.");
  await page.goto(`${desk.url}/settings`);
  await page.getByLabel("Days that a nightly backup is kept").fill("7");
  await page.getByRole("button", { name: "Save “Backups”" }).click();
  await expect(page.getByRole("status")).toContainText("Saved");
  await page.goto(`${desk.url}/backups`);
  await expect(main).toContainText("keeps it for 7 days");
  expect(path.basename(download.suggestedFilename())).toMatch(/-1-messages\.sqlite$/);
});
