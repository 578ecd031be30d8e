import type { Page } from "@playwright/test";
import { expect, test } from "../site-test.ts";
import { missingPageComplaint, sitePages } from "./routes.ts";

test.describe.configure({ mode: "parallel" });

for (const path of ["/", "/contact", "/newsletter/1"]) {
  test(`the first Tab on ${path} shows the skip link, which leads past the bar`, async ({
    page,
  }) => {
    await page.goto(path);
    await page.keyboard.press("Tab");
    const skipLink = page.getByRole("link", { name: "Skip to the content" });
    await expect(skipLink).toBeFocused();
    await expect(skipLink).toBeInViewport();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main")?.id)).toBe("main");
  });
}

for (const { name, path, status } of sitePages) {
  test(`on ${name} the focus is seen, and never under the bar`, async ({ page, expectConsole }) => {
    if (status === 404) expectConsole(missingPageComplaint);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(path);
    // From here on the browser takes focus to come by the keyboard, so :focus-visible holds.
    await page.keyboard.press("Tab");
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await focusFaults(page), `at ${width} px`).toEqual([]);
    }
  });
}

/** Gives the focus to everything that takes it, from the last to the first, and tells where it isn't seen. */
function focusFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const bar = document.querySelector("body > header");
    const stops = [
      ...document.querySelectorAll<HTMLElement>("main a, main button, main input, main select"),
      ...document.querySelectorAll<HTMLElement>("main textarea, main summary, footer a"),
    ].filter((element) => element.checkVisibility() && element.tabIndex >= 0);
    window.scrollTo(0, document.body.scrollHeight);
    const found: string[] = [];
    // Backwards, as Shift+Tab goes: each stop comes into the window from above, where the bar is.
    for (const element of stops.reverse()) {
      element.focus();
      if (document.activeElement !== element) continue;
      const words = element.outerHTML.slice(0, 120);
      const box = element.getBoundingClientRect();
      const barEnd = bar?.getBoundingClientRect().bottom ?? 0;
      if (box.top < barEnd - 1) found.push(`${box.top} px is under the bar: ${words}`);
      if (box.top >= window.innerHeight) found.push(`below the window: ${words}`);
      const focused = looks(element);
      element.blur();
      if (looks(element) === focused) found.push(`looks the same with the focus: ${words}`);
    }
    return found;

    // The mark may stand on a box around the element: a whole tile, a row of a form.
    function looks(element: Element): string {
      const boxes = [element, element.parentElement, element.closest("li")];
      return boxes
        .flatMap((box) => (box ? [null, "::before", "::after"].map((part) => [box, part]) : []))
        .map(([box, part]) => {
          const style = getComputedStyle(box as Element, part as string | null);
          return `${style.outline} ${style.boxShadow} ${style.backgroundColor} ${style.border}`;
        })
        .join();
    }
  });
}
