import { inDatabase } from "../issue-table.ts";
import { addSubscribers } from "../sends/subscribers.ts";
import { expect, test, untilSaved } from "./desk-test.ts";

// As `npm start` has it on somebody's own computer: nothing is set.
test.use({ siteSettings: { SMTP_URL: "", SITE_STREET: "", SITE_POSTAL_CODE: "", SITE_URL: "" } });

test("before anything is set, the desk says so where mail would go out, and sends none", async ({
  page,
  site,
  desk,
}) => {
  const { id } = await site.publish({ title: "Wet plaster", html: "<p>Words.</p>" });
  await inDatabase(site, (db) => addSubscribers(db, 1));
  await page.goto(desk.url);
  const main = page.getByRole("main");
  await expect(main).toContainText("since no mail server is set. Each is only kept as a file");
  await expect(main).toContainText("Name your mail server at the desk, under Settings, Mail");
  await expect(main).not.toContainText(site.dataDir);
  const steps = main.getByRole("list").first().getByRole("listitem");
  const undone = [/^Your firm/, /^Your mail/, /^Your colour/];
  await expect(steps).toHaveText([...undone, "Bring your listDone", /^Your first issue/]);

  await page.goto(`${desk.url}/issues/${id}`);
  await expect(main).toContainText("No mail server is set, under Settings");
  await expect(page.getByRole("button", { name: /^Send to/ })).toBeDisabled();
  await page.getByLabel("Send yourself a test first").fill("owner@firm.example");
  await page.getByRole("button", { name: "Send the test" }).click();
  await expect(page.getByRole("alert")).toContainText("No mail was sent");

  await page.goto(`${desk.url}/issues`);
  for (const title of ["First", "Second"]) {
    await page.getByRole("button", { name: "Write an issue" }).click();
    await page.getByLabel("Title").fill(title);
    await untilSaved(page);
    await page.locator("a.back").click();
  }
  await page.goto(desk.url);
  await expect(main).toContainText("SecondDraftFirstDraft");
  await expect(steps.nth(4)).toHaveText("Your first issueDone");
});
