import { readFileSync } from "node:fs";
import { unsubscribe } from "#newsletter/subscribers/subscribe.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { signUpForLinks } from "../mail-links.ts";
import { newAddress } from "../new-address.ts";
import { signUp } from "../visitors.ts";
import { expect, sayYes, test } from "./desk-test.ts";

test("imports Mailchimp's list, finds a person in it, and erases them", async ({ page }) => {
  await page.goto("/messages");
  await page.getByRole("link", { name: "Subscribers", exact: true }).click();
  const more = page.getByLabel("More", { exact: true });
  await more.click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Export" })).toBeHidden();
  await expect(more).toBeFocused();
  await more.click();
  await page.getByRole("link", { name: "Import a list" }).first().click();
  const email = newAddress();
  const buffer = Buffer.from(
    `Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,TAGS\n${email},Ana,2019-03-11 08:14:32,2019-03-11 08:16:10,\n${newAddress()},,,,\nno address,Bo,,,\n`,
  );
  await page
    .getByLabel("Choose or drop it here")
    .setInputFiles({ name: "subscribed.csv", mimeType: "text/csv", buffer });
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByRole("button", { name: "Check the file" }).click();
  await expect(page.getByText("2 would be new.")).toBeVisible();
  await expect(page.getByText("Left out: “First Name”, “TAGS”.")).toBeVisible();
  await expect(page.getByText(/^Line 4: There is no email address.*Bo/)).toBeVisible();
  await page.getByText("How it is read").click();
  await expect(page.getByLabel("OPTIN_TIME is taken for")).toHaveValue("subscribed_at");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByRole("button", { name: "Import 2 new subscribers" }).click();
  await expect(page.getByRole("alert")).toContainText("doesn’t say of 1 person");
  await page.getByLabel("They have agreed.").check();
  await page.getByRole("button", { name: "Import 2 new subscribers" }).click();
  await expect(page.getByRole("alert")).toContainText("Say what these people agreed to");
  await page.getByLabel("What these people agreed to").fill("The box on our old site.");
  await page.getByRole("button", { name: "Import 2 new subscribers" }).click();
  await expect(page.getByText("Imported: 2 new.")).toBeVisible();
  await expect(page.getByText("2 people of the list get the next issue.")).toBeVisible();

  await page.getByRole("link", { name: "See the subscribers" }).click();
  await page.getByLabel("Find").fill(email.slice(0, -3).toUpperCase());
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: email }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Imported" })).toContainText(
    "The box on our old site.",
  );
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const evidence = page.waitForEvent("download");
  await page.getByLabel("More", { exact: true }).click();
  await page.getByRole("link", { name: "Save the evidence" }).click();
  expect(readFileSync(await (await evidence).path(), "utf8")).toContain("The box on our old site.");

  await sayYes(page);
  await page.getByRole("button", { name: "Erase this person" }).click();
  await expect(page.getByText("Erased", { exact: true })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(
    /Erased, with the proof of consent.*Files that were exported, and backups/,
  );
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByLabel("Find").fill(email);
  await page.getByRole("button", { name: "Find" }).click();
  await expect(page.getByText("No subscriber matches")).toBeVisible();
});

test("adds a person by hand with the proof, and refuses one who has left", async ({
  page,
  desk,
  site,
}) => {
  const gone = newAddress();
  await inDatabase(site, async (db) => {
    await signUp(db, gone);
    await unsubscribe({ db, newsletterWebhookUrl: null, wakeOutbox() {} }, { email: gone });
  });
  await page.goto(`${desk.url}/subscribers`);
  await page.getByRole("link", { name: "Add one" }).click();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByLabel("Address").fill(gone);
  await page.getByLabel("They bought from you").check();
  await page.getByLabel("How did they agree?").fill("Invoice 1042.");
  const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("On which day?").fill(day);
  await page.getByRole("button", { name: "Add the subscriber" }).click();
  await expect(page.getByRole("alert")).toContainText("This person has left.");
  const address = newAddress();
  await page.getByLabel("Address").fill(address);
  await page.getByRole("button", { name: "Add the subscriber" }).click();
  await expect(page.getByRole("heading", { name: address })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Confirmed. Gets every issue");
  await expect(page.getByRole("listitem").filter({ hasText: "Added" })).toContainText(
    /Consent implied by a purchase.*Invoice 1042\./,
  );
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
});

test("filters with true counts, and unsubscribes a person", async ({ page, site }) => {
  const { address } = await signUpForLinks(site);
  await inDatabase(site, (db) => signUp(db, newAddress(), { suspicion: "hidden_field" }));
  await page.goto("/subscribers");
  for (const name of ["Not confirmed", "May be spam"]) {
    const filter = page.getByRole("navigation").getByRole("link", { name });
    const count = Number(((await filter.textContent()) ?? "").replace(name, ""));
    await filter.click();
    await expect(filter).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(Math.min(count, 50));
  }
  await page.goto("/subscribers?state=unconfirmed");
  await page.getByRole("link", { name: address }).click();
  await expect(page.getByText("Has not confirmed yet.")).toBeVisible();
  await sayYes(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByRole("status")).toContainText("Gets no issue any more.");
  await expect(page.getByText("Has left.")).toBeVisible();
});

test("an address that can name nothing is not found", { tag: "@postgres" }, async ({
  page,
  desk,
}) => {
  for (const path of [
    "subscribers/abc",
    "subscribers/1e30",
    "subscribers/abc/evidence.json",
    "messages/abc",
    "issues/abc",
    "issues/99999999999999999999",
    "issues/drafts/abc",
    "issues/drafts/abc/preview/page",
    "sends/abc",
  ]) {
    expect((await page.request.get(`${desk.url}/${path}`)).status(), path).toBe(404);
  }
  for (const list of ["subscribers", "messages", "issues"]) {
    const listed = await page.request.get(`${desk.url}/${list}?before=1e30`);
    expect(listed.status(), list).toBe(200);
  }
});

test("a list is read again as the owner says, and what is imported is what was looked at", async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/subscribers/import`);
  const choose = (text: string) =>
    page
      .getByLabel("Choose or drop it here")
      .setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose(`Contact,left\n-${newAddress()},2022-01-05\n`);
  await page.getByRole("button", { name: "Check the file" }).click();
  await expect(page.getByRole("alert")).toContainText("Which column has the email addresses?");
  await page.getByLabel("Contact is taken for").selectOption("address");
  await page.getByLabel("left is taken for").selectOption("left at");
  await page.getByRole("button", { name: "Read it again" }).click();
  await expect(page.getByText("In the list: 1 who left.")).toBeVisible();
  await page.getByLabel("What these people agreed to").fill("A card at the fair.");
  await choose(`email\n${newAddress()}\n${newAddress()}\n`);
  await page.getByRole("button", { name: "Import 1 new subscriber" }).click();
  await expect(page.getByText("You hadn’t looked at it so.")).toBeVisible();
  await page.getByLabel("Ask each of them.").check();
  await page.getByRole("button", { name: "Import 2 new subscribers" }).click();
  await expect(page.getByText("Imported: 2 new.")).toBeVisible();
  await expect(page.getByText("Others don’t: 2 asked by a mail first.")).toBeVisible();
});
