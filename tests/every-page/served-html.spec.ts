import { HtmlValidate } from "html-validate";
import { expect, test } from "../site-test.ts";
import { sitePages } from "./routes.ts";

test.describe.configure({ mode: "parallel" });

const validator = new HtmlValidate({ extends: ["html-validate:standard"] });

for (const { name, path, status } of sitePages) {
  test(`${name} is served as valid HTML`, async ({ request }) => {
    const response = await request.get(path);
    expect(response.status()).toBe(status);
    const report = await validator.validateString(await response.text());
    const faults = report.results.flatMap(({ messages }) =>
      messages.map(
        ({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`,
      ),
    );
    expect(faults).toEqual([]);
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  for (const { name, path, status } of sitePages) {
    test(`${name} has its language, one h1, its landmarks and its words`, async ({
      page,
      expectConsole,
    }) => {
      if (status === 404) expectConsole(/404/);
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("lang", "en-CA");
      await expect(page.locator("h1")).toHaveCount(1);
      await expect(page.locator("h1")).toBeVisible();
      for (const landmark of ["banner", "main", "contentinfo"] as const) {
        await expect(page.getByRole(landmark)).toHaveCount(1);
      }
      await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(1);
      expect(
        (await page.locator("main").allInnerTexts()).join(" ").split(/\s+/).length,
      ).toBeGreaterThan(15);
    });
  }
});
