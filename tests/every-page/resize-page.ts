import type { Page } from "@playwright/test";

/**
 * Makes a page's window so wide, and waits until it is drawn so: until then Chromium can answer with a mixture of the old
 * and the new width for elements sized by their container.
 */
export async function resizePage(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  // The page hears of its new width after the browser has, and frames of the old one may be drawn until then.
  await page.evaluate(async (wanted) => {
    const nextFrame = () => new Promise(requestAnimationFrame);
    while (innerWidth !== wanted) await nextFrame();
    for (let frame = 0; frame < 2; frame += 1) await nextFrame();
  }, width);
}
