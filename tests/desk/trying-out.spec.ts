import { inDatabase } from "../issue-table.ts";
import { newAddress } from "../new-address.ts";
import { signUp } from "../visitors.ts";
import { expect, test } from "./desk-test.ts";

// As `npm start` has it on somebody's own computer: nothing is set.
test.use({ siteSettings: { SMTP_URL: "", SITE_STREET: "", SITE_POSTAL_CODE: "", SITE_URL: "" } });

test("before anything is set, the desk says so where mail would go out, and sends none", async ({
  page,
  site,
  desk,
}) => {
  const { id } = await site.publish({ title: "Wet plaster", html: "<p>Words.</p>" });
  await inDatabase(site, (db) => signUp(db, newAddress()));
  await page.goto(desk.url);
  const main = page.getByRole("main");
  await expect(main).toContainText("since no mail server is set. Each mail is only kept as a file");
  await expect(main).not.toContainText(site.dataDir);

  await page.goto(`${desk.url}/issues/${id}`);
  await expect(main).toContainText("“Mail server” is not set, under Settings");
  await expect(page.getByRole("button", { name: /^Send to/ })).toHaveCount(0);
  await page.getByLabel("Send yourself a test first").fill("owner@firm.example");
  await page.getByRole("button", { name: "Send the test" }).click();
  await expect(page.getByRole("alert")).toContainText("No mail was sent");

  await page.goto(`${desk.url}/issues`);
  for (const title of ["First", "Second"]) {
    await page.getByRole("button", { name: "Write an issue" }).click();
    await page.getByLabel("Title").fill(title);
    await expect(page.getByRole("status").first()).toHaveText(/^Saved /);
    await page.getByRole("link", { name: "← Issues" }).click();
  }
  await page.goto(desk.url);
  await expect(main).toContainText("Second, First");
});
