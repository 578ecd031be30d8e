import { expect, test } from "vitest";
import { backOffDelayMs, defaultBackOff } from "./back-off.ts";

const hourMs = 60 * 60 * 1000;

function ceilings() {
  return Array.from({ length: defaultBackOff.maxAttempts - 1 }, (_, index) =>
    backOffDelayMs(index + 1, defaultBackOff, () => 1),
  );
}

test("the ceiling starts at ten seconds, doubles, and stops at six hours", () => {
  expect(ceilings().slice(0, 4)).toEqual([10_000, 20_000, 40_000, 80_000]);
  expect(Math.max(...ceilings())).toBe(6 * hourMs);
  expect(backOffDelayMs(1000, defaultBackOff, () => 1)).toBe(6 * hourMs);
});

test("a wait can be any part of the ceiling, none of it included", () => {
  expect(backOffDelayMs(3, defaultBackOff, () => 0)).toBe(0);
  expect(backOffDelayMs(3, defaultBackOff, () => 0.25)).toBe(10_000);
});

test("all attempts together span about a day and a half on average", () => {
  const averageMs = ceilings().reduce((sum, ms) => sum + ms / 2, 0);
  expect(averageMs / hourMs).toBeGreaterThan(33);
  expect(averageMs / hourMs).toBeLessThan(39);
});
