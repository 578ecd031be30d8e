import { issueOf, setIssues } from "./issue-table.ts";
import { expect, openUntilSeen, test } from "./site-test.ts";

// A setting of its own means a server of its own: these tests replace its issues.
test.use({ siteSettings: { SITE_URL: "https://archive.chalkline.example" } });

const weekMs = 7 * 24 * 60 * 60_000;
const lastWeek = Date.UTC(2026, 10, 16);

/** As long as the titles of real ones. */
const titleOf = (id: number) => `Weekly words ${id}, of quotes that go out on Friday`;

/** Weekly issues up to the middle of November 2026, with ids from 1. */
function weekly(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(lastWeek - (count - 1 - index) * weekMs).toISOString().slice(0, 10);
    return issueOf(index + 1, titleOf(index + 1), date);
  });
}

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? "on" : "off";

  test.describe(`with scripts ${scripts}`, () => {
    test.use({ javaScriptEnabled });

    test("the dropdown offers all 1,000 issues and opens the oldest", { tag: "@postgres" }, async ({
      page,
      site,
    }) => {
      await setIssues(site, weekly(1_000));
      await page.goto("/newsletter");
      const dropdown = page.getByLabel("Choose an issue");
      const labels = await dropdown.locator("option").allTextContents();
      expect(labels).toHaveLength(1_000);
      expect(labels.slice(0, 2)).toEqual(["Latest Issue", "Issue #999 - November 9, 2026"]);
      expect(labels.at(-1)).toMatch(/^Issue #1 - \w+ \d+, 2007$/);
      await dropdown.selectOption("1");
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Read" }).click();
      await expect(page).toHaveURL("/newsletter?issue=1");
      await expect(page.getByRole("heading", { name: titleOf(1) })).toBeVisible();
      await expect(dropdown).toHaveValue("1");
      await dropdown.selectOption("");
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Read" }).click();
      await expect(page.getByRole("heading", { name: titleOf(1_000) })).toBeVisible();
    });
  });
}

test("every issue is on the pages by year, by links alone", async ({ page, request, site }) => {
  await setIssues(site, weekly(1_000));
  await page.goto("/newsletter");
  await page.getByRole("link", { name: "All issues, by year" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "All issues" })).toBeVisible();
  const years = await page
    .locator(".all-issues-years a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const found = new Set<string>();
  for (const year of years) {
    const html = await (await request.get(year)).text();
    for (const [title] of html.matchAll(/(?<=>)Weekly words \d+/g)) found.add(title);
  }
  expect(found.size).toBe(1_000);
});

test("an endless title widens no page", async ({ page, site, expectConsole }) => {
  expectConsole(/404/);
  const endless = "Quotation".repeat(23).slice(0, 200);
  await setIssues(
    site,
    [3, 2, 1].map((id) => issueOf(id, `${endless.slice(0, 199)}${id}`, "2026-11-16")),
  );
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of [
    "/newsletter",
    "/newsletter/2",
    "/newsletter/all",
    "/newsletter/all/2026",
    "/newsletter/9",
    `/search?q=${endless.slice(0, 32)}`,
  ]) {
    await openUntilSeen(page, path, page.getByText(endless.slice(0, 100)).first());
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, path).toBe(320);
  }
});
