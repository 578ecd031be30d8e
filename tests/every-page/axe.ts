import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const rulesets = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds against WCAG 2.2 AA and its best practices: a line for each faulty element. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The page has no frames, and the legacy way spares a second tab for each run.
  const { violations } = await new AxeBuilder({ page })
    .withTags(rulesets)
    .setLegacyMode(true)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
