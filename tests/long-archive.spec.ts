import { issueOf, setIssues } from "./issue-table.ts";
import { expect, test } from "./site-test.ts";

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

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("all 1,000 issues are in the dropdown, which opens the oldest, and on one page by year", async ({
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
    await page.getByRole("button", { name: "Read" }).click();
    await expect(page).toHaveURL("/newsletter?issue=1#issue-choice");
    await expect(page.getByRole("heading", { name: titleOf(1) })).toBeVisible();
    await expect(dropdown).toHaveValue("1");
    await dropdown.selectOption("");
    await page.getByRole("button", { name: "Read" }).click();
    await expect(page.getByRole("heading", { name: titleOf(1_000) })).toBeVisible();

    await page.getByRole("link", { name: "All issues, by year" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "All issues" })).toBeVisible();
    await expect(page.getByRole("link", { name: /^Weekly words \d+,/ })).toHaveCount(1_000);
    await expect(page.getByRole("heading", { level: 2, name: "2007" })).toBeVisible();
  });
});
