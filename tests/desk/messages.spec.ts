import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { newAddress } from "../new-address.ts";
import type { SiteServer } from "../site-server.ts";
import { expect, sayYes, test } from "./desk-test.ts";

async function send(site: SiteServer, words: object, evidence = ""): Promise<void> {
  const message = { ...contactMessage, ...words };
  const headers = { "Form-Evidence": evidence };
  const sent = await callFunction(site.url, "send-contact-email", message, headers);
  expect(sent.status).toBe(200);
}

test("finds a message by its words, leaves it for later, answers it, and erases who wrote it", async ({
  page,
  site,
  desk,
}) => {
  const asker = newAddress();
  await send(site, { email: asker, firstName: "Ines", message: "About the roof of the school." });
  await send(site, { email: newAddress(), firstName: "Otto", message: "A roof." });
  const rows = page.getByRole("main").getByRole("listitem");
  const ines = rows.filter({ hasText: "Ines" });
  await page.goto("/messages");
  await expect(ines).toContainText("New");
  await page.getByLabel("Find").fill("ROOF school");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(rows).toHaveCount(1);

  await ines.getByRole("link").click();
  await expect(page.getByRole("article")).toContainText("About the roof of the school.");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const state = page.getByRole("article").locator(".state");
  await expect(state).toContainText("New");
  const reply = await page.getByRole("link", { name: "Reply", exact: true }).getAttribute("href");
  expect(decodeURIComponent(reply ?? "")).toContain("> About the roof of the school.");
  await page.getByText("Later", { exact: true }).click();
  await page.getByRole("button", { name: "Next week" }).click();
  await expect(page.getByRole("status")).toContainText("It is new again on");
  await page.getByText("Later", { exact: true }).click();
  await page.getByRole("button", { name: "Tomorrow" }).click();
  await expect(state).toHaveText(/^Later, [A-Z]\w+ \d+\s/);
  await page.goto(desk.url);
  await expect(page.getByRole("link", { name: /Otto/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /Ines/ })).toHaveCount(0);

  // The day comes.
  await inDatabase(site, (db) =>
    db
      .updateTable("contact_messages")
      .set({ later_until: "2026-11-01" })
      .where("email", "=", asker)
      .execute(),
  );
  await page.reload();
  await page.getByRole("link", { name: /Ines/ }).click();
  await expect(state).toContainText("Back again");
  await page.getByRole("button", { name: "Answered" }).click();
  await expect(page.getByRole("status")).toContainText("Marked as answered.");
  await expect(state).toContainText("Answered just now");
  await sayYes(page);
  await page.getByLabel("More", { exact: true }).click();
  await page.getByRole("button", { name: "Erase this person" }).click();
  await expect(page.getByText("Erased", { exact: true })).toBeVisible();
  await page.goto("/messages");
  await expect(rows.filter({ hasText: "Otto" })).toHaveCount(1);
  await expect(ines).toHaveCount(0);
  expect(await site.command("messages", "export")).not.toContain(asker);
});

test("releases what is no spam, erases what is, and takes an answer back, also without scripts", async ({
  site,
  desk,
  browser,
}) => {
  const suspect = newAddress();
  for (const message of ["Wanted after all", "Nobody wants this", "Nor this"]) {
    await send(site, { email: suspect, firstName: "Quinn", message }, "honeypot");
  }
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies([await desk.session()]);
  const page = await context.newPage();
  const quinns = page.getByRole("listitem").filter({ hasText: "Quinn" });
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await page.goto(`${desk.url}/messages?show=held`);
  await page.getByRole("link", { name: /Wanted after all/ }).click();
  await press("Not spam");
  await expect(page.getByRole("status")).toContainText("Released");
  expect((await site.messageFrom(suspect)).text).toContain("Wanted after all");

  await press("Answered");
  await press("Not answered yet");
  await expect(page.getByRole("status")).toHaveText("It is new again.");

  await page.goto(`${desk.url}/messages?show=held`);
  await expect(quinns).toHaveCount(2);
  await press("Erase all that may be spam");
  await expect(page.getByRole("status")).toHaveText(/messages are erased\.$/);
  await expect(quinns).toHaveCount(0);
  await page.goto(`${desk.url}/messages?show=new&find=Wanted`);
  await expect(quinns).toHaveCount(1);
  await context.close();
});
