import { expect, test } from "../site-test.ts";
import { missingPageComplaint, sitePages } from "./routes.ts";

test("no field is so small that a phone zooms in on it", async ({ page, expectConsole }) => {
  test.slow();
  expectConsole(missingPageComplaint);
  await page.setViewportSize({ width: 390, height: 800 });
  let fields = 0;
  for (const { path } of sitePages) {
    await page.goto(path);
    const sizesPx = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          "input:not([type=hidden], [type=radio], [type=checkbox]), select, textarea",
        ),
      ].map((field) => Number.parseFloat(getComputedStyle(field).fontSize)),
    );
    fields += sizesPx.length;
    expect.soft(Math.min(...sizesPx), path).toBeGreaterThanOrEqual(16);
  }
  expect(fields).toBeGreaterThan(50);
});
