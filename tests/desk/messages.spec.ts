import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { newAddress } from "../new-address.ts";
import type { SiteServer } from "../site-server.ts";
import { expect, test } from "./desk-test.ts";

async function send(site: SiteServer, words: object, evidence = ""): Promise<void> {
  const message = { ...contactMessage, ...words };
  const headers = { "Form-Evidence": evidence };
  const sent = await callFunction(site.url, "send-contact-email", message, headers);
  expect(sent.status).toBe(200);
}

test("finds a message by its words, leaves it for later, answers it, and erases who wrote it", {
  tag: "@postgres",
}, async ({ page, site, desk }) => {
  const asker = newAddress();
  await send(site, { email: asker, firstName: "Ines", message: "About the roof of the school." });
  await send(site, { email: newAddress(), firstName: "Otto", message: "A roof." });
  const rows = page.getByRole("main").getByRole("listitem");
  const ines = rows.filter({ hasText: "Ines" });
  await page.goto("/messages");
  await expect(ines).toContainText("new");
  await page.getByLabel("Find").fill("ROOF school");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(rows).toHaveCount(1);

  await ines.getByRole("link").click();
  await expect(page.getByText("About the roof of the school.", { exact: true })).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const state = page.getByRole("definition").first();
  await expect(state).toHaveText("new");
  const reply = await page.getByRole("link", { name: "Reply", exact: true }).getAttribute("href");
  expect(decodeURIComponent(reply ?? "")).toContain("> About the roof of the school.");
  await page.getByRole("button", { name: "Next week" }).click();
  await expect(page.getByRole("status")).toContainText("It is new again on");
  await page.getByRole("button", { name: "Tomorrow" }).click();
  await expect(state).toHaveText("later: tomorrow");
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
  await expect(state).toHaveText("back again");
  await page.getByRole("button", { name: "I answered" }).click();
  await expect(page.getByRole("status")).toContainText("Marked as answered.");
  await expect(state).toContainText("answered, just now");
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Erase this person" }).click();
  await expect(page.getByRole("heading", { name: "Erased", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "← Messages" }).click();
  await expect(rows.filter({ hasText: "Otto" })).toHaveCount(1);
  await expect(ines).toHaveCount(0);
  expect(await site.command("messages", "export")).not.toContain(asker);
});

test("releases, erases and answers several at once, and takes an answer back, also without scripts", async ({
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
  await press("It is no spam");
  await expect(page.getByRole("status")).toContainText("Released");
  expect((await site.messageFrom(suspect)).text).toContain("Wanted after all");

  await page.goto(`${desk.url}/messages?show=held`);
  await press("Erase");
  await expect(page.getByRole("alert")).toContainText("Choose a message first");
  for (const box of await quinns.getByRole("checkbox").all()) await box.check();
  await press("Erase");
  await expect(page.getByRole("status")).toHaveText("2 messages are erased.");
  await expect(quinns).toHaveCount(0);

  await page.goto(`${desk.url}/messages?show=new&find=Wanted`);
  await quinns.getByRole("checkbox").check();
  await press("I answered");
  await expect(page.getByRole("status")).toHaveText("1 message is marked as answered.");
  await expect(quinns).toHaveCount(0);
  await press("Undo");
  await expect(quinns).toHaveCount(1);
  await context.close();
});

test("answers a message of any length and script by an address that every mail program opens", async ({
  page,
  site,
}) => {
  const message = `${"Добрый день, у нас течёт крыша. ".repeat(60)}\n🛠`;
  await send(site, { email: newAddress(), firstName: "Zoya", message });
  await page.goto("/messages");
  await page.getByRole("main").getByRole("link", { name: /Zoya/ }).click();
  const reply =
    (await page.getByRole("link", { name: "Reply", exact: true }).getAttribute("href")) ?? "";
  expect(reply.length).toBeLessThanOrEqual(2_000);
  expect(decodeURIComponent(reply)).toContain("> Добрый день, у нас течёт крыша.");
});

test("erases one message after a question", async ({ page, site }) => {
  const writer = newAddress();
  for (const message of ["The first.", "The second."]) await send(site, { email: writer, message });
  await page.goto(`/messages?find=${writer}`);
  await page.getByRole("link", { name: /The first/ }).click();
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.getByRole("button", { name: "Erase this message" }).click();
  await expect(page.getByText("The first.", { exact: true })).toBeVisible();
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Erase this message" }).click();
  await expect(page.getByRole("status")).toHaveText("1 message is erased.");
  await page.goto(`/messages?find=${writer}`);
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
});
