import type { APIRequestContext, Page } from "@playwright/test";
import { faultsAtWidths } from "./every-page/faults-at-widths.ts";
import { issueOf, setIssues, threeIssues, withoutIssueTable } from "./issue-table.ts";
import { expect, test } from "./site-test.ts";

// A setting of its own means a server of its own: these tests replace its issues and take its table away.
test.use({ siteSettings: { SITE_NAME: "Chalkline Newsletter Desk" } });

test.beforeEach(({ site }) => setIssues(site, threeIssues));

const search = (page: Page, query: string) =>
  page.goto(`/search?${new URLSearchParams({ q: query })}`);
const results = (page: Page) => page.locator(".search-results > li");
const count = (page: Page) => page.getByRole("main").getByRole("status");

async function resultsOf(request: APIRequestContext, query: string) {
  const response = await request.get(`/search?${new URLSearchParams({ q: query })}`);
  expect(response.status(), query).toBe(200);
  expect(response.headers()["cache-control"]).toBe("no-store");
  const html = await response.text();
  const [, list = ""] = /class="search-results[^>]*>(.*?)<\/ol>/s.exec(html) ?? [];
  return { html, list, first: /href="([^"]+)"/.exec(list)?.[1] };
}

test("the best result has the words as typed, their beginnings, or a word spelt like them", async ({
  request,
}) => {
  for (const [query, path] of [
    ["invoices", "/use-cases/business-operations"],
    ["pricing", "/pricing"],
    ["privacy", "/privacy"],
    ["social media", "/use-cases/social-media"],
    ["price the change order", "/newsletter/12"],
    ["answer the lead", "/newsletter/7"],
  ] as const) {
    expect.soft((await resultsOf(request, query)).first, query).toBe(path);
  }
  for (const query of ["invoi", "invioces", "INVOICE", "invoicé"]) {
    expect.soft((await resultsOf(request, query)).list, query).toMatch(/<mark>invoic/i);
  }
  // If nothing has all the words, results with some of them are shown.
  const some = await resultsOf(request, "zeppelin invoice");
  expect(some.list).toContain("<mark>");
  expect(some.html).toContain("Nothing has all of these words");
});

test("a result says what kind of page it is and marks the words that were found", async ({
  page,
}) => {
  await search(page, "change order");
  const issue = results(page).filter({ hasText: "Issue #3 • November 16, 2026" });
  await expect(issue.getByRole("heading", { level: 2 })).toHaveText("Price the change order");
  await expect(issue.getByRole("heading").locator("mark")).toHaveText(["change", "order"]);
  const marks = await page.locator(".search-results mark").allTextContents();
  for (const mark of marks) expect(mark.toLowerCase()).toMatch(/^(chang|order)/);
  await issue.getByRole("link").click();
  await expect(page).toHaveURL("/newsletter/12");

  // A page is listed by its name and quoted in whole sentences, and the count is announced.
  await search(page, "missed calls");
  const leads = results(page).filter({ has: page.locator("a[href='/use-cases/leads']") });
  await expect(leads.getByRole("heading")).toHaveText("Leads");
  await expect(leads.locator(".lettering")).toHaveText("Sheet 5 of 16");
  for (const text of await results(page).locator("p:last-child").allTextContents()) {
    expect(text).not.toMatch(/#/);
  }
  const number = await results(page).count();
  expect(number).toBeGreaterThan(1);
  await expect(count(page)).toHaveText(`${number} results for “missed calls”`);
  await expect(page).toHaveTitle(/^Search results for “missed calls” \|/);
  await expect(page.getByRole("searchbox")).toHaveValue("missed calls");
});

test("the empty search offers popular searches and every page", async ({ page }) => {
  for (const address of ["/search", "/search?q=", "/search?q=%20%20"]) {
    await page.goto(address);
    await expect(page).toHaveTitle(/^Search Our Pages and Newsletter \|/);
    await expect(count(page)).toHaveText("");
    await expect(page.locator(".where-to-look ul.rows a")).toHaveCount(5);
  }
  await page.getByRole("link", { name: "change orders" }).click();
  await expect(page).toHaveURL("/search?q=change+orders");
  await expect(results(page)).not.toHaveCount(0);
  await expect(page.getByRole("searchbox")).toHaveValue("change orders");
});

test("a search that finds nothing says so and offers ways on", async ({ request }) => {
  for (const query of ["zeppelin", "the", "???", "*", "🚁", "\\", "(((((("]) {
    const { html, first } = await resultsOf(request, query);
    expect.soft(first, query).toBeUndefined();
    expect.soft(html, query).toContain(`0 results for “${query}”`);
    expect.soft(html, query).toContain("Nothing here matches those words");
    expect.soft(html, query).toContain("Write to us");
    expect.soft(html, query).toContain('href="/pricing"');
  }
});

test("of many results the best are shown", async ({ page, site }) => {
  const issues = Array.from({ length: 24 }, (_, index) =>
    issueOf(100 + index, `Belvedere job ${index + 1}`, "2026-11-01"),
  );
  await setIssues(site, issues);
  await search(page, "belvedere");
  await expect(results(page)).toHaveCount(20);
  await expect(count(page)).toHaveText("The best 20 of 24 results for “belvedere”");
  expect(await faultsAtWidths(page, [], [320, 1440])).toEqual([]);
});

test("a new issue is found at once, and a removed one is no longer found", async ({
  page,
  site,
}) => {
  await search(page, "gazebo");
  await expect(results(page)).toHaveCount(0);
  const html = "<p>Sell a gazebo in March.</p>";
  const { id } = await site.publish({ title: "Pergolas", html, date: "2026-11-20" });
  await page.reload();
  const found = results(page).first().getByRole("link");
  await expect(found).toHaveAttribute("href", `/newsletter/${id}`);
  await site.command("issues", "remove", String(id), "--yes");
  await page.reload();
  await expect(results(page)).toHaveCount(0);
});

test("while issues can't be read, pages are searched", async ({ request, site }) => {
  await withoutIssueTable(site, async () => {
    const { first, html } = await resultsOf(request, "invoice");
    expect(first).toBe("/use-cases/business-operations");
    expect(html).toContain("these are pages only");
  });
});

test("the not-found page offers the search", async ({ page, expectConsole }) => {
  expectConsole(/404/);
  await page.goto("/no-such-page");
  await page.getByRole("searchbox").fill("invoice");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL("/search?q=invoice#results");
  await expect(page.getByRole("status")).toBeFocused();
  await expect(results(page)).not.toHaveCount(0);
});
