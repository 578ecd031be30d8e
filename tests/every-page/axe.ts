import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const rulesets = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * What axe finds against WCAG 2.2 AA and its best practices: a line for each faulty element, of the whole page or within
 * what the selectors name.
 */
export async function accessibilityFaults(page: Page, ...within: string[]): Promise<string[]> {
  // The page has no frames, and the legacy way spares a second tab for each run.
  const axe = new AxeBuilder({ page }).withTags(rulesets).setLegacyMode(true);
  for (const selector of within) axe.include(selector);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
