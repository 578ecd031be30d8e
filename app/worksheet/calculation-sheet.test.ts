import { expect, test } from "vitest";
import { businessOperations } from "#content/use-cases/business-operations.ts";
import { clientManagement } from "#content/use-cases/client-management.ts";
import { contentCreation } from "#content/use-cases/content-creation.ts";
import { emailManagement } from "#content/use-cases/email-management.ts";
import { leads } from "#content/use-cases/leads.ts";
import { socialMedia } from "#content/use-cases/social-media.ts";
import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import {
  broughtMessage,
  exampleNumbers,
  lineSum,
  readNumber,
  sheetHours,
  sheetSum,
} from "./calculation-sheet.tsx";

// Calculated by hand: 5 minutes of an hour's rate, 1 in 5, 8% of a year for 16 of 30 days.
test.each([
  [leads, 1_100],
  [businessOperations, 19_840],
  [clientManagement, 13_936],
  [contentCreation, 24_760],
  [emailManagement, 18_600],
  [socialMedia, 12_180],
  [specializedAgents, 1_728],
])("the example sheet of %o comes to its printed sum", ({ cost }, sum) => {
  const { worksheet } = cost;
  expect(sheetSum(worksheet, exampleNumbers(worksheet))).toBe(sum);
});

// 5 evenings of one hour; 90 emails of 40 seconds on 230 days; 80 minutes on 21 days.
test.each([
  [leads, 5],
  [emailManagement, 230],
  [specializedAgents, 28],
])("the example sheet of %o comes to its hours", ({ cost }, hours) => {
  const { worksheet } = cost;
  expect(sheetHours(worksheet, exampleNumbers(worksheet))).toBeCloseTo(hours);
});

test.each([
  ["10", 10],
  ["$1,100", 1_100],
  [" 1 100 ", 1_100],
  ["12%", 12],
  ["0.5", 0.5],
  [".5", 0.5],
  ["3.", 3],
  ["0,5", 0.5],
  [",5", 0.5],
  ["12,50", 12.5],
  ["0,125", 0.125],
  ["1,000", 1_000],
  ["1,000,000", 1_000_000],
  ["$1,100.50", 1_100.5],
  ["1\u00a0100,50 $", 1_100.5],
  ["1.100,50", 1_100.5],
  ["1,2,3", null],
  ["1,10,000", null],
  ["", null],
  ["-3", null],
  ["1e9", null],
  ["ten", null],
  ["1.2.3", null],
  ["9999999999", null],
])("“%s” reads as %s", (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test("a field without a number, and one in none, leave no sum", () => {
  const factors = [
    { text: "# a week", value: 10, name: "calls" },
    { text: "1 in #", value: 5, name: "calls for one job", divides: true },
  ] as const;
  expect(lineSum(factors, [10, 5])).toBe(2);
  expect(lineSum(factors, [10, null])).toBeNull();
  expect(lineSum(factors, [10, 0])).toBeNull();
});

test("a sum too large to be brought along is none", () => {
  const worksheet = leads.cost.worksheet;
  const [missed, nights] = worksheet ? exampleNumbers(worksheet) : [];
  const sum = (calls: number) => worksheet && sheetSum(worksheet, [[calls, 1, 500], nights ?? []]);
  expect(missed).toHaveLength(3);
  expect(sum(1_999_999)).toBe(999_999_800);
  expect(sum(2_000_000)).toBeNull();
  expect(sum(1_000_000_000)).toBeNull();
});

test.each([
  "",
  "?sheet=leads",
  "?sheet=leads&sum=buy+now",
  "?sheet=constructor&sum=5",
  "?sheet=%3Cb%3E&sum=5",
  "?sum=5",
])("an address with %j brings no message", (search) => {
  expect(broughtMessage(search)).toBe("");
});
