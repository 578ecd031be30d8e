import type { Page } from "@playwright/test";
import { faultsAtWidths } from "./every-page/faults-at-widths.ts";
import {
  changes,
  failureText,
  issueOf,
  leads,
  quotes,
  setIssues,
  threeIssues,
  withoutIssueTable,
} from "./issue-table.ts";
import type { SiteServer } from "./site-server.ts";
import { expect, holdRequests, test } from "./site-test.ts";

const dropdown = (page: Page) => page.getByLabel("Choose an issue");
const issueLine = (page: Page, text: string) => page.getByText(text, { exact: true });
const title = (page: Page, text: string) => page.getByRole("heading", { name: text, exact: true });

// A setting of its own means a server of its own: these tests replace its issues and take its table away.
test.use({
  siteSettings: { SITE_NAME: "Chalkline Newsletter Desk" },
  reducedMotion: "no-preference",
});

test.beforeEach(({ site }) => setIssues(site, threeIssues));

/** An issue whose page no test has asked for: it has no last good copy, which would be shown in place of a failure. */
let newestId = 100;
async function publishUnseen(site: SiteServer) {
  newestId += 1;
  const unseen = issueOf(newestId, `Never looked at ${newestId}`, "2026-11-20");
  // The latest is another one, so that the archive shows this one only where it is asked for.
  await setIssues(site, [...threeIssues, unseen, issueOf(1_000, "The latest", "2026-11-21")]);
  return { unseen, address: `/newsletter?issue=${unseen.id}` };
}

test("the archive shows the latest issue, and the older ones when they are chosen", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 780 });
  const response = await page.goto("/newsletter");
  expect(response?.status()).toBe(200);
  await expect(page.locator(".issue-skeleton")).toBeHidden();
  await expect(title(page, changes.title)).toBeVisible();
  await expect(issueLine(page, "Issue #3 • November 16, 2026")).toBeVisible();
  await expect(page.getByText("Words of the issue about: Price the change order.")).toBeVisible();
  await expect(dropdown(page).locator("option")).toHaveText([
    "Latest Issue",
    "Issue #2 - November 9, 2026",
    "Issue #1 - November 2, 2026",
  ]);

  await dropdown(page).selectOption("Issue #1 - November 2, 2026");
  await expect(title(page, quotes.title)).toBeVisible();
  await expect(issueLine(page, "Issue #1 • November 2, 2026")).toBeVisible();
  await expect(page).toHaveURL("/newsletter?issue=3");
  await expect(dropdown(page)).toBeFocused();
  await dropdown(page).selectOption("Latest Issue");
  await expect(title(page, changes.title)).toBeVisible();
  await expect(page).toHaveURL("/newsletter");
  await page.goBack();
  await expect(title(page, quotes.title)).toBeVisible();
  await expect(dropdown(page)).toHaveValue("3");
});

test("an address opens its issue, or says with status 404 that there is none", async ({
  request,
}) => {
  const read = async (chosen: string) => {
    const response = await request.get(`/newsletter?issue=${chosen}`);
    const html = await response.text();
    const [, shown] = /<article.*?<h2><a[^>]*>([^<]+)/s.exec(html) ?? [];
    return { status: response.status(), html, shown };
  };
  const { html, status, shown } = await read("7");
  expect([status, shown]).toEqual([200, leads.title]);
  expect(html).toContain('<option value="7" selected="">');
  expect(html).toMatch(/<link rel="canonical" href="[^"]*\/newsletter\/7"/);
  for (const chosen of ["99", "abc", "-1", "03", "99999999999999999999"]) {
    const missing = await read(chosen);
    expect.soft([missing.status, missing.shown], chosen).toEqual([404, changes.title]);
    expect.soft(missing.html, chosen).toContain("That issue isn’t in the archive.");
  }
});

test("arrow keys in the closed list load nothing until Enter or the button", async ({ page }) => {
  for (const commit of [
    () => dropdown(page).press("Enter"),
    () => page.getByRole("button", { name: "Read" }).click(),
  ]) {
    await page.goto("/newsletter");
    await dropdown(page).focus();
    for (const value of ["7", "3"]) {
      await dropdown(page).press("ArrowDown");
      await expect(dropdown(page)).toHaveValue(value);
    }
    await expect(page).toHaveURL("/newsletter");
    await expect(title(page, changes.title)).toBeVisible();
    await commit();
    await expect(title(page, quotes.title)).toBeVisible();
    await expect(page).toHaveURL("/newsletter?issue=3");
  }
});

test("a skeleton stands in for slow issues", async ({ page }) => {
  await page.goto("/newsletter");
  const letGo = await holdRequests(page, "**/newsletter?issue=*");
  const whileLoading = await page.evaluate(async () => {
    const find = (selector: string) => document.querySelector<HTMLSelectElement>(selector);
    const pane = find(".issue-pane") as Element;
    const select = find(".issue-choice select") as HTMLSelectElement;
    const busy = new Promise((resolve) =>
      new MutationObserver(resolve).observe(pane, { attributes: true }),
    );
    select.value = "3";
    select.dispatchEvent(new Event("change"));
    await busy;
    const shown = () => ({
      skeleton: find(".issue-skeleton")?.checkVisibility(),
      issue: find(".issue-article")?.checkVisibility(),
      line: find(".paper-bar [aria-live]")?.textContent,
    });
    return { ...shown(), chosen: select.value };
  });
  expect(whileLoading).toEqual({
    skeleton: true,
    issue: false,
    line: "Loading the newsletter",
    chosen: "3",
  });
  letGo();
  await expect(title(page, quotes.title)).toBeVisible();
  await expect(page.locator(".issue-skeleton")).toBeHidden();
});

test("a failed read shows a card with a button to try again, with status 503", async ({
  page,
  site,
  expectConsole,
}) => {
  expectConsole(/503/);
  const { unseen, address } = await publishUnseen(site);
  await withoutIssueTable(site, async () => {
    const response = await page.goto(address);
    expect(response?.status()).toBe(503);
    expect(response?.headers()["cache-control"]).toBe("no-store");
    await expect(title(page, "Ready for Newsletter Content")).toBeVisible();
    await expect(page.getByText(failureText, { exact: true })).toBeVisible();
    await expect(title(page, "Join The Matrix")).toBeVisible();

    const secondAnswer = page.waitForResponse(/newsletter\?issue=/);
    await page.getByRole("button", { name: "Check for Updates" }).click();
    expect((await secondAnswer).status()).toBe(503);
    await expect(page.getByRole("alert").filter({ hasText: failureText })).toBeVisible();
  });
  await page.getByRole("button", { name: "Check for Updates" }).click();
  await expect(title(page, unseen.title)).toBeVisible();
  await expect(page.getByText(failureText)).toHaveCount(0);
});

// The other states are asked the same in every-page/screens.spec.ts.
test("an empty archive welcomes its visitors, without an accessibility fault", async ({
  page,
  site,
  expectConsole,
}) => {
  expectConsole(/503/);
  const widthsPx = [320, 1440];
  await page.emulateMedia({ reducedMotion: "reduce" });
  await setIssues(site, []);
  // While its successor takes over a second to make, the last good page is shown.
  await expect(async () => {
    await page.goto("/newsletter");
    await expect(issueLine(page, "Issue #1 / Last Week")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect((await page.reload())?.status()).toBe(200);
  await expect(title(page, "Welcome to The Matrix")).toBeVisible();
  await expect(dropdown(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
  await expect(page.locator("main")).not.toContainText("1,000");
  expect.soft(await faultsAtWidths(page, [], widthsPx), "without issues").toEqual([]);
  const { address } = await publishUnseen(site);
  await withoutIssueTable(site, async () => {
    await page.goto(address);
    await expect(page.getByText(failureText, { exact: true })).toBeVisible();
    expect.soft(await faultsAtWidths(page, [], widthsPx), "not to be read").toEqual([]);
  });
});
