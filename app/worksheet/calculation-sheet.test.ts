import { expect, test } from "vitest";
import { businessOperations } from "#content/use-cases/business-operations.ts";
import { clientManagement } from "#content/use-cases/client-management.ts";
import { leads } from "#content/use-cases/leads.ts";
import { broughtMessage, exampleTexts, readNumber, sheetSum } from "./calculation-sheet.tsx";

// Calculated by hand: 12 minutes of an hour's rate, 1 in 5, 8% of a year for 16 of 30 days.
test.each([
  [leads, 1_100],
  [businessOperations, 19_840],
  [clientManagement, 13_936],
])("the example sheet of %o comes to its printed sum", ({ worksheet }, sum) => {
  expect(sheetSum(worksheet, exampleTexts(worksheet))).toBe(sum);
});

test.each([
  ["$1,100", 1_100],
  [" 1 100 ", 1_100],
  ["0.5", 0.5],
  ["0,5", 0.5],
  [",5", 0.5],
  ["0,125", 0.125],
  ["1,000,000", 1_000_000],
  ["$1,100.50", 1_100.5],
  ["1\u00a0100,50 $", 1_100.5],
  ["1.100,50", 1_100.5],
  ["1,2,3", null],
  ["", null],
  ["-3", null],
  ["1e9", null],
  ["ten", null],
  ["9999999999", null],
])("“%s” reads as %s", (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test.each([
  [["10", "5", "400", "5", "1", "60"], 1_100],
  [["10", "", "400", "5", "1", "60"], null],
  [["2,000,000", "1", "500", "5", "1", "60"], null],
])(
  "the fields %j come to %s: none without a number in each, and none too large to bring",
  (texts, sum) => {
    expect(sheetSum(leads.worksheet, texts)).toBe(sum);
  },
);

test("an address brings a sum, or the fields of a visitor without scripts", () => {
  const sheets = [leads.worksheet];
  const said =
    "I worked out what missed leads cost us: $1,420 a week. I would like to talk about that.";
  expect(broughtMessage("?sheet=leads&sum=1420", sheets)).toBe(said);
  expect(broughtMessage("?n=14&n=5&n=400&n=5&n=1&n=60&sheet=leads", sheets)).toBe(said);
});

test.each(["", "?sheet=leads", "?sheet=leads&sum=buy+now", "?sheet=constructor&sum=5", "?sum=5"])(
  "an address with %j brings no message",
  (search) => {
    expect(broughtMessage(search, [leads.worksheet])).toBe("");
  },
);
