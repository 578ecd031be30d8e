import { expect, test } from "./site-test.ts";

const message =
  "I worked out what missed leads cost us: $1,820 a week. I would like to talk about that.";

test("a worksheet takes the reader's numbers by keyboard, keeps the example struck out, and brings the sum along", async ({
  page,
}) => {
  await page.goto("/use-cases/leads");
  const calls = page.getByRole("textbox", { name: "Missed calls: calls a week" });
  const sheet = page.locator(".worksheet");
  await expect(sheet.getByRole("status")).toHaveText("$1,100");
  await calls.focus();
  await page.keyboard.type("14");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("$650");
  await expect(sheet.getByRole("status")).toHaveText("$2,120");
  await expect(sheet.locator("s")).toHaveText(["10 a week × 1 in 5 hired × $400"]);
  await page.getByRole("textbox", { name: "Calling back at night: dollars an hour" }).fill("0");
  await expect(sheet.getByRole("status")).toHaveText("$1,820");
  await sheet.getByRole("link", { name: "Send us this $1,820" }).click();
  await expect(page).toHaveURL("/contact?sheet=leads&sum=1820");
  await expect(page.getByLabel("Message")).toHaveValue(message);
});

test("a decimal comma is one, as phones set to French have it", async ({ page }) => {
  await page.goto("/use-cases/leads");
  const sum = page.locator(".worksheet").getByRole("status");
  const calls = page.getByRole("textbox", { name: "Missed calls: calls a week" });
  const sums = { "12,50": "$1,300", "1 250,5": "$100,340", "1,250": "$100,300" };
  for (const [text, dollars] of Object.entries(sums)) {
    await calls.fill(text);
    await expect(sum, text).toHaveText(dollars);
  }
});

test("a field that holds no number says so, and there is no sum until it does", async ({
  page,
}) => {
  await page.goto("/use-cases/leads");
  const calls = page.getByRole("textbox", { name: "Missed calls: calls a week" });
  await calls.fill("many");
  await expect(calls).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator(".worksheet").getByText("Write a number.")).toBeVisible();
  await expect(calls).toHaveAccessibleDescription("Write a number.");
  await expect(page.locator(".worksheet").getByRole("status")).toHaveText("–");
  await expect(page.getByRole("link", { name: "Send us this" })).toHaveAttribute(
    "href",
    "/contact",
  );
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a worksheet is the printed example with lines to write on, and its sum travels all the same", async ({
    page,
  }) => {
    await page.goto("/use-cases/leads");
    await expect(page.locator(".worksheet")).toContainText("10 a week × 1 in 5 hired × $400");
    await expect(page.locator(".worksheet input")).toHaveCount(0);
    const line = page.locator(".worksheet-example").first();
    await expect(line).toHaveCSS("border-bottom-style", "dotted");
    await page.getByRole("link", { name: "Send us this $1,100" }).click();
    await expect(page.getByLabel("Message")).toHaveValue(/missed leads cost us: \$1,100 a week/);
  });
});
