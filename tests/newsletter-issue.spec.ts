import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import type { RunOptions } from "axe-core";
import { accessibilityFaults } from "./every-page/axe.ts";
import { sideways } from "./every-page/sideways.ts";
import { changes, issueOf, leads, setIssues, threeIssues } from "./issue-table.ts";
import { expect, test } from "./site-test.ts";

const contrast: RunOptions = { runOnly: ["color-contrast"], resultTypes: ["violations"] };
const issueLine = (page: Page, text: string) => page.getByText(text, { exact: true });

// A setting of its own means a server of its own: these tests replace its issues and take its table away.
test.use({ siteSettings: { SITE_NAME: "Chalkline Newsletter Desk" } });

test.beforeEach(({ site }) => setIssues(site, threeIssues));

test("an issue's page has its title, number, date, words and neighbours", async ({ page }) => {
  const response = await page.goto("/newsletter/7");
  expect(response?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1, name: leads.title })).toBeVisible();
  await expect(issueLine(page, "Issue #2 • November 9, 2026")).toBeVisible();
  await expect(page.getByText("Words of the issue about: Answer the lead.")).toBeVisible();
  await expect(page).toHaveTitle(/^Answer the lead \| The Matrix \|/);
  await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", /\/newsletter\/7$/);
  const description = await page.locator("meta[name=description]").getAttribute("content");
  expect(description).toMatch(/^Words of the issue about: Answer the lead\. .{30,}/);
  expect(description?.length).toBeLessThanOrEqual(160);
  const article = (await page.locator('script[type="application/ld+json"]').allTextContents())
    .map((text) => JSON.parse(text))
    .find((data) => data["@type"] === "Article");
  expect(article).toMatchObject({
    headline: leads.title,
    datePublished: "2026-11-09T00:00:00-05:00",
    dateModified: "2026-11-09T00:00:00-05:00",
  });

  await page.getByRole("link", { name: changes.title }).click();
  await expect(page.getByRole("heading", { level: 1, name: changes.title })).toBeVisible();
  await page.getByRole("link", { name: "Back to Newsletter Archive" }).click();
  await expect(page).toHaveURL("/newsletter");
});

test("an issue leads to the use case it is about, if to any", async ({ request, site }) => {
  const html = "<p>Price the change order. Sign the change order. File the change order.</p>";
  await setIssues(site, [
    { ...issueOf(1, "Extras", "2026-11-02"), html },
    issueOf(2, "Weather", "2026-11-09"),
  ]);
  const linkedFrom = async (id: number) => {
    const [main = ""] =
      /<main.*<\/main>/s.exec(await (await request.get(`/newsletter/${id}`)).text()) ?? [];
    return [...main.matchAll(/href="(\/use-cases[^"]*)"/g)].map(([, href]) => href);
  };
  expect(await linkedFrom(1)).toEqual(["/use-cases/client-management"]);
  expect(await linkedFrom(2)).toEqual([]);
});

test("an issue that isn't there is not found, with status 404", async ({ request }) => {
  const numbers = ["4", "-7", "+7", "07", "0", "7.0", "7e0", "9".repeat(20)];
  for (const id of [...numbers, "abc", "7%20", "%F0%9F%94%A8", "%3Cb%3E", "7'--"]) {
    const response = await request.get(`/newsletter/${id}`);
    expect.soft(response.status(), id).toBe(404);
    const html = await response.text();
    expect.soft(html, id).toContain("Newsletter Issue Not Found");
    expect.soft(html, id).toContain('<meta name="robots" content="noindex"/>');
  }
});

test("other programs' letters leave the page around them as it was, and fit a phone", async ({
  page,
  site,
  expectConsole,
}) => {
  // Their pictures are on no machine.
  expectConsole(/ERR_/);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto("/newsletter/7");
  const before = await measureFrame(page);
  expect(before.pageWidth).toBe(360);
  const files = ["newsletters", "letters"].flatMap((name) => {
    const folder = path.join(import.meta.dirname, "fixtures", name);
    return readdirSync(folder).map((file) => path.join(folder, file));
  });
  const letters = files.map((file, index) => ({
    ...issueOf(21 + index, leads.title, "2026-11-20"),
    html: readFileSync(file, "utf8"),
  }));
  await setIssues(site, [...threeIssues, ...letters, issueOf(30, "The latest", "2026-11-21")]);
  for (const [index, file] of files.entries()) {
    await page.goto(`/newsletter/${21 + index}`);
    await expect(page.locator(".issue-body")).not.toBeEmpty();
    expect(await measureFrame(page), file).toEqual(before);
    expect.soft(await page.evaluate(sideways), file).toEqual([]);
    expect.soft(await accessibilityFaults(page, [".issue-body"], contrast), file).toEqual([]);
  }
});

function measureFrame(page: Page) {
  return page.evaluate(() => {
    const look = (selector: string) => {
      const element = document.querySelector(selector);
      if (!element) throw new Error(`There is no ${selector}.`);
      const { left, width } = element.getBoundingClientRect();
      const { color, backgroundColor, fontFamily, fontSize } = getComputedStyle(element);
      return { left, width, color, backgroundColor, fontFamily, fontSize };
    };
    return {
      pageWidth: document.documentElement.scrollWidth,
      header: look(".site-header"),
      title: look("h1"),
      signUp: look("#subscribe"),
      footer: look(".site-footer"),
    };
  });
}
