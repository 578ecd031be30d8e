import { expect, test } from "./site-test.ts";

/** One of each kind of page. */
const printed = ["/", "/pricing", "/use-cases/leads", "/contact", "/privacy", "/newsletter/1"];

test.use({ reducedMotion: "no-preference" });

test("on paper every page begins with the firm, and ends with its words", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  for (const path of printed) {
    await page.goto(path);
    await expect(page.locator(".site-header .site-name"), path).toBeVisible();
    await expect(page.locator(".menu-toggle, .nav-action").first(), path).toBeHidden();
    const mail = page.locator('.site-footer a[href^="mailto:"]');
    await expect(mail, path).toBeInViewport();
    await expect(page.locator(".footer-base"), path).toBeHidden();
    const ends = await page.evaluate(() => {
      const end = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
      return { page: document.body.scrollHeight, main: end("main")?.bottom ?? 0 };
    });
    expect(ends.page - ends.main, `${path}: nothing stands below the page`).toBeLessThan(20);
    const moving = page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState !== "finished").length,
    );
    expect(await moving, `${path}: moves`).toBe(0);
  }
});

test("both drawings are printed, and a worksheet is its example", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/use-cases/leads");
  await page.getByRole("radio", { name: "After" }).check({ force: true });
  await expect(page.locator(".before-and-after figure").first()).toBeHidden();
  await page.emulateMedia({ media: "print" });
  for (const figure of await page.locator(".before-and-after figure").all()) {
    await expect(figure).toBeVisible();
    await expect(figure).toHaveCSS("break-inside", "avoid");
  }
  await expect(page.locator(".drawing-switch")).toBeHidden();
  await expect(page.locator(".worksheet .button:visible")).toHaveCount(0);
  await expect(page.locator(".worksheet output")).toHaveText("$38,400");
});

test("all three trades are printed, each under its name, and no tabs", async ({ page }) => {
  await page.goto("/use-cases");
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".tab-list")).toBeHidden();
  for (const name of ["Trades", "Real Estate", "Home Improvement"]) {
    const heading = page.getByRole("heading", { level: 2, name, exact: true });
    expect((await heading.boundingBox())?.width, name).toBeGreaterThan(50);
    await expect(page.locator(".tab-panel", { has: heading })).toContainText("Starting point:");
  }
});
