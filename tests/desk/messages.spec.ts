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

test("finds a message by its words, answers, puts off, notes, and erases who wrote it, by keys and presses", {
  tag: "@postgres",
}, async ({ page, site, desk }) => {
  const asker = newAddress();
  await send(site, { email: asker, firstName: "Ines", message: "About the roof of the school." });
  await send(site, {
    email: newAddress(),
    firstName: "Otto",
    subject: "general-inquiry",
    message: "A roof.",
  });
  const rows = page.getByRole("main").getByRole("listitem");
  const ines = rows.filter({ hasText: "Ines" });
  await page.goto("/messages");
  await expect(ines).toContainText("new");
  await page.getByLabel("Find").fill("roof");
  await page.getByLabel("Subject").selectOption("general-inquiry");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(rows.filter({ hasText: "Otto" })).toHaveCount(1);
  await expect(ines).toHaveCount(0);
  await page.getByLabel("Subject").selectOption("");
  await page.getByLabel("Find").fill("ROOF school");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(rows).toHaveCount(1);

  // A browser that fetches the page ahead changes nothing.
  const link = ines.getByRole("link");
  const address = (await link.getAttribute("href")) ?? "";
  expect((await page.request.get(new URL(address, page.url()).href)).status()).toBe(200);
  await page.reload();
  await expect(ines).toHaveClass(/new/);
  // Keys rest in a field.
  await page.getByLabel("Find").press("e");
  await page.getByLabel("Find").blur();
  await page.keyboard.press("j");
  await expect(link).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Find")).toBeFocused();
  await page.getByLabel("Find").blur();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page.getByText("About the roof of the school.", { exact: true })).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await expect(page.getByRole("definition").filter({ hasText: /^New$/ })).toBeVisible();
  const reply = await page.getByRole("link", { name: "Reply", exact: true }).getAttribute("href");
  expect(decodeURIComponent(reply ?? "")).toContain("> About the roof of the school.");
  await page.getByLabel("Write a note").fill("Two vans.");
  await page.getByRole("button", { name: "Keep the note" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Two vans." })).toContainText(
    "just now",
  );
  await page.keyboard.press("e");
  await expect(page.getByRole("status")).toContainText("Marked as answered.");
  await page.getByLabel("Bring it back").selectOption("in a week");
  await page.getByRole("button", { name: "Remind me" }).click();
  await expect(page.getByRole("status")).toContainText("It comes back on");

  // The day comes.
  const waiting = { remind_on: "2026-11-01" };
  await inDatabase(site, (db) =>
    db.updateTable("contact_messages").set(waiting).where("email", "=", asker).execute(),
  );
  await page.goto(desk.url);
  await page.getByRole("link", { name: /Ines Souza Back again/ }).click();
  await expect(page.getByText("It is back: you expected a reply.")).toBeVisible();
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Erase this person" }).click();
  await expect(page.getByRole("heading", { name: "Erased", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "← Messages" }).click();
  await expect(rows.filter({ hasText: "Otto" })).toHaveCount(1);
  await expect(ines).toHaveCount(0);
  expect(await site.command("messages", "list", "--json")).not.toContain(asker);
});

test("writes a reply once, and answers with it under the first name", async ({
  page,
  site,
  desk,
}) => {
  await send(site, { email: newAddress(), firstName: "Priya" });
  await page.goto("/messages");
  await page.getByRole("link", { name: "Saved replies" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Prices");
  await page.getByRole("textbox", { name: "Text" }).fill("Hello {first name}, it depends.");
  await page.getByRole("button", { name: "Make it" }).click();
  await expect(page.getByRole("heading", { name: "Prices" })).toBeVisible();
  // Nothing is asked after it was saved.
  await page.getByRole("link", { name: "← Messages" }).click();
  await page.getByRole("main").getByRole("link", { name: /Priya/ }).click();
  const address = await page.getByRole("link", { name: "Reply with it" }).getAttribute("href");
  expect(decodeURIComponent(address ?? "")).toContain("body=Hello Priya, it depends.");
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`${desk.url}/messages/replies`);
  await page.getByRole("heading", { name: "Prices" }).click();
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("heading", { name: "Prices" })).toHaveCount(0);
});

test("releases, bins and answers several at once, and takes it back, also without scripts", async ({
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
  await press("Bin");
  await expect(page.getByRole("alert")).toContainText("Choose a message first");
  for (const box of await quinns.getByRole("checkbox").all()) await box.check();
  await press("Bin");
  await expect(page.getByRole("status")).toHaveText("2 messages are in the bin, for thirty days.");
  await expect(quinns).toHaveCount(0);
  await press("Undo");
  await expect(quinns).toHaveCount(2);
  await quinns.getByRole("checkbox").first().check();
  await press("Bin");
  await page.goto(`${desk.url}/messages?show=bin&find=Quinn`);
  await expect(quinns).toHaveCount(1);

  await page.goto(`${desk.url}/messages?show=new&find=Wanted`);
  await quinns.getByRole("checkbox").check();
  await press("I answered");
  await expect(page.getByRole("status")).toHaveText("1 message is marked as answered.");
  await expect(quinns).toHaveCount(0);
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

test("goes from message to message by keys", async ({ page, site }) => {
  await send(site, { email: newAddress(), firstName: "Before", lastName: "Last" });
  await send(site, { email: newAddress(), firstName: "Last", lastName: "Written" });
  await page.goto("/messages");
  await page
    .getByRole("main")
    .getByRole("link", { name: /Last Written/ })
    .click();
  await expect(page.getByRole("heading", { name: "Last Written" })).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { name: "Before Last" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(page.getByRole("heading", { name: "Last Written" })).toBeVisible();
});
