import type { Page } from "@playwright/test";

/**
 * Runs in the page: whether its script has brought it alive. It comes at the first sign of a visitor's hand; until then
 * forms and links work without it.
 */
export function scriptsAreUp(): boolean {
  if (!document.querySelector(".menu-toggle")) return true;
  document.dispatchEvent(new Event("pointerdown"));
  return document.documentElement.dataset.alive === "";
}

/** Gives the page a sign of a hand. Rejects where its script doesn't come. */
export async function untilScriptsAreUp(page: Page): Promise<void> {
  await page.waitForFunction(scriptsAreUp);
}
