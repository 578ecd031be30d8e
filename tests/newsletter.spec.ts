import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { sqliteFileName } from "#backend/database/open-sqlite.ts";
import { expect, test } from "./site-test.ts";

type Issue = { id: number; title: string; html: string; date: string };

const quotes = issueOf(3, "Time one quote", "2026-11-02");
const leads = issueOf(7, "Answer the lead", "2026-11-09");
const changes = issueOf(12, "Price the change order", "2026-11-16");
const threeIssues = [quotes, leads, changes];

const failureText = "Failed to load newsletters. Table may not exist yet.";
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function issueOf(id: number, title: string, date: string): Issue {
  return { id, title, date, html: `<p>Words of the issue about: ${title}.</p>` };
}

/** Works on the database file beside the running server, as the operator's commands do. */
function inDatabase<T>(site: { dataDir: string }, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path.join(site.dataDir, sqliteFileName), { timeout: 5_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function setIssues(site: { dataDir: string }, issues: Issue[]) {
  inDatabase(site, (db) => {
    db.exec("delete from final_newsletters");
    const insert = db.prepare(
      "insert into final_newsletters (id, title, content_markdown, publish_date) values (?, ?, ?, ?)",
    );
    for (const { id, title, html, date } of issues) insert.run(id, title, html, date);
  });
}

function renameTable(site: { dataDir: string }, from: string, to: string) {
  inDatabase(site, (db) => db.exec(`alter table ${from} rename to ${to}`));
}

const dropdown = (page: Page) => page.getByLabel("Read");
const issueLine = (page: Page, text: string) => page.getByText(text, { exact: true });
const title = (page: Page, text: string) => page.getByRole("heading", { name: text, exact: true });

// A setting of its own means a server of its own: these tests replace its issues and take its table away.
test.use({ siteSettings: { SITE_NAME: "Chalkline Newsletter Desk" } });

test.beforeEach(({ site }) => setIssues(site, threeIssues));

test("the archive shows the latest issue, numbered from the oldest by id", async ({ page }) => {
  const response = await page.goto("/newsletter");
  expect(response?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1, name: "The Matrix" })).toBeVisible();
  await expect(page.getByText("1,000+ newsletter subscribers").first()).toBeVisible();
  await expect(title(page, changes.title)).toBeVisible();
  await expect(issueLine(page, "Issue #3 • November 16, 2026")).toBeVisible();
  await expect(page.getByText("Words of the issue about: Price the change order.")).toBeVisible();
  for (const heading of ["Why Subscribe", "What You'll Learn Each Week", "Join The Matrix"]) {
    await expect(title(page, heading)).toBeVisible();
  }
  for (const part of ["AI Tool Reviews", "Success Stories", "Quick Wins"]) {
    await expect(title(page, part)).toBeVisible();
  }
});

test("the dropdown offers the latest and every older issue, the newest left out", async ({
  page,
}) => {
  await page.goto("/newsletter");
  await expect(dropdown(page).locator("option")).toHaveText([
    "Latest Issue",
    "Issue #2 - November 9, 2026",
    "Issue #1 - November 2, 2026",
  ]);
});

test("choosing an issue shows it at once, keeps the place and the focus, and gives it an address", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto("/newsletter");
  await dropdown(page).focus();
  await page.evaluate(() => window.scrollTo(0, 10));
  await dropdown(page).selectOption("Issue #1 - November 2, 2026");
  await expect(title(page, quotes.title)).toBeVisible();
  await expect(issueLine(page, "Issue #1 • November 2, 2026")).toBeVisible();
  await expect(page).toHaveURL("/newsletter?issue=3");
  await expect(dropdown(page)).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(10);

  await dropdown(page).selectOption("Latest Issue");
  await expect(title(page, changes.title)).toBeVisible();
  await expect(page).toHaveURL("/newsletter");
  await page.goBack();
  await expect(title(page, quotes.title)).toBeVisible();
  await expect(dropdown(page)).toHaveValue("3");
});

test("a shared link opens the chosen issue and names the issue's own page as the one to index", async ({
  page,
}) => {
  await page.goto("/newsletter?issue=7");
  await expect(title(page, leads.title)).toBeVisible();
  await expect(dropdown(page)).toHaveValue("7");
  await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", /\/newsletter\/7$/);
});

for (const chosen of ["99", "abc", "-1", "03", "99999999999999999999"]) {
  test(`an unknown issue in the address (${chosen}) is said, with the latest and status 404`, async ({
    page,
    expectConsole,
  }) => {
    expectConsole(/404/);
    const response = await page.goto(`/newsletter?issue=${chosen}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByText("That issue isn't in the archive.")).toBeVisible();
    await expect(title(page, changes.title)).toBeVisible();
  });
}

test.describe("with scripts off", () => {
  test.use({ javaScriptEnabled: false });

  test("a button sends the dropdown", async ({ page }) => {
    await page.goto("/newsletter");
    await dropdown(page).selectOption("Issue #2 - November 9, 2026");
    await page.getByRole("button", { name: "Read" }).click();
    await expect(page).toHaveURL("/newsletter?issue=7");
    await expect(title(page, leads.title)).toBeVisible();
    await expect(dropdown(page)).toHaveValue("7");
  });

  test("'Check for Updates' asks again", async ({ page, site, expectConsole }) => {
    expectConsole(/503/);
    renameTable(site, "final_newsletters", "set_aside");
    try {
      await page.goto("/newsletter");
      await expect(page.getByText(failureText, { exact: true })).toBeVisible();
    } finally {
      renameTable(site, "set_aside", "final_newsletters");
    }
    await page.getByRole("button", { name: "Check for Updates" }).click();
    await expect(title(page, changes.title)).toBeVisible();
  });
});

test("an issue that was chosen before the scripts arrived is shown when they do", async ({
  page,
}) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/newsletter", { waitUntil: "commit" });
  await dropdown(page).selectOption("Issue #1 - November 2, 2026");
  await expect(title(page, changes.title)).toBeVisible();
  release();
  await expect(title(page, quotes.title)).toBeVisible();
  await expect(page).toHaveURL("/newsletter?issue=3");
});

test("with scripts on there is no button to press", async ({ page }) => {
  await page.goto("/newsletter");
  await expect(page.getByRole("button", { name: "Read" })).toBeHidden();
});

test("a skeleton stands in for an issue that is slow to come, and the dropdown stays", async ({
  page,
}) => {
  await page.goto("/newsletter");
  await page.route("**/*.data*", async (route) => {
    await wait(900);
    await route.continue();
  });
  await dropdown(page).selectOption("Issue #1 - November 2, 2026");
  await expect(page.locator(".issue-skeleton")).toBeVisible();
  await expect(title(page, changes.title)).toBeHidden();
  await expect(dropdown(page)).toHaveValue("3");
  await expect(title(page, quotes.title)).toBeVisible();
  await expect(page.locator(".issue-skeleton")).toHaveCount(0);
});

test("coming from another page shows the skeleton until the issues are there", async ({ page }) => {
  await page.goto("/pricing");
  await page.route("**/newsletter.data*", async (route) => {
    await wait(900);
    await route.continue();
  });
  await page.getByRole("link", { name: "Newsletter", exact: true }).first().click();
  await expect(page).toHaveURL("/newsletter");
  await expect(page.locator(".issue-skeleton")).toBeVisible();
  await expect(title(page, changes.title)).toBeVisible();
});

test("a document never shows the skeleton", async ({ request }) => {
  const html = await (await request.get("/newsletter")).text();
  expect(html).toContain("Words of the issue about: Price the change order.");
  expect(html).not.toContain("issue-skeleton");
});

test("a failed read shows the error card with status 503, and its button really reads again", async ({
  page,
  site,
  expectConsole,
}) => {
  expectConsole(/503/);
  renameTable(site, "final_newsletters", "set_aside");
  try {
    const response = await page.goto("/newsletter");
    expect(response?.status()).toBe(503);
    expect(response?.headers()["cache-control"]).toBe("no-store");
    await expect(title(page, "Ready for Newsletter Content")).toBeVisible();
    await expect(page.getByText(failureText, { exact: true })).toBeVisible();
    await expect(title(page, "Join The Matrix")).toBeVisible();

    const secondAnswer = page.waitForResponse(/newsletter\.data/);
    await page.getByRole("button", { name: "Check for Updates" }).click();
    expect((await secondAnswer).status()).toBe(503);
    await expect(page.getByText(failureText, { exact: true })).toBeVisible();
  } finally {
    renameTable(site, "set_aside", "final_newsletters");
  }
  await page.getByRole("button", { name: "Check for Updates" }).click();
  await expect(title(page, changes.title)).toBeVisible();
  await expect(page.getByText(failureText)).toHaveCount(0);
  await expect(page.locator(".issue-pane")).toBeFocused();
});

test("an issue that can't be fetched because the network is gone shows the error card", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/);
  await page.goto("/newsletter");
  await page.route("**/*.data*", (route) => route.abort());
  await dropdown(page).selectOption("Issue #1 - November 2, 2026");
  await expect(page.getByText(failureText, { exact: true })).toBeVisible();
});

test("an empty archive welcomes, with its badge and the form, and status 200", async ({
  page,
  site,
}) => {
  setIssues(site, []);
  const response = await page.goto("/newsletter");
  expect(response?.status()).toBe(200);
  await expect(page.getByText("Issue #1 / Last Week", { exact: true })).toBeVisible();
  await expect(title(page, "Welcome to The Matrix")).toBeVisible();
  await expect(dropdown(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
});

test("a published issue is there within two seconds, and moves the last one into the dropdown", async ({
  page,
  site,
}) => {
  await page.goto("/newsletter");
  await site.publish({
    title: "Fresh off the press",
    html: "<p>New words.</p>",
    date: "2026-11-20",
  });
  await wait(2_000);
  await page.reload();
  await expect(title(page, "Fresh off the press")).toBeVisible();
  await expect(issueLine(page, "Issue #4 • November 20, 2026")).toBeVisible();
  await expect(dropdown(page).locator("option").nth(1)).toHaveText("Issue #3 - November 16, 2026");
});

test("an issue's page has its title, number, date, words and neighbours", async ({ page }) => {
  const response = await page.goto("/newsletter/7");
  expect(response?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1, name: leads.title })).toBeVisible();
  await expect(issueLine(page, "Issue #2 • November 9, 2026")).toBeVisible();
  await expect(page.getByText("Words of the issue about: Answer the lead.")).toBeVisible();
  await expect(page).toHaveTitle("Answer the lead | The Matrix");
  await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", /\/newsletter\/7$/);
  const description = await page.locator("meta[name=description]").getAttribute("content");
  expect(description).toMatch(/^Words of the issue about: Answer the lead\. .{30,}/);
  expect(description?.length).toBeLessThanOrEqual(160);
  const article = (await page.locator('script[type="application/ld+json"]').allTextContents())
    .map((text) => JSON.parse(text))
    .find((data) => data["@type"] === "Article");
  expect(article).toMatchObject({ headline: leads.title, datePublished: "2026-11-09" });

  await page.getByRole("link", { name: /Next issue/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: changes.title })).toBeVisible();
  await page.getByRole("link", { name: "Back to Newsletter Archive" }).click();
  await expect(page).toHaveURL("/newsletter");
});

for (const id of [
  "4",
  "abc",
  "-7",
  "+7",
  "07",
  "0",
  "7.0",
  "7e0",
  "9007199254740992",
  "99999999999999999999",
  "7%20",
  "%F0%9F%94%A8",
  "%3Cb%3E",
  "7'--",
]) {
  test(`/newsletter/${id} is not found, with status 404`, async ({ page, expectConsole }) => {
    expectConsole(/404/);
    const response = await page.goto(`/newsletter/${id}`);
    expect(response?.status()).toBe(404);
    await expect(
      page.getByRole("heading", { level: 1, name: "Newsletter Issue Not Found" }),
    ).toBeVisible();
    await expect(
      page.getByText("The newsletter issue you're looking for doesn't exist.", { exact: true }),
    ).toBeVisible();
    await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
  });
}

test("an issue that can't be read is a failure, not a missing issue", async ({
  page,
  site,
  expectConsole,
}) => {
  expectConsole(/503/);
  renameTable(site, "final_newsletters", "set_aside");
  try {
    const response = await page.goto("/newsletter/7");
    expect(response?.status()).toBe(503);
    await expect(page.getByText(failureText, { exact: true })).toBeVisible();
  } finally {
    renameTable(site, "set_aside", "final_newsletters");
  }
  await page.getByRole("button", { name: "Check for Updates" }).click();
  await expect(page.getByRole("heading", { level: 1, name: leads.title })).toBeVisible();
});

for (const product of ["mailchimp", "substack", "beehiiv", "ghost"]) {
  test(`a ${product} export leaves a page of 360 pixels as it was around it`, async ({
    page,
    site,
  }) => {
    const file = path.join(import.meta.dirname, `fixtures/newsletters/${product}.html`);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto("/newsletter/12");
    const before = await measureFrame(page);
    setIssues(site, [...threeIssues.slice(0, 2), { ...changes, html: readFileSync(file, "utf8") }]);
    await page.goto("/newsletter/12");
    await expect(page.locator(".issue-body")).not.toBeEmpty();
    expect(await measureFrame(page)).toEqual(before);
    expect(before.pageWidth).toBe(360);
  });
}

/** Places, sizes and looks of what stands around an issue's body. */
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
      join: look("#join h2"),
      footer: look(".site-footer"),
    };
  });
}

for (const width of [320, 768, 1440]) {
  test(`nothing stands in anybody's way at ${width} pixels`, async ({
    page,
    site,
    expectConsole,
  }) => {
    expectConsole(/404/);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    for (const address of ["/newsletter", "/newsletter/7", "/newsletter/4"]) {
      await page.goto(address);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    setIssues(site, []);
    await page.goto("/newsletter");
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
