import { issueOf, setIssues } from "./issue-table.ts";
import { madeSmall } from "./made-small.ts";
import { sampleBody, sampleTitle } from "./sample-issue.ts";
import { expect, test } from "./site-test.ts";

// A setting of its own means a server of its own: these tests replace its issues. A page names its site's address, so its
// length would hang on the digits of a port that is another one in each run.
test.use({ siteSettings: { SITE_URL: "https://archive.chalkline.example" } });

const weekMs = 7 * 24 * 60 * 60_000;
const lastWeek = Date.UTC(2026, 10, 16);

/** As long as the titles of real ones, and the same in every test: the site looks for new titles among the newest first. */
const titleOf = (id: number) => `Weekly words ${id}, ${sampleTitle(id)}`;

/** Weekly issues up to the middle of November 2026, with ids from 1. */
function weekly(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(lastWeek - (count - 1 - index) * weekMs).toISOString().slice(0, 10);
    return issueOf(index + 1, titleOf(index + 1), date);
  });
}

/** Ten segments of Ethernet's, which a TCP connection sends before it waits for an answer (RFC 6928). */
const firstFlightBytes = 10 * 1_460;

const longIssueBytes = 20_000;

/** The second as many as the dropdown offers one by one, which is the longest it gets without the years. */
for (const count of [3, 27, 1_000]) {
  test(`the archive of ${count} issues, and an issue of 20 KB, come with one flight, headers and all`, async ({
    request,
    site,
  }) => {
    const long = Math.ceil(count / 2);
    const issues = weekly(count).map((issue) =>
      [long, count].includes(issue.id)
        ? { ...issue, html: sampleBody(issue.id, longIssueBytes) }
        : issue,
    );
    await setIssues(site, issues);
    for (const path of ["/newsletter", `/newsletter?issue=${long}`, `/newsletter/${long}`]) {
      const answer = await madeSmall(request, path);
      expect(answer.status(), path).toBe(200);
      const lines = answer.headersArray().map(({ name, value }) => `${name}: ${value}\r\n`);
      const head = ["HTTP/1.1 200 OK\r\n", ...lines, "\r\n"].join("");
      const bytes = head.length + Number(answer.headers()["content-length"]);
      expect.soft(bytes, path).toBeLessThanOrEqual(firstFlightBytes);
    }
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`300 issues, with scripts ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled });
    test.beforeEach(({ site }) => setIssues(site, weekly(300)));

    test("an issue of an early year is two choices away, and the dropdown shows it", async ({
      page,
    }) => {
      const dropdown = page.getByLabel("Read");
      const choose = async (value: string) => {
        await dropdown.selectOption(value);
        if (!javaScriptEnabled) await page.getByRole("button", { name: "Read" }).click();
        await expect(page).toHaveURL(`/newsletter?issue=${value}`);
      };
      await page.goto("/newsletter");
      const earlier = page.locator('optgroup[label="Earlier, by year"] option');
      const oldestYear = (await earlier.last().getAttribute("value")) ?? "";
      await choose(oldestYear);
      await expect(page.getByRole("heading", { name: titleOf(Number(oldestYear)) })).toBeVisible();
      await expect(dropdown).toHaveValue(oldestYear);
      await choose(String(Number(oldestYear) - 1));
      await expect(
        page.getByRole("heading", { name: titleOf(Number(oldestYear) - 1) }),
      ).toBeVisible();
    });

    test("every issue is on the pages by year", async ({ page }) => {
      await page.goto("/newsletter");
      await page.getByRole("link", { name: "All issues, by year" }).first().click();
      await expect(page.getByRole("heading", { level: 1, name: "Every issue" })).toBeVisible();
      const years = await page
        .locator(".all-issues-years a")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
      const found = new Set<string>();
      for (const year of years) {
        await page.goto(year);
        const titles = await page.locator(".all-issues .issue-list a").allTextContents();
        for (const title of titles.filter((text) => text.startsWith("Weekly"))) found.add(title);
      }
      expect(found.size).toBe(300);
    });
  });
}

test("an address of no year offers the years there are", async ({ page, site, expectConsole }) => {
  expectConsole(/404/);
  await setIssues(site, weekly(60));
  for (const path of ["/newsletter/all/1990", "/newsletter/all/2026-9", "/newsletter/all/soon"]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page).toHaveTitle("404: Page not found");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Oops! Page not found");
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
    await page.getByRole("link", { name: /^2026/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Issues of 2026");
  }
});

test("a title of 200 letters without a space widens no page", async ({
  page,
  site,
  expectConsole,
}) => {
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
    await page.goto(path);
    await expect.soft(page.getByText(endless.slice(0, 100)).first(), path).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, path).toBe(320);
  }
});
