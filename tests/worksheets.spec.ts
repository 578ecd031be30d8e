import { expect, test } from "./site-test.ts";

const message =
  "I worked out what missed leads cost us: $1,820 a week. I would like to talk about that.";

test("a worksheet takes the reader's numbers, and brings the sum along", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url() + (request.postData() ?? "")));
  await page.goto("/use-cases/leads");
  const calls = page.getByRole("textbox", { name: "Missed calls: calls a week" });
  const sheet = page.locator(".worksheet");
  const sum = sheet.getByRole("status");
  await expect(sum).toHaveText("$1,100");
  // A word is an error, and the sum is empty until it is a number.
  await calls.fill("many");
  await expect(calls).toHaveAttribute("aria-invalid", "true");
  await expect(calls).toHaveAccessibleDescription("Write a number.");
  await expect(sheet.getByText("Write a number.")).toBeVisible();
  await expect(sum).toHaveText("–");
  const without = page.getByRole("link", { name: "Talk this number over" });
  await expect(without).toHaveAttribute("href", "/contact");

  await calls.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("14");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("$650");
  await expect(sum).toHaveText("$2,120");
  await expect(sheet.locator("s")).toHaveText(["10 a week × 1 in 5 hired × $400"]);
  await page.getByRole("textbox", { name: "Calling back at night: dollars an hour" }).fill("0");
  await expect(sum).toHaveText("$1,820");
  expect(sent.filter((request) => /\b650\b|2120/.test(request))).toEqual([]);
  await sheet.getByRole("link", { name: "Talk this number over" }).click();
  await expect(page).toHaveURL("/contact?sheet=leads&sum=1820");
  await expect(page.getByLabel("Message")).toHaveValue(message);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a worksheet is a form that its page answers, kept by no cache", async ({
    page,
    request,
  }) => {
    const output = page.locator(".worksheet output");
    await page.goto("/use-cases/leads");
    await page.getByRole("textbox", { name: "Missed calls: calls a week" }).fill("14");
    await page.getByRole("textbox", { name: "Missed calls: dollars a job" }).fill("$650");
    await page.getByRole("button", { name: "Add it up" }).click();
    await expect(page).toHaveURL(/\/use-cases\/leads\?n=14&.*add=1#worksheet$/);
    await expect(output).toHaveText("$2,120");
    await expect(page.locator("s")).toHaveText(["10 a week × 1 in 5 hired × $400"]);
    await page.getByRole("textbox", { name: "Missed calls: calls a week" }).fill("many");
    await page.getByRole("button", { name: "Add it up" }).click();
    await expect(output).toHaveText("–");
    await expect(page.getByText("Write a number.")).toBeVisible();
    // What nobody pressed is the page that everybody gets.
    const plain = await (await request.get("/use-cases/leads")).text();
    expect(await (await request.get("/use-cases/leads?n=1&n=2")).text()).toBe(plain);
    expect((await request.get(page.url())).headers().etag).toBeUndefined();
  });
});
