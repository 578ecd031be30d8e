import type { Kysely } from "kysely";
import { hours } from "#content/hours.ts";
import { home } from "#content/pages/home.ts";
import { pricing } from "#content/pages/pricing.ts";
import { team } from "#content/team.ts";
import type { Database } from "#db/tables.ts";
import { proveConsent } from "#newsletter/privacy.ts";
import { listSiteWords, saveSiteWord, takeBackSiteWord } from "#operator/site-words.ts";
import { pages } from "#pages.ts";
import { inDatabase } from "./issue-table.ts";
import { newAddress } from "./new-address.ts";
import type { SiteServer } from "./site-server.ts";
import { expect, openUntilSeen, test } from "./site-test.ts";

// A server of its own, since its words are changed.
test.use({ siteSettings: { SITE_NAME: "Plumb & Co" } });
test.describe.configure({ mode: "serial" });

async function save(site: SiteServer, name: string, value: unknown) {
  const saved = await inDatabase(site, async (db) =>
    saveSiteWord(db, { name, value, basedOn: await changedAt(db, name) }),
  );
  expect(saved).toEqual({ ok: true });
}

async function takeBack(site: SiteServer, ...names: string[]) {
  await inDatabase(site, async (db) => {
    for (const name of names) {
      await takeBackSiteWord(db, { name, basedOn: await changedAt(db, name) });
    }
  });
}

async function changedAt(db: Kysely<Database>, name: string) {
  return (await listSiteWords(db)).find((fact) => fact.name === name)?.changedAt ?? null;
}

const longWeek = {
  days: ["Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
  opens: "07:30",
  closes: "17:00",
};

test("new hours are on every page, until they are taken back", async ({ site, page, request }) => {
  const contact = async () => (await request.get("/contact")).text();
  await save(site, "hours", longWeek);
  await expect.poll(contact).toContain("Tuesday to Saturday 7:30 AM to 5 PM EST");
  expect(await contact()).not.toContain("9 AM");
  await expect
    .poll(async () => (await request.get("/")).text())
    .toMatch(/"dayOfWeek":\["Tuesday",[^\]]*"Saturday"\],"opens":"07:30","closes":"17:00"/);
  await expect
    .poll(async () => (await request.get("/llms.txt")).text())
    .toContain("Hours: Tuesday to Saturday 7:30 AM");

  // Monday noon in Toronto, which is no working day any more. A mismatch would be an error in the console.
  await page.clock.setFixedTime(new Date("2026-11-30T17:00:00Z"));
  await page.goto("/contact");
  await expect(page.locator(".contact-card .open-now")).toHaveText("Opens Tuesday 7:30 AM");
  await expect(
    page.locator(".contact-card").getByText("Tuesday to Saturday 7:30 AM to 5 PM EST"),
  ).toBeVisible();

  await takeBack(site, "hours");
  await expect.poll(contact).toContain("Monday to Friday 9 AM to 6 PM EST");
});

test("a price and an answer change, for search engines too", async ({ site, page, request }) => {
  const [call, audit, partnership] = pricing.prices.cards;
  const rows = [call, audit, { ...partnership, price: "From $4,500" }];
  await save(site, "prices", rows);
  const [first, ...others] = home.questions.items;
  await save(site, "home-questions", [{ ...first, answer: "No. Keep it, “as is”." }, ...others]);
  await expect.poll(async () => (await request.get("/")).text()).toContain("No. Keep it");
  const card = page.locator(".price-cards > div").nth(2);
  await openUntilSeen(page, "/pricing", card.locator(".price", { hasText: "From $4,500" }));
  await expect(card.getByRole("heading")).toHaveText(partnership.title);

  // In the browser, by the router: the page's own script has the usual words.
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await expect(page.getByText("No. Keep it, “as is”.")).toBeVisible();
  const faq = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(faq.join()).toContain("No. Keep it, “as is”.");
  await takeBack(site, "prices", "home-questions");
  await expect
    .poll(async () => (await request.get("/pricing")).text())
    .not.toContain("From $4,500");
});

test("the newsletter's new name is on pages, mails and feeds", async ({
  site,
  page,
  request,
  context,
}) => {
  const openBefore = await context.newPage();
  await openBefore.goto("/newsletter");
  await save(site, "newsletter", { name: "The Plumb Line" });
  await expect
    .poll(async () => (await request.get("/newsletter")).text())
    .toContain("The Plumb Line");
  await page.goto("/newsletter");
  await expect(page).toHaveTitle(/^The Plumb Line: /);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The Plumb Line");
  await expect(page.getByRole("heading", { name: "Join The Plumb Line" })).toBeVisible();
  await expect(page.getByText("Join The Matrix")).toHaveCount(0);
  await expect
    .poll(async () => (await request.get("/feed.xml")).text())
    .toContain("<title>The Plumb Line</title>");

  const email = newAddress();
  const form = page.locator(".join-band form");
  await form.getByLabel("Email address").fill(email);
  await form.getByRole("button").click();
  const mail = await site.mailTo(email);
  expect(mail.subject).toBe("Confirm your subscription to The Plumb Line");
  expect(mail.text).toContain("You asked for The Plumb Line, Plumb & Co's weekly newsletter");
  const wordings = await inDatabase(site, (db) =>
    db.selectFrom("consent_wordings").select("wording").execute(),
  );
  expect(wordings.map(({ wording }) => wording).join()).toContain("may email you The Plumb Line,");

  const other = newAddress();
  const oldForm = openBefore.locator(".join-band form");
  await expect(oldForm).toContainText("may email you The Matrix,");
  await oldForm.getByLabel("Email address").fill(other);
  await oldForm.getByRole("button").click();
  await site.mailTo(other);
  const agreed = await inDatabase(site, (db) => proveConsent(db, other));
  expect(agreed?.entries[0]?.wording).toContain("may email you The Matrix,");
  await openBefore.close();

  const plain = pages.map(({ path }) => path).filter((path) => !path.includes(":"));
  for (const path of [...plain, "/newsletter/1", "/search?q=newsletter", "/nowhere"]) {
    // A page that takes its time to be made anew is shown as it was.
    await expect
      .poll(async () => await (await request.get(path)).text(), { message: path })
      .not.toMatch(/The Matrix|\{newsletter\}/);
  }

  await takeBack(site, "newsletter");
  await expect
    .poll(async () => (await request.get("/newsletter")).text())
    .not.toMatch(/Plumb Line|\{newsletter\}/);
});

test("somebody who leaves the team takes their signature along", async ({ site, request }) => {
  const about = async () => await (await request.get("/about")).text();
  const [, second, third] = team.map(({ id, role, does }) => ({ id, role, does, name: "" }));
  await save(site, "team", [{ ...second, name: "Kim Example" }, third]);
  await expect.poll(about).toContain("Kim Example");
  expect((await about()).replaceAll(/<[^>]*>/g, " ")).toMatch(/Checked by\s+Kim Example/);
  expect(await about()).not.toContain("Drawn by");
  await takeBack(site, "team");
});

test("a stored change that can't be read is named, and stops neither the others nor a start", async ({
  site,
  request,
}) => {
  const contact = async () => await (await request.get("/contact")).text();
  const row = { name: "prices", value: '[{"price": "$0",', changed_at: new Date().toISOString() };
  await inDatabase(site, (db) => db.insertInto("site_words").values(row).execute());
  await save(site, "hours", { ...hours, opens: "11:00" });
  await expect.poll(contact).toContain("Monday to Friday 11 AM to 6 PM");
  await expect.poll(() => site.output()).toContain("The row “prices” of site_words is left out");
  await site.restart();
  expect(await contact()).toContain("Monday to Friday 11 AM to 6 PM");
  expect(await site.command("doctor").catch(String)).toContain("The row “prices”");
  await takeBack(site, "hours", "prices");
});

test("what was changed is there after a restart", async ({ site, request }) => {
  await save(site, "hours", { ...hours, opens: "10:00" });
  await site.restart();
  expect(await (await request.get("/contact")).text()).toContain("Monday to Friday 10 AM to 6 PM");
  await takeBack(site, "hours");
});
