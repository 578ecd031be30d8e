import type { Page } from "@playwright/test";
import { accessibilityFaults } from "./axe.ts";
import { resizePage } from "./resize-page.ts";
import { layoutsPx } from "./routes.ts";

/**
 * Returns a line for each fault at each width, in CSS pixels: inaccessible elements, and a page wider than its window.
 * A page's state is brought about once and looked at in all widths.
 */
export async function faultsAtWidths(
  page: Page,
  within: string[] = [],
  widthsPx = layoutsPx,
): Promise<string[]> {
  const found: string[] = [];
  for (const width of widthsPx) {
    await resizePage(page, width);
    const faults = await accessibilityFaults(page, within);
    const drawn = await page.evaluate(() => document.documentElement.scrollWidth);
    if (drawn !== width) faults.push(`the page is ${drawn} px wide`);
    found.push(...faults.map((fault) => `at ${width} px: ${fault}`));
  }
  return found;
}
