import { expect, test } from "./desk-test.ts";

test("the owner changes the hours, sees them before and on the site, and takes them back", async ({
  page,
  site,
}) => {
  const contact = async () => await (await fetch(`${site.url}/contact`)).text();
  await page.getByRole("link", { name: "The site's words" }).click();
  await page.getByRole("link", { name: /Opening hours/ }).click();
  await page.getByLabel("Friday").uncheck();
  await page.getByLabel("Closes").fill("16:30");

  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("status")).toContainText("Nothing is saved yet.");
  const preview = page.frameLocator("iframe");
  await expect(preview.getByText("Monday to Thursday 9 AM to 4:30 PM EST").first()).toBeVisible();
  expect(await contact()).toContain("Monday to Friday 9 AM to 6 PM EST");

  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status")).toContainText("Saved.");
  await expect(page.getByLabel("Friday")).not.toBeChecked();
  await expect.poll(contact).toContain("Monday to Thursday 9 AM to 4:30 PM EST");

  await page.getByRole("button", { name: "Take the change back" }).click();
  await expect(page.getByRole("status")).toContainText("The usual words are back");
  await expect(page.getByLabel("Friday")).toBeChecked();
  await expect.poll(contact).toContain("Monday to Friday 9 AM to 6 PM EST");
});

test("what the specification fixes is refused, and what was typed stays", async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/words/prices`);
  const call = page.getByRole("group", { name: "Offer 1" });
  await call.getByLabel("Price").fill("$99");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("The consultation's price stays $0");
  await expect(call.getByLabel("Price")).toHaveValue("$99");
});

test("somebody joins the team, and an empty row is nobody", async ({ page, desk, site }) => {
  await page.goto(`${desk.url}/words/team`);
  const fourth = page.getByRole("group", { name: "Person 4" });
  await fourth.getByLabel("Name").fill("Test Person");
  await fourth.getByLabel("Role").fill("Estimator");
  await fourth.getByLabel("What they do").fill("Reads the drawings.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("group", { name: "Person 5" })).toBeVisible();
  const about = async () => await (await fetch(`${site.url}/about`)).text();
  await expect.poll(about).toContain("Reads the drawings.");
  await page.getByRole("button", { name: "Take the change back" }).click();
  await expect.poll(about).not.toContain("Reads the drawings.");
});

test("two windows change the same words, and the second is asked which of them stay", async ({
  page,
  context,
  desk,
  expectConsole,
}) => {
  // The refusal's status.
  expectConsole(/409/);
  await page.goto(`${desk.url}/words/newsletter`);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel("Name").fill("The Plumb Line");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(other.getByRole("status")).toContainText("Saved.");
  await other.close();

  await page.getByLabel("Name").fill("The Level");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("Another window has changed these words.");
  const others = page.getByRole("group", { name: "The other window's words" });
  await expect(others.getByLabel("Name")).toHaveValue("The Plumb Line");
  await expect(page.getByLabel("Name").last()).toHaveValue("The Level");
  await page.reload();
  await expect(page.getByLabel("Name")).toHaveValue("The Plumb Line");

  // Saved again with both in sight, it replaces the other.
  const third = await context.newPage();
  await third.goto(page.url());
  await third.getByLabel("Name").fill("The Square");
  await third.getByRole("button", { name: "Save" }).click();
  await expect(third.getByRole("status")).toContainText("Saved.");
  await third.close();
  await page.getByLabel("Name").fill("The Level");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status")).toContainText("Saved.");
  await page.getByRole("button", { name: "Take the change back" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("The Matrix");
});
