import { expect, test } from "./site-test.ts";

test("pricing shows one sheet of the sample audit, marked as an example, and links to all four", async ({
  page,
}) => {
  await page.goto("/pricing");
  const sheet = page.locator(".audit-sheet");
  await expect(sheet).toHaveCount(1);
  await expect(sheet.locator(".stamp")).toHaveText("Example");
  await expect(sheet).toContainText("$33,480 saved");
  await page.getByRole("link", { name: "Read all four sheets" }).click();
  await expect(page).toHaveURL("/sample-audit");
  await expect(sheet).toHaveCount(4);
  for (const [index, each] of (await sheet.all()).entries()) {
    await expect(each.locator(".stamp")).toHaveText("Example");
    await expect(each.getByText(`A-${index + 1} of 4`)).toBeVisible();
    await expect(each.getByRole("img")).toBeVisible();
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
