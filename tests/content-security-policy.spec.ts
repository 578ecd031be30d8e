import type { Page } from "@playwright/test";
import { setIssues } from "./issue-table.ts";
import { provider, provideWidget } from "./scheduling-provider.ts";
import { expect, test } from "./site-test.ts";

test.use({ siteSettings: { ...provider, SITE_NAME: "Chalkline Policy Desk" } });

test("an issue opened from a page of another policy has its styles", async ({ page, site }) => {
  await provide(page);
  await setIssues(site, [
    {
      id: 4,
      title: "Plain letter",
      date: "2026-11-02",
      html: "<p>Words</p>",
    },
    {
      id: 5,
      title: "Styled letter",
      date: "2026-11-09",
      html: '<p style="color:#b00000;text-align:center" title="a style=&quot;x&quot; b">Red</p><p>A style="x" in words</p>',
    },
  ]);
  await page.goto("/about");
  await page.locator('header a[href="/newsletter"]').first().click();
  const red = page.locator(".issue-body p").first();
  await expect(red).toHaveText("Red");
  await expect(red).toHaveCSS("color", "rgb(176, 0, 0)");
  await expect(red).toHaveCSS("text-align", "center");
  await expect(red).toHaveAttribute("title", 'a style="x" b');
  await expect(page.locator(".issue-body p").nth(1)).toHaveText('A style="x" in words');
  await page.reload();
  await expect(red).toHaveCSS("color", "rgb(176, 0, 0)");
});

test("the provider's popup opens its frame, in its own styles", async ({ page }) => {
  await provide(page);
  await page.goto("/pricing");
  await expect
    .poll(() => page.evaluate(() => "Calendly" in window && document.styleSheets.length > 1))
    .toBe(true);
  await page
    .getByRole("button", { name: /book|call|consultation/i })
    .first()
    .click();
  await expect(page.locator(".provider-overlay")).toHaveCSS("position", "fixed");
  await expect(
    page.frameLocator(".provider-overlay iframe").getByText("Pick a time"),
  ).toBeVisible();
  await expect(page.locator("body")).toHaveCSS("overflow", "hidden");
});

test("a script that came into a page otherwise doesn't run", async ({ page, expectConsole }) => {
  expectConsole(/Content Security Policy/);
  await page.route("**/terms", async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replace(
      "</main>",
      "<script>window.injected = true</script><p style='position:fixed' onclick='x()'>x</p></main>",
    );
    await route.fulfill({ response, body: html });
  });
  await provide(page);
  await page.goto("/terms", { waitUntil: "domcontentloaded" });
  expect(await page.evaluate(() => "injected" in window)).toBe(false);
  await expect(page.locator("main > p").last()).not.toHaveCSS("position", "fixed");
});

/** Answers for the provider with a widget built as Calendly's: elements by script, styles by class and by property. */
async function provide(page: Page) {
  const script = `
    window.Calendly = { initPopupWidget({ url }) {
      const overlay = document.createElement("div");
      overlay.className = "provider-overlay";
      const frame = document.createElement("iframe");
      frame.src = url;
      frame.width = "100%";
      overlay.append(frame);
      document.body.append(overlay);
      document.body.style.overflow = "hidden";
    } };`;
  const styles = ".provider-overlay { position: fixed; inset: 0 }";
  await provideWidget(page, undefined, { script, styles });
  await page.route("https://scheduling.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><p>Pick a time</p>" }),
  );
}
