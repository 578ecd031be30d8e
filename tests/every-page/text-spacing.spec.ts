import { expect, test } from "../site-test.ts";
import { missingPageComplaint, sitePages } from "./routes.ts";

/** As people set it who read with difficulty (WCAG 1.4.12). */
const textSpacing =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";

test("with wide text spacing no page is wider than the smallest phone", async ({
  page,
  expectConsole,
}) => {
  test.slow();
  expectConsole(missingPageComplaint);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const { path } of sitePages) {
    // Its table may be wider than a phone (WCAG 1.4.10, exception for tables).
    if (path === "/privacy") continue;
    await page.goto(path);
    const width = await page.evaluate((rules) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      document.adoptedStyleSheets.push(sheet);
      return document.scrollingElement?.scrollWidth;
    }, textSpacing);
    expect.soft(width, path).toBe(320);
  }
});
