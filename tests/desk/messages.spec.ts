import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { newAddress } from "../new-address.ts";
import type { SiteServer } from "../site-server.ts";
import { expect, test } from "./desk-test.ts";

async function send(site: SiteServer, words: object, evidence = ""): Promise<void> {
  const message = { ...contactMessage, ...words };
  const headers = { "Form-Evidence": evidence };
  const sent = await callFunction(site.url, "send-contact-email", message, headers);
  expect(sent.status).toBe(200);
}

test("reads, finds, releases and deletes messages, and erases who wrote one", {
  tag: "@postgres",
}, async ({ page, site }) => {
  const [asker, suspect] = [newAddress(), newAddress()];
  await send(site, { email: asker, firstName: "Ines", message: "About the roof of the school." });
  await send(site, {
    email: newAddress(),
    firstName: "Otto",
    subject: "general-inquiry",
    message: "A roof.",
  });
  for (const message of ["Wanted after all", "Nobody wants this"]) {
    await send(site, { email: suspect, firstName: "Quinn", message }, "honeypot");
  }
  const rows = page.getByRole("main").getByRole("listitem");
  const ines = rows.filter({ hasText: "Ines" });
  const show = (name: RegExp) => page.getByLabel("Which messages").getByRole("link", { name });
  await page.reload();
  await expect(ines).toContainText("new");
  await page.getByLabel("Find").fill("ROOF school");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(rows).toHaveCount(1);
  await page.getByLabel("Find").fill("roof");
  await page.getByLabel("Subject").selectOption("general-inquiry");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(rows.filter({ hasText: "Otto" })).toHaveCount(1);
  await expect(ines).toHaveCount(0);

  // Read by being opened, and not by a browser that fetches the page ahead, and unread again.
  await show(/^Unread/).click();
  const address = (await ines.getByRole("link").getAttribute("href")) ?? "";
  expect((await page.request.get(new URL(address, page.url()).href)).status()).toBe(200);
  await page.reload();
  await ines.getByRole("link").click();
  await expect(page.getByText("About the roof of the school.", { exact: true })).toBeVisible();
  const reply = await page.getByRole("link", { name: "Reply" }).getAttribute("href");
  expect(decodeURIComponent(reply ?? "")).toContain("> About the roof of the school.");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByRole("link", { name: "← Messages" }).click();
  await expect(ines).not.toContainText("new");
  await ines.getByRole("link").click();
  await page.getByRole("button", { name: "Mark as unread" }).click();
  await expect(ines).toContainText("new");

  page.on("dialog", (dialog) => dialog.accept());
  await show(/^Quarantined/).click();
  await rows.filter({ hasText: "Wanted after all" }).getByRole("link").click();
  await page.getByRole("button", { name: "Release it" }).click();
  await expect(page.getByRole("status")).toContainText("Released");
  expect((await site.messageFrom(suspect)).text).toContain("Wanted after all");
  await page.getByRole("link", { name: "Messages", exact: true }).click();
  await show(/^Quarantined/).click();
  await rows.filter({ hasText: "Nobody wants this" }).getByRole("link").click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.waitForURL(/messages$/);
  await expect(rows.filter({ hasText: "Quinn" })).toHaveCount(1);

  await ines.getByRole("link").click();
  await page.getByRole("button", { name: "Erase this person" }).click();
  await page.waitForURL(/messages$/);
  await expect(rows.filter({ hasText: "Quinn" })).toHaveCount(1);
  await expect(ines).toHaveCount(0);
  expect(await site.command("messages", "list", "--json")).not.toContain(asker);
});

test("answers a message of any length and script by an address that every mail program opens", async ({
  page,
  site,
}) => {
  const message = `${"Добрый день, у нас течёт крыша. ".repeat(60)}\n🛠`;
  await send(site, { email: newAddress(), firstName: "Zoya", message });
  await page.reload();
  await page.getByRole("main").getByRole("link", { name: /Zoya/ }).click();
  const reply = (await page.getByRole("link", { name: "Reply" }).getAttribute("href")) ?? "";
  expect(reply.length).toBeLessThanOrEqual(2_000);
  expect(decodeURIComponent(reply)).toContain("> Добрый день, у нас течёт крыша.");
});
