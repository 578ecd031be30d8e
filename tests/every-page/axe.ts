import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, ElementContext, RunOptions } from "axe-core";

export const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const rulesets = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** All faults, and no list of what is in order: naming each element of that took half of the time. */
const axeOptions: RunOptions = {
  runOnly: { type: "tag", values: rulesets },
  resultTypes: ["violations"],
};

/** Data that crosses to the page. An empty `within` means the whole page. */
type Audit = { options: string; within: string[] };

export function audit(within: string[] = [], options: RunOptions = axeOptions): Audit {
  return { options: JSON.stringify(options), within };
}

type WithAxe = Window & {
  axe?: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> };
};

/** Runs in the page, which has `axe`: a line for each faulty element. */
export async function runAudit({ options, within }: Audit): Promise<string[]> {
  const { axe } = window as WithAxe;
  if (!axe) throw new Error("The page has no axe.");
  const context = within.length > 0 ? { include: within.map((selector) => [selector]) } : document;
  const { violations } = await axe.run(context, JSON.parse(options));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** Returns a line for each element that is faulty by WCAG 2.2 AA, axe's best practices or other options. */
export async function accessibilityFaults(
  page: Page,
  within: string[] = [],
  options?: RunOptions,
): Promise<string[]> {
  // Loading it takes a third as long as running it.
  const isThere = await page.evaluate(() => (window as WithAxe).axe !== undefined);
  if (!isThere) await page.evaluate(axeSource);
  return await page.evaluate(runAudit, audit(within, options));
}
