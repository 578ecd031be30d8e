import type { Page } from "@playwright/test";

/**
 * Runs in the page: whether its scripts have taken it over. They are asked for after its first paint, so the browser's
 * load event says nothing of them; until then a link loads the next page anew and a form is sent without them.
 */
export function scriptsAreUp(): boolean {
  const toggle = document.querySelector(".menu-toggle");
  return !toggle || toggle.hasAttribute("aria-expanded");
}

/** Rejects where they don't come. */
export async function untilScriptsAreUp(page: Page): Promise<void> {
  await page.waitForFunction(scriptsAreUp);
}
