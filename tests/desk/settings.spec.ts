import { saveOwnersSettings } from "#settings/owner-settings.ts";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { waitForScripts } from "../site-test.ts";
import { expect, test } from "./desk-test.ts";

test.use({ siteSettings: { SITE_PHONE: "" } });

test("the owner sets telephone, colour, logo and booking at the desk, and the running site has them", async ({
  page,
  site,
  desk,
}) => {
  const contact = async () => await (await fetch(`${site.url}/contact`)).text();
  expect(await contact()).not.toContain("tel:");
  await page.goto(`${desk.url}/settings`);
  await page.getByLabel("Telephone").fill("0");
  page.once("dialog", (dialog) => {
    expect(dialog.message()).toBe("What you wrote isn’t saved. Leave it?");
    void dialog.dismiss();
  });
  await page.getByRole("link", { name: "Today" }).click();
  await expect(page.getByLabel("Telephone")).toHaveValue("0");
  await page.getByRole("button", { name: "Save “The firm”" }).click();
  await expect(page.getByRole("alert")).toContainText("“Telephone” must be a telephone number");
  await expect(page.getByLabel("Telephone")).toHaveValue("0");
  const booking = page.getByLabel("Booking link", { exact: true });
  await booking.fill("https://calendly.com/typed");
  await page.getByLabel("Telephone").fill("+1 647 555 0177");
  await page.getByLabel("Name", { exact: true }).fill("Planks & Sons");
  await page.getByRole("button", { name: "Save “The firm”" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("Planks & Sons");
  // What is typed in another group stays.
  await expect(booking).toHaveValue("https://calendly.com/typed");
  await expect.poll(contact).toContain("+1 647 555 0177");
  await expect.poll(contact).toContain("Planks &amp; Sons");
  // What the environment fixes is shown as fixed, and a secret not at all.
  await expect(page.getByLabel("Street and number")).toBeDisabled();
  await expect(page.getByLabel("Mail server")).toHaveValue("set; not shown");
  expect(await page.content()).not.toContain(site.mailServer.url);

  await page.getByLabel("Colour").fill("#ffd24d");
  await page.getByRole("button", { name: "Save “Look”" }).click();
  await expect(page.getByRole("alert")).toContainText("dark enough to read");
  await page.getByLabel("Colour").fill("#0b6e4f");
  await page.getByLabel("Logo").setInputFiles({
    name: "logo.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
    ),
  });
  await page.getByRole("button", { name: "Save “Look”" }).click();
  await expect(page.getByRole("img", { name: "The logo now" })).toHaveJSProperty("complete", true);
  const logo = async () => (await fetch(`${site.url}/logo.svg`)).status;
  await expect.poll(logo).toBe(200);
  await expect.poll(contact).toContain("--color-chalk:#0b6e4f");

  expect(await accessibilityFaults(page)).toEqual([]);
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(wide).toBe(width);
  }

  // Two windows.
  const other = waitForScripts(await page.context().newPage());
  await other.goto(page.url());
  await other.getByLabel("Booking link", { exact: true }).fill("https://calendly.com/planks/30min");
  await other.getByRole("button", { name: "Save “Booking”" }).click();
  await expect(other.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  await page.getByLabel("Telephone").fill("+1 647 555 0100");
  await page.getByRole("button", { name: "Save “The firm”" }).click();
  await expect(page.getByRole("alert")).toContainText("Another window has changed the settings");
  await expect.poll(contact).toContain("https://calendly.com/planks/30min");
  expect(await contact()).toContain("https://assets.calendly.com");

  await other.getByLabel("Without it").check();
  await other.getByRole("button", { name: "Save “Look”" }).click();
  await expect.poll(logo).toBe(404);
  await other.close();
  // A new start has them too.
  await desk.restart();
  await page.context().addCookies([await desk.session()]);
  await page.goto(`${desk.url}/settings`);
  await expect(page.getByLabel("Telephone")).toHaveValue("+1 647 555 0177");
  await inDatabase(site, (db) => db.deleteFrom("settings").execute());
});

test.describe("without a mail server", () => {
  test.use({ siteSettings: { SMTP_URL: "", SITE_NAME: "" } });

  test("Today says that no mail leaves, and what to do", async ({ page, desk }) => {
    await page.goto(`${desk.url}/`);
    const main = page.getByRole("main");
    await expect(main).toContainText("Name your mail server at the desk, under Settings, Mail");
    await expect(main).not.toContainText("All is well");
  });

  test("a mail server that is set while the site runs takes the next letter", async ({ site }) => {
    const set = (changes: Record<string, string>, basedOn = "") =>
      inDatabase(site, (db) => saveOwnersSettings(db, {}, { changes, basedOn, now: new Date() }));
    await set({
      SMTP_URL: site.mailServer.url,
      SITE_NAME: "Planks",
      CONTACT_TO: "desk@planks.example",
    });
    const nameOnSite = async () => await (await fetch(`${site.url}/about`)).text();
    await expect.poll(nameOnSite).toContain("Planks");
    await callFunction(site.url, "send-contact-email", contactMessage);
    const letter = () => site.mails().find(({ to }) => to?.[0]?.address === "desk@planks.example");
    await expect.poll(letter).toMatchObject({ from: { name: "Planks" } });
  });
});
