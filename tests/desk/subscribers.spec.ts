import { readFileSync } from "node:fs";
import { findMailboxRows } from "#newsletter/privacy.ts";
import { unsubscribe } from "#newsletter/subscribe.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { signUpForLinks } from "../mail-links.ts";
import { newAddress } from "../new-address.ts";
import { sendMessage, signUp } from "../visitors.ts";
import { expect, test } from "./desk-test.ts";

test("imports Mailchimp's list, finds a person in it, and erases them", async ({ page }) => {
  await page.goto("/messages");
  await page.getByRole("link", { name: "Subscribers", exact: true }).click();
  await page.getByRole("link", { name: "Import a list" }).click();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const file = "cli/subscribers/fixtures/mailchimp-subscribed.csv";
  await page.getByLabel("Choose or drop it here").setInputFiles(file);
  await page.getByRole("button", { name: "Look at it" }).click();
  await expect(page.getByRole("heading", { name: /Mailchimp/ })).toBeVisible();
  await page.getByText("Email Address: address").click();
  await expect(page.getByLabel("OPTIN_TIME is taken for")).toHaveValue("subscribed_at");
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByLabel("What these people agreed to").fill("The box on our old site.");
  await page.getByRole("button", { name: /^Import \d+ new/ }).click();
  await expect(page.getByRole("heading", { name: "Imported. No mail was sent." })).toBeVisible();

  const [email = ""] = /[\w.+-]+@[\w.-]+/.exec(readFileSync(file, "utf8")) ?? [];
  await page.getByRole("link", { name: "See the subscribers" }).click();
  await page.getByLabel("Find").fill(email.slice(0, -3).toUpperCase());
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: email }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Imported" })).toContainText(
    "The box on our old site.",
  );
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const [evidence] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await page.getByLabel("More", { exact: true }).click();
      await page.getByRole("link", { name: "Save the evidence" }).click();
    })(),
  ]);
  expect(readFileSync(await evidence.path(), "utf8")).toContain("The box on our old site.");

  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Erase this person" }).click();
  await expect(page.getByRole("heading", { name: "Erased", exact: true })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(
    /The subscription, with the proof of consent.*Files that were exported, and backups/,
  );
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByRole("link", { name: "Subscribers" }).last().click();
  await page.getByLabel("Find").fill(email);
  await page.getByRole("button", { name: "Find" }).click();
  await expect(page.getByText("Nobody fits.")).toBeVisible();
});

test("adds a person by hand with the proof, and refuses one who has left", {
  tag: "@postgres",
}, async ({ page, desk, site }) => {
  const gone = newAddress();
  await inDatabase(site, async (db) => {
    await signUp(db, gone);
    await unsubscribe({ db, newsletterWebhookUrl: null, wakeOutbox() {} }, { email: gone });
  });
  await page.goto(`${desk.url}/subscribers`);
  await page.getByRole("link", { name: "Add one" }).click();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByLabel("Address").fill(gone);
  await page.getByLabel("First name").fill("Ann");
  await page.getByLabel("Tags").fill("Fair");
  await page.getByLabel("They bought from you").check();
  await page.getByLabel("How did they agree?").fill("Invoice 1042.");
  const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("On which day?").fill(day);
  await page.getByRole("button", { name: "Add them" }).click();
  await expect(page.getByRole("alert")).toContainText("This person has left.");
  const address = newAddress();
  await page.getByLabel("Address").fill(address);
  await page.getByRole("button", { name: "Add them" }).click();
  await expect(page.getByRole("heading", { name: address })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(
    /Ann\. Confirmed\. Gets every issue.*Tags: Fair/,
  );
  await expect(page.getByRole("listitem").filter({ hasText: "Added" })).toContainText(
    /Consent implied by a purchase.*Invoice 1042\./,
  );
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
});

test("unsubscribes a person", async ({ page, site }) => {
  const { address } = await signUpForLinks(site);
  await page.goto("/subscribers?state=unconfirmed");
  await page.getByRole("link", { name: address }).click();
  await expect(page.getByText("Has not confirmed yet.")).toBeVisible();
  page.on("dialog", (dialog) => dialog.accept());
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

test("a person whose address begins with a hyphen is unsubscribed, proved and erased", async ({
  page,
  site,
  desk,
}) => {
  const [subscriber, writer] = [`-${newAddress()}`, `--${newAddress()}`];
  await inDatabase(site, async (db) => {
    await signUp(db, subscriber);
    await sendMessage(db, { email: writer, firstName: "Hyphen" });
  });
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`${desk.url}/subscribers?find=${subscriber}`);
  await page.getByRole("link", { name: subscriber }).click();
  const [evidence] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await page.getByLabel("More", { exact: true }).click();
      await page.getByRole("link", { name: "Save the evidence" }).click();
    })(),
  ]);
  expect(JSON.parse(readFileSync(await evidence.path(), "utf8")).entries).toHaveLength(1);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByText("Has left.")).toBeVisible();
  await page.getByRole("button", { name: "Erase this person" }).click();
  await expect(page.getByRole("heading", { name: "Erased", exact: true })).toBeVisible();
  await page.goto(`${desk.url}/messages?find=Hyphen`);
  await page.getByRole("link", { name: "Hyphen" }).click();
  await page.getByRole("button", { name: "Erase this person" }).click();
  await expect(page.getByRole("heading", { name: "Erased", exact: true })).toBeVisible();
  await expect(page.getByText("1 message", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "← Messages" }).click();
  await expect(page.getByRole("heading", { name: "Messages" })).toBeVisible();
  const kept = await inDatabase(site, (db) =>
    Promise.all([subscriber, writer].map((email) => findMailboxRows(db, email))),
  );
  expect(kept.map(({ subscriptions, messages }) => [...subscriptions, ...messages])).toEqual([
    [],
    [],
  ]);
});

test("an import goes on with the page closed and the desk killed, and nobody is added twice", async ({
  page,
  context,
  desk,
  site,
}) => {
  const own = newAddress().split("@")[1];
  const id = crypto.randomUUID();
  const rows = Array.from({ length: 4_000 }, (_, at) => `${at}-${id}@${own},2024-01-01`);
  const buffer = Buffer.from(["email,confirmed_at", ...rows].join("\n"));
  await page.goto(`${desk.url}/subscribers/import`);
  const file = { name: "list.csv", mimeType: "text/csv", buffer };
  await page.getByLabel("Choose or drop it here").setInputFiles(file);
  await page.getByRole("button", { name: "Look at it" }).click();
  await page.getByLabel("What these people agreed to").fill("--");
  await page.getByRole("button", { name: "Import 4,000 new subscribers" }).click();
  await expect(page.getByText("It goes on if you leave this page")).toBeVisible();
  const address = page.url();
  await page.goto("about:blank");
  // Past the killed process's lease.
  await desk.restart("SIGKILL", 20_000);

  await context.addCookies([await desk.session()]);
  await page.goto(address);
  const imported = page.getByRole("heading", { name: "Imported. No mail was sent." });
  await expect(imported).toBeVisible();
  await expect(page.getByText("4,000", { exact: true })).toBeVisible();
  const counted = await inDatabase(site, (db) =>
    db
      .selectFrom("consent_events")
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .where("email", "like", `%-${id}@%`)
      .executeTakeFirstOrThrow(),
  );
  expect(Number(counted.rows)).toBe(4_000);
});

test("a list that can't be read yet is kept, read again as the owner says, and its import refused without consent", async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/subscribers/import`);
  const buffer = Buffer.from(`Contact,left\n-${newAddress()},5/1/2022\n`);
  const file = { name: "list.csv", mimeType: "text/csv", buffer };
  await page.getByLabel("Choose or drop it here").setInputFiles(file);
  await page.getByRole("button", { name: "Look at it" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose below which one it is.");
  await page.reload();
  await page.getByLabel("Contact is taken for").selectOption("address");
  await page.getByLabel("left is taken for").selectOption("unsubscribed at");
  await page.getByRole("button", { name: "Read it again" }).click();
  await expect(page.getByRole("alert")).toContainText("Say which comes first, below.");
  await page.getByLabel("Dates such as 5/1/2022 begin with").selectOption("the day");
  await page.getByRole("button", { name: "Read it again" }).click();
  await expect(page.getByRole("heading", { name: "list.csv: plain list" })).toBeVisible();
  await page.getByLabel("What these people agreed to").fill("  ");
  await page.getByRole("button", { name: "Import 1 new subscriber" }).click();
  await expect(page.getByRole("alert")).toContainText("Say what these people agreed to");
  await page.getByLabel("What these people agreed to").fill("A card at the fair.");
  await page.getByRole("button", { name: "Import 1 new subscriber" }).click();
  await expect(page.getByRole("heading", { name: "Imported. No mail was sent." })).toBeVisible();
});
