import { expect, test } from "./site-test.ts";

test("home and pricing show one sheet of the sample audit, marked as an example, and link to all four", async ({
  page,
}) => {
  for (const path of ["/", "/pricing"]) {
    await page.goto(path);
    const extract = page.getByRole("figure").filter({ hasText: "Sample audit, A-1" });
    await expect(extract.locator(".stamp")).toHaveText("Example");
    await expect(extract).toContainText("$33,480 a year");
    await page.getByRole("link", { name: "Read the whole audit" }).click();
    await expect(page).toHaveURL("/sample-audit");
  }
  const sheet = page.locator(".audit-sheet");
  await expect(sheet).toHaveCount(4);
  for (const [index, each] of (await sheet.all()).entries()) {
    await expect(each.locator(".stamp")).toHaveText("Example");
    await expect(each.getByText(`A-${index + 1} of 4`)).toBeVisible();
  }
});

test("home's thumbnails open their sheets, and its doors the trade's own tab", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Roadmap" }).click();
  await expect(page.getByRole("heading", { name: "Ninety days" })).toBeInViewport();
  await page.goBack();
  for (const trade of ["Trades", "Home Improvement"]) {
    await page.getByRole("main").getByRole("link", { name: trade, exact: true }).click();
    await expect(page.getByRole("tabpanel", { name: trade })).toBeInViewport();
    await page.goBack();
  }
});

test("on paper the sample audit is its four sheets, a page each", async ({ page, request }) => {
  await page.goto("/sample-audit");
  const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(4);
  const href = await page.getByRole("link", { name: /PDF/ }).getAttribute("href");
  const kept = await request.get(href ?? "");
  expect(kept.headers()["content-type"]).toBe("application/pdf");
});
