import { openDatabase } from "#db/open-database.ts";
import { listOutbox } from "#tests/list-outbox.ts";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { confirmForLinks } from "../mail-links.ts";
import { newAddress } from "../new-address.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, test } from "./desk-test.ts";

// A site of its own, since it is stopped.
test.use({ siteSettings: { ...sendingSettings, SITE_NAME: "Stopped & Sons" } });

test("says why all is well, since when the site is stopped, and why mail hasn't left", async ({
  page,
  site,
  desk,
  context,
}) => {
  test.slow();
  const main = page.getByRole("main");
  const open = async () => {
    await context.addCookies([await desk.session()]);
    await page.goto(`${desk.url}/`);
  };
  await confirmForLinks(site);
  await open();
  await expect(main).toContainText(/The site answered \d+ (?:s|min) ago\. All mail has left\./);
  await expect(main).toContainText(
    /Subscribers1 \(1 more in seven days, no change in the seven before\)/,
  );
  await expect(main.getByText("Looking at the settings")).toHaveCount(0);
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  site.mailServer.mode = "defer";
  const message = { ...contactMessage, email: newAddress() };
  expect((await callFunction(site.url, "send-contact-email", message)).status).toBe(200);
  const lastError = () => inDatabase(site, async (db) => (await listOutbox(db))[0]?.lastError);
  await expect.poll(lastError).toContain("Greylisted");
  await page.reload();
  await expect(main).toContainText("1 mail or call waits to leave.");
  await expect(main).not.toContainText("All mail has left");
  await site.stop("SIGKILL");
  await desk.restart("SIGTERM", 11 * 60_000);
  await open();
  await expect(main).toContainText(
    /The site has not answered since \d+:\d\d [ap]\.m\. Visitors.*Start it with npm start/,
  );
  await expect(main).toContainText(
    /1 mail has not left since \d+:\d\d [ap]\.m\. The server’s words: .*Greylisted/,
  );
  await expect(main).not.toContainText("All is well");
  await expect(main.getByText("Looking at the settings")).toHaveCount(0);
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  site.mailServer.mode = "accept";
  await site.start();
  await desk.restart();
  await open();
  await expect(main).toContainText(/The site answered \d+ (?:s|min) ago\./);
  await expect(main).not.toContainText("has not answered");
  const { db, close } = await openDatabase(site.database);
  const at = new Date().toISOString();
  const job = { delivery_id: "given-up", kind: "contact-email", payload: "{}" };
  await db
    .insertInto("outbox")
    .values({ ...job, created_at: at, next_attempt_at: at, failed_at: at })
    .execute();
  await close();
  await page.reload();
  await expect(main).toContainText("1 mail or call could not be delivered");
  await expect(main).not.toContainText("All mail has left");
  await page.getByRole("button", { name: "Try them all again" }).click();
  await expect(page.getByRole("status")).toHaveText("1 job will be tried again now.");
});
