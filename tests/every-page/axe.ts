import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { RunOptions } from "axe-core";

const rulesets = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** All faults, and no list of what is in order: naming each element of that took half of the time. */
export const axeOptions = {
  runOnly: { type: "tag", values: rulesets },
  resultTypes: ["violations"],
} satisfies RunOptions;

/**
 * What axe finds against WCAG 2.2 AA and its best practices: a line for each faulty element, of the whole page or within
 * what the selectors name.
 */
export async function accessibilityFaults(page: Page, ...within: string[]): Promise<string[]> {
  // The page has no frames, and the legacy way spares a second tab for each run.
  const axe = new AxeBuilder({ page }).options(axeOptions).setLegacyMode(true);
  for (const selector of within) axe.include(selector);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
