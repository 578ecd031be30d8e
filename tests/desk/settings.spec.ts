import { saveOwnersSettings } from "#settings/owner-settings.ts";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { choosePhoto, smallestPicture } from "../phone-photo.ts";
import { waitForScripts } from "../site-test.ts";
import { expect, test } from "./desk-test.ts";

test.use({ siteSettings: { SITE_PHONE: "", SMTP_URL: "" } });

test("the owner sets telephone, colour, logo and booking at the desk, and the running site has them", async ({
  page,
  site,
  desk,
}) => {
  const contact = async () => await (await fetch(`${site.url}/contact`)).text();
  const save = page.getByRole("button", { name: "Save", exact: true });
  const saved = page.getByRole("status").filter({ hasText: "Saved." });
  const sections = page.getByRole("navigation", { name: "Sections" });
  await page.goto(`${desk.url}/settings`);
  await expect(page.getByText("No changes")).toBeVisible();
  await page.getByLabel("Telephone").fill("0");
  await page.getByRole("link", { name: "Today" }).click();
  await expect(page.getByRole("dialog")).toContainText("What you wrote isn’t saved. Leave it?");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel(/^Name/).fill("\u200bPlanks & Sons\u00a0");
  await save.click();
  await expect(page.getByRole("alert")).toContainText("“Telephone” must be a telephone number.");
  const telephone = page.getByLabel(/^Telephone/);
  await expect(telephone).toHaveValue("0");
  await expect(page.locator("label", { has: telephone })).toContainText("It must be a telephone");
  expect(await page.locator("main").textContent()).not.toMatch(/SITE_|SMTP_/);

  await telephone.fill("+1 647 555 0177");
  await save.click();
  await expect(page.getByRole("banner")).toContainText("Planks & Sons");
  await expect(page.getByText("Street and number 1 Test Street")).toBeVisible();
  await expect(page.getByLabel("Street and number")).toHaveCount(0);
  await sections.getByRole("link", { name: "Booking" }).click();
  await page.locator("input[name=SCHEDULING_URL]").fill("https://calendly.com/planks/30min");
  await save.click();
  await expect(saved).toBeVisible();
  await sections.getByRole("link", { name: "Look" }).click();
  await page.getByLabel("Colour").fill("#ffd24d");
  await save.click();
  await expect(page.locator("label", { hasText: /^Colour/ })).toContainText("dark enough to read");
  await page.getByLabel("Colour").fill("#0b6e4f");
  await choosePhoto(page.getByLabel("Logo"), { width: 1200, height: 900 });
  await expect(page.getByRole("img", { name: "The new logo" })).toBeVisible();
  await save.click();
  const shown = page.getByRole("img", { name: "The logo now" });
  await expect(shown).toHaveJSProperty("naturalWidth", 224);
  await expect.poll(contact).toContain("--color-chalk:#0b6e4f");
  expect(await contact()).toContain("+1 647 555 0177");
  expect(await contact()).toContain("Planks &amp; Sons");
  expect(await contact()).toContain("https://assets.calendly.com");
  const logo = async () => (await fetch(`${site.url}/logo.png`)).status;
  await expect.poll(logo).toBe(200);
  expect(await accessibilityFaults(page)).toEqual([]);
  // Two windows: what is typed in the second stays.
  const other = waitForScripts(await page.context().newPage());
  await other.goto(page.url());
  await other.getByLabel("Without it").check();
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expect(other.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  await other.close();
  await expect.poll(logo).toBe(404);
  // As a browser does that hides its fingerprint.
  await page.evaluate(() => {
    CanvasRenderingContext2D.prototype.getImageData = () => new ImageData(1, 1);
  });
  const file = { name: "logo.png", mimeType: "image/png", buffer: smallestPicture };
  await page.getByLabel("Another logo").setInputFiles(file);
  const kept = `data:image/png;base64,${smallestPicture.toString("base64")}`;
  await expect(page.getByRole("img", { name: "The new logo" })).toHaveAttribute("src", kept);
  await save.click();
  await expect(page.getByRole("alert")).toContainText("Another window has changed the settings");
  await expect(page.getByRole("img", { name: "The new logo" })).toBeVisible();
  // A new start has them too.
  await page.goto("about:blank");
  await desk.restart();
  await page.context().addCookies([await desk.session()]);
  await page.goto(`${desk.url}/settings`);
  await expect(telephone).toHaveValue("+1 647 555 0177");
  await inDatabase(site, (db) => db.deleteFrom("settings").execute());
});

test("a mail server is understood or refused at its field, tried before it is saved, and keeps its password", async ({
  page,
  site,
  desk,
}) => {
  await page.goto(`${desk.url}/`);
  await expect(page.getByRole("main")).not.toContainText("All is well");
  await page.goto(`${desk.url}/settings?show=mail`);
  const field = (name: string) => page.locator(`input[name="SMTP_URL.${name}"]`);
  const save = page.getByRole("button", { name: "Save", exact: true });
  for (const [host, problem] of [
    ["me@gmail.com", "is an email address"],
    ["https://mail.google.com", "must be the mail server's name alone"],
  ] as const) {
    await field("host").fill(host);
    await save.click();
    await expect(page.getByRole("alert")).toContainText(`“Server” ${problem}`);
    await expect(page.locator("label", { has: field("host") })).toContainText(problem);
  }
  await expect(field("host")).toHaveValue("https://mail.google.com");
  const { hostname, port } = new URL(site.mailServer.url);
  await field("host").fill("smtp://127.0.0.1:1/");
  await save.click();
  await expect(page.getByRole("alert")).toContainText("127.0.0.1 doesn't answer at port 1");
  await expect(page.getByRole("button", { name: "Save it all the same" })).toBeVisible();
  site.mailServer.mode = "locked";
  await field("host").fill(` smtp://${hostname}\u200b`);
  await field("port").fill(port);
  await field("user").fill("me");
  await field("password").fill("hunter2\u00a0");
  await save.click();
  await expect(page.getByRole("alert")).toContainText("doesn't take this user and password");
  await expect(page.getByRole("alert")).toContainText("Nothing was saved.");
  site.mailServer.mode = "accept";
  await save.click();
  await expect(page.getByRole("status").filter({ hasText: "Saved and tried." })).toBeVisible();
  await expect(field("host")).toHaveValue(hostname);
  await expect(field("user")).toHaveValue("me");
  await expect(field("password")).toHaveValue("");
  const stored = async () =>
    await inDatabase(site, (db) =>
      db.selectFrom("settings").select("value").where("name", "=", "SMTP_URL").executeTakeFirst(),
    );
  expect((await stored())?.value).toBe(`smtp://me:hunter2@${hostname}:${port}`);
  // The password alone is a change; another user needs one.
  await field("password").fill("hunter3");
  await save.click();
  await expect.poll(async () => (await stored())?.value).toContain("hunter3");
  await expect(field("password")).toHaveValue("");
  await field("user").fill("you");
  await save.click();
  await expect(page.getByRole("alert")).toContainText("“Password” is needed");
  expect(await page.content()).not.toContain("hunter");
  await inDatabase(site, (db) => db.deleteFrom("settings").execute());
});

test("a mail server that is set while the site runs takes the next letter, and a logo's scripts don't run", async ({
  site,
}) => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload ="alert(1)"><x:script/></svg>`;
  const changes = {
    SITE_LOGO: `data:image/svg+xml;base64,${Buffer.from(drawing).toString("base64")}`,
    SMTP_URL: site.mailServer.url,
    SITE_NAME: "Planks",
    CONTACT_TO: "desk@planks.example",
  };
  await inDatabase(site, (db) =>
    saveOwnersSettings(db, {}, { changes, basedOn: "", now: new Date() }),
  );
  const nameOnSite = async () => await (await fetch(`${site.url}/about`)).text();
  await expect.poll(nameOnSite).toContain("Planks");
  const logo = await fetch(`${site.url}/logo.svg`);
  expect(await logo.text()).toBe(drawing);
  expect(logo.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
  await callFunction(site.url, "send-contact-email", contactMessage);
  const letter = () => site.mails().find(({ to }) => to?.[0]?.address === "desk@planks.example");
  await expect.poll(letter).toMatchObject({ from: { name: "Planks" } });
  await inDatabase(site, (db) => db.deleteFrom("settings").execute());
});
