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

test("says why all is well, why mail hasn't left, and since when the site is stopped", async ({
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
  // A mail has left for its reader a moment before the outbox knows.
  const waiting = () => inDatabase(site, (db) => listOutbox(db, { state: "waiting" }));
  await expect.poll(waiting).toEqual([]);
  const daysAgo = Date.now() - 3 * 86_400_000;
  await context.addCookies([{ name: "visit", value: `.${daysAgo}`, url: desk.url }]);
  await open();
  await expect(main).toContainText(/Since [A-Z][a-z]+day: 1 joined\./);
  await expect(main).not.toContainText("What needs attention");
  await expect(main).toContainText(/The site answered \d+ (?:s|min) ago\. All mail has left\./);
  await expect(main).toContainText("Subscribers1");
  await expect(main.getByText("Looking at the settings")).toHaveCount(0);
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  // Providers limit how often one may sign in.
  const { connections } = site.mailServer;
  for (const path of ["/", "/settings?show=mail", "/"]) {
    await page.goto(desk.url + path);
    await expect(main.getByText("Looking at the settings")).toHaveCount(0);
  }
  expect(site.mailServer.connections).toBe(connections);

  site.mailServer.mode = "defer";
  const message = { ...contactMessage, email: newAddress() };
  expect((await callFunction(site.url, "send-contact-email", message)).status).toBe(200);
  const lastError = () => inDatabase(site, async (db) => (await listOutbox(db))[0]?.lastError);
  await expect.poll(lastError).toContain("Greylisted");
  await page.reload();
  await expect(main).toContainText(
    /1 mail has not left for \d+ (?:s|min)\. The server’s words: .*Greylisted/,
  );
  await expect(main).not.toContainText("All mail has left");
  await page.goto("about:blank");
  await site.stop("SIGKILL");
  await desk.restart("SIGTERM", 11 * 60_000);
  await open();
  await expect(main).toContainText(
    /What needs attention.*The site has not answered for \d+ \S+\. Visitors.*Start it with npm start/,
  );
  await expect(main.getByText("Looking at the settings")).toHaveCount(0);
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  await page.goto("about:blank");
  site.mailServer.mode = "accept";
  await site.start();
  await desk.restart();
  await open();
  await expect(main).toContainText(/The site answered \d+ (?:s|min) ago\./);
  await expect(main).not.toContainText("has not answered");
  const at = new Date().toISOString();
  const job = { delivery_id: "given-up", kind: "contact-email", payload: "{}" };
  const failed = { ...job, created_at: at, next_attempt_at: at, failed_at: at };
  await inDatabase(site, (db) => db.insertInto("outbox").values(failed).execute());
  await page.reload();
  await expect(main).toContainText("1 mail or call could not be delivered");
  await expect(main).not.toContainText("All mail has left");
  await page.getByRole("button", { name: "Try them all again" }).click();
  await expect(page.getByRole("status")).toHaveText("1 job will be tried again now.");
});
