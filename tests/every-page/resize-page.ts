import type { Page } from "@playwright/test";

/** Until it is drawn so, Chromium may mix old and new widths of elements sized by their container. */
export async function resizePage(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  // The page hears of its new width after the browser has, and frames of the old one may be drawn until then.
  await page.evaluate(async (wanted) => {
    const nextFrame = () => new Promise(requestAnimationFrame);
    while (innerWidth !== wanted) await nextFrame();
    for (let frame = 0; frame < 2; frame += 1) await nextFrame();
  }, width);
}
