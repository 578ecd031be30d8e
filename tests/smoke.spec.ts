import { expect, test } from "./site-test.ts";

test("the home page answers, and its scripts run under the security policy", async ({ page }) => {
  const response = await page.goto("/");
  expect(response?.status()).toBe(200);
  await expect(page).toHaveTitle(/Toronto/);
  // Following a link without a new document shows that the page's scripts came alive.
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole("navigation").first().getByRole("link", { name: "Pricing" }).click();
  await expect(page).toHaveURL(/\/pricing$/);
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("an unknown address answers 404 and logs it in the console", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/404/);
  const response = await page.goto("/no-such-page");
  expect(response?.status()).toBe(404);
  await expect(page.getByText("Oops! Page not found")).toBeVisible();
});

test("a published issue shows on the archive beside the running server", async ({ page, site }) => {
  await site.publish({ title: "Quotes before lunch", html: "<p>Send it today.</p>" });
  await page.goto("/newsletter");
  await expect(page.getByText("Quotes before lunch").first()).toBeVisible();
  await expect(page.getByText("Send it today.")).toBeVisible();
});

test("the server keeps its address and data over a restart", async ({ page, site }) => {
  const { id } = await site.publish({ title: "Kept over a restart", html: "<p>Still here.</p>" });
  expect(await site.stop()).toBe(0);
  await site.start();
  await page.goto(`/newsletter/${id}`);
  await expect(page.getByText("Still here.")).toBeVisible();
});
