import type { Page } from "@playwright/test";

/**
 * Runs in the page: whether its script has brought it alive. On the site it comes at the first sign of a visitor's hand, at
 * the desk by itself; until then forms and links work without it. Any other page has none.
 */
export function scriptsAreUp(): boolean {
  const isDesks = "__reactRouterContext" in window;
  if (!isDesks && !document.querySelector(".menu-toggle")) return true;
  document.dispatchEvent(new Event("pointerdown"));
  return document.documentElement.dataset.alive === "";
}

/** Gives the page a sign of a hand. Rejects where its script doesn't come. */
export async function untilScriptsAreUp(page: Page): Promise<void> {
  await page.waitForFunction(scriptsAreUp);
}
