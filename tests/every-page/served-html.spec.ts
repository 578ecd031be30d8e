import { HtmlValidate } from "html-validate";
import { expect, test } from "../site-test.ts";
import { missingPageComplaint, sitePages } from "./routes.ts";

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

  // One window for all of them: a new one for each takes longer than what is asked of the page.
  test("every page has its language, one h1, its landmarks and its words", async ({
    page,
    expectConsole,
    judgeComplaints,
  }) => {
    test.setTimeout(120_000);
    for (const { name, path, status } of sitePages) {
      await test.step(name, async () => {
        if (status === 404) expectConsole(missingPageComplaint);
        await page.goto(path);
        await expect(page.locator("html"), name).toHaveAttribute("lang", "en-CA");
        await expect.soft(page.locator("h1"), name).toHaveCount(1);
        await expect.soft(page.locator("h1").first(), name).toBeVisible();
        for (const landmark of ["banner", "main", "contentinfo"] as const) {
          await expect.soft(page.getByRole(landmark), `${name}: ${landmark}`).toHaveCount(1);
        }
        const navigation = page.getByRole("navigation", { name: "Main" });
        await expect.soft(navigation, `${name}: navigation`).toHaveCount(1);
        const words = (await page.locator("main").allInnerTexts()).join(" ").split(/\s+/);
        expect.soft(words.length, `${name}: words`).toBeGreaterThan(15);
        await judgeComplaints(name);
      });
    }
  });
});
