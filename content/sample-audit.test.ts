import { expect, test } from "vitest";
import { automationRows } from "./sample-audit.ts";

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

test("each automation's return is worked out from its hours", () => {
  const rows = automationRows();
  expect(rows.map(({ saved }) => saved)).toEqual([4320, 6480, 8640, 3240, 10800]);
  expect(rows.map(({ months }) => Number(months.toFixed(1)))).toEqual([4, 4.8, 6, 6, 7.5]);
  expect(sum(rows.map(({ saved }) => saved))).toBe(33_480);
  expect(sum(rows.map(({ build }) => build))).toBe(15_140);
  expect(sum(rows.map(({ run }) => run))).toBe(3_160);
  expect(sum(rows.map(({ hours }) => hours))).toBe(15.5);
});

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
