import { expect, test } from "vitest";
import { hours } from "#content/hours.ts";
import { openingState } from "./open-now.tsx";

test.each([
  ["2026-11-25T14:00:00Z", "Open now"], // Wednesday, 9:00 in Toronto
  ["2026-11-25T13:59:00Z", "Opens 9 AM"],
  ["2026-11-25T23:00:00Z", "Opens Thursday 9 AM"], // 18:00, closed
  ["2026-11-27T23:30:00Z", "Opens Monday 9 AM"], // Friday evening
  ["2026-11-29T15:00:00Z", "Opens Monday 9 AM"], // Sunday
  ["2026-07-06T13:30:00Z", "Open now"], // Monday, 9:30 in summer
])("at %s it says %s", (moment, state) => {
  expect(openingState(new Date(moment), hours)).toBe(state);
});
