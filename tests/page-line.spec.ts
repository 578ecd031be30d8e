import type { Page } from "@playwright/test";
import { expect, test } from "./site-test.ts";

/** A length of the page's line that a section draws: where it is on the page, and whether all of it is seen. */
function lengthsOf(page: Page) {
  return page.evaluate(() => {
    const sections = [...document.querySelectorAll("main > :has(.chalk-line) ~ :not(.closing)")];
    return sections.map((section) => {
      const { top, bottom } = section.getBoundingClientRect();
      const style = getComputedStyle(section, "::before");
      return {
        top,
        bottom,
        isDrawn: style.display !== "none" && style.borderLeftWidth === "3px",
        isWhole: style.clipPath === "none" && style.animationName === "none",
        // A tangle draws a section's length in place of the straight one.
        isTangled: section.querySelector(".beside .tangle") !== null,
      };
    });
  });
}

// Not pricing, where the line becomes the ground of the drawing.
for (const path of ["/", "/use-cases/leads", "/use-cases/social-media", "/about"]) {
  test(`on ${path} the line runs down the whole page, complete and still without motion`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(path);
    const lengths = await lengthsOf(page);
    expect(lengths.length).toBeGreaterThan(2);
    for (const [index, { top, isDrawn, isWhole, isTangled }] of lengths.entries()) {
      expect(isDrawn || isTangled, `section ${index} has its length`).toBe(true);
      expect(isWhole, `section ${index} is complete and still`).toBe(true);
      const gap = top - (lengths[index - 1]?.bottom ?? top);
      expect(gap, `nothing is open above section ${index}`).toBeLessThanOrEqual(1);
    }
    await expect(page.locator(".chalk-line-snap path").first()).toHaveCSS("animation-name", "none");
  });
}

test("the register lists every sheet with its number, its drawing, its result and a way in", async ({
  page,
}) => {
  await page.goto("/use-cases");
  const sheets = page.getByRole("tabpanel").locator(".register li");
  await expect(sheets).toHaveCount(7);
  for (const entry of await sheets.all()) {
    await expect(entry).toContainText(/U-\d/);
    await expect(entry.locator("svg.thumbnail")).toBeVisible();
    await expect(entry.locator('a[href^="/use-cases/"]')).toBeVisible();
    await expect(entry.locator("> b")).toContainText(/\d/);
  }
});
