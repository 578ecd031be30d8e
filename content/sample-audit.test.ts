import { expect, test } from "vitest";
import { automationRows, gapCosts, sampleAudit, workRows } from "./sample-audit.ts";

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

test("the hours of the sample audit add up, and so do their dollars", () => {
  const rows = workRows();
  expect(rows.map(({ hours }) => hours)).toEqual([2.5, 8, 2, 4, 5, 1.5]);
  expect(rows.map(({ dollars }) => dollars)).toEqual([5400, 17280, 4320, 8640, 10800, 3240]);
  expect(sum(rows.map(({ hours }) => hours))).toBe(23);
  expect(sum(rows.map(({ dollars }) => dollars))).toBe(49_680);
});

test("each automation's return is worked out from its hours, and saves no more than there are", () => {
  const rows = automationRows();
  expect(rows.map(({ saved }) => saved)).toEqual([4320, 6480, 8640, 3240, 10800]);
  expect(rows.map(({ months }) => Number(months.toFixed(1)))).toEqual([4, 4.8, 6, 6, 7.5]);
  expect(sum(rows.map(({ saved }) => saved))).toBe(33_480);
  expect(sum(rows.map(({ build }) => build))).toBe(15_140);
  expect(sum(rows.map(({ run }) => run))).toBe(3_160);
  expect(sum(rows.map(({ hours }) => hours))).toBeLessThan(
    sum(workRows().map(({ hours }) => hours)),
  );
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
  expect(rows.map(({ hoursByThen }) => hoursByThen)).toEqual([2, 5, 9, 10.5, 15.5]);
});

test("what the gap costs is worked out from its factors", () => {
  expect(gapCosts().callers).toBeCloseTo(20_160);
  expect(gapCosts().money).toBe(720);
});

test("there are two sheets to each of the four documents", () => {
  const documents = sampleAudit.sheets.map(({ document }) => document);
  expect(documents).toEqual(["A-1", "A-1", "A-2", "A-2", "A-3", "A-3", "A-4", "A-4"]);
});
