import { proveConsent } from "#newsletter/subscribers/person.ts";
import { pages } from "#pages.ts";
import { saveSiteWord } from "#settings/site-words.ts";
import { inDatabase } from "./issue-table.ts";
import { newAddress } from "./new-address.ts";
import { expect, test } from "./site-test.ts";

// A server of its own, since its words are changed. What the owner does at the desk is in tests/desk/words.spec.ts.
test.use({ siteSettings: { SITE_NAME: "Plumb & Co" } });

test("the newsletter's new name is on pages, mails and feeds", async ({
  site,
  page,
  request,
  context,
}) => {
  const openBefore = await context.newPage();
  await openBefore.goto("/newsletter");
  const renamed = { name: "newsletter", value: { name: "The Plumb Line" }, basedOn: null };
  expect(await inDatabase(site, (db) => saveSiteWord(db, renamed))).toEqual({ ok: true });
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
});
