import { expect, test } from "vitest";
import { automationRows } from "./sample-audit.ts";

test("the roadmap builds the quickest payback first, one project of at most two weeks after another", () => {
  const rows = automationRows();
  for (const [index, { months, fromDay, toDay }] of rows.entries()) {
    const before = rows[index - 1];
    expect(toDay - fromDay + 1).toBeLessThanOrEqual(14);
    if (!before) continue;
    expect(months).toBeGreaterThanOrEqual(before.months);
    expect(fromDay).toBeGreaterThan(before.toDay);
  }
  expect(rows.at(-1)?.toDay).toBe(90);
});
