import { expect, test } from "vitest";
import { leads } from "#content/use-cases/leads.ts";
import { broughtMessage, readNumber } from "./calculation-sheet.tsx";

test.each([
  ["$1,100.50", 1_100.5],
  [" 1 100 ", 1_100],
  ["1,000,000", 1_000_000],
  ["0,5", null],
  ["", null],
  ["-3", null],
  ["1e9", null],
  ["9999999999", null],
])("“%s” reads as %s", (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test.each([
  ["?sheet=leads&n=14&n=5&n=%24650&n=48", "$87,360"],
  ["?sheet=leads&n=14&n=5&n=&n=48", null],
  ["?sheet=leads&n=14&n=0&n=400&n=48", null],
  ["?sheet=leads&n=2000000&n=1&n=480&n=48", null],
  ["?n=14&n=5&n=400&n=48", null],
  ["?sheet=leads", null],
  ["", null],
])("the address %j brings %s to the contact form", (search, sum) => {
  const message = sum && `Missed calls cost us about ${sum} a year. Can we talk about that?`;
  expect(broughtMessage(search, [leads.cost])).toBe(message ?? "");
});
