import { expect, it } from "vitest";
import { calendarDate } from "./issue-fields.ts";

it.each([
  ["2026-11-21", "2026-11-21"],
  [" 2024-02-29 ", "2024-02-29"],
  ["2026-11-21T09:30:00", "2026-11-21"],
  ["2026-11-21 09:30:00.123", "2026-11-21"],
  // Four in the morning in London is still the evening before in Toronto.
  ["2026-11-21T04:00:00Z", "2026-11-20"],
  ["2026-11-21 04:00:00+00", "2026-11-20"],
  ["2026-11-21T23:30:00-05:00", "2026-11-21"],
  ["2026-11-21T23:30:00.5-08:00", "2026-11-22"],
])("reads %s as %s", (text, day) => {
  expect(calendarDate(text)).toBe(day);
});

it.each([
  "2026-13-01",
  "2026-02-30",
  "2025-02-29",
  "21/11/2026",
  "2026-1-2",
  "tomorrow",
  "",
  "20261121",
  "2026-02-30T10:00:00Z",
  "2026-11-21T25:00:00Z",
])("finds no date in %j", (text) => {
  expect(calendarDate(text)).toBeNull();
});
