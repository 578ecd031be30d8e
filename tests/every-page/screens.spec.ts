import type { Page } from "@playwright/test";
import { expect, test } from "../site-test.ts";
import { accessibilityFaults } from "./axe.ts";
import { watchLayoutShifts } from "./layout-shifts.ts";
import { missingPageComplaint, sitePages, widthsPx } from "./routes.ts";

test.describe.configure({ mode: "parallel" });

/** Late enough that the page is first painted in its fallback fonts. */
const fontDelayMs = 250;

/** Where a page is loaded anew; between them it's only made wider or narrower. */
const loadedWidthsPx = [1440, 390];

/** The least room between the words and the window's edge: without it a stylesheet is missing, or in disorder. */
const gutterPx = 20;

test.use({ reducedMotion: "reduce" });

for (const { name, path, status } of sitePages) {
  test(`${name} has no accessibility fault at any width, and nothing shifts, fails or complains`, async ({
    page,
    expectConsole,
  }) => {
    if (status === 404) expectConsole(missingPageComplaint);
    const failedRequests = watchRequests(page, path);
    const shifts = await watchLayoutShifts(page);
    const fonts = new Set<string>();
    await page.route("**/*.woff2", async (route) => {
      fonts.add(new URL(route.request().url()).pathname);
      await new Promise((resolve) => setTimeout(resolve, fontDelayMs));
      await route.continue();
    });
    for (const width of loadedWidthsPx) {
      await page.setViewportSize({ width, height: 900 });
      const response = await page.goto(path);
      expect(response?.status()).toBe(status);
      await page.evaluate(() => document.fonts.ready);
      expect.soft(await shifts(), `layout shifts at ${width} px`).toEqual([]);
    }
    expect.soft(failedRequests, "failed requests").toEqual([]);
    // A sign that only the files of rare ones have costs the first paint another round trip.
    expect
      .soft([...fonts].sort(), "fonts")
      .toEqual([
        expect.stringMatching(/\/archivo-(?!rare|wide)/),
        expect.stringMatching(/\/archivo-wide-(?!rare)/),
        expect.stringMatching(/\/plex-mono-500-(?!rare)/),
      ]);
    for (const width of widthsPx) {
      await page.setViewportSize({ width, height: 900 });
      const heading = await page.locator("h1").boundingBox();
      expect.soft(heading?.x, `gutter at ${width} px`).toBeGreaterThanOrEqual(gutterPx);
      expect.soft(await accessibilityFaults(page), `at ${width} px`).toEqual([]);
    }
  });
}

test("the open menu has no accessibility fault", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/pricing");
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(page.getByRole("button", { name: "Close menu" })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
});

for (const label of ["Real Estate", "Home Improvement"]) {
  for (const width of widthsPx) {
    test(`the chosen tab ${label} has no accessibility fault at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/use-cases");
      await page.getByRole("tab", { name: label }).click();
      await expect(page.getByRole("tabpanel", { name: label })).toBeVisible();
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  }
}

/** Requests that found no answer, or a bad one; the page's own status is its test's to judge. */
function watchRequests(page: Page, path: string): string[] {
  const failed: string[] = [];
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "unknown";
    // What was still on its way when the page was loaded anew, the browser gives up itself.
    if (reason !== "net::ERR_ABORTED") failed.push(`${request.url()} (${reason})`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && !response.url().endsWith(path)) failed.push(response.url());
  });
  return failed;
}
