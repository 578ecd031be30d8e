import { expect, test } from "vitest";
import { type Backoff, backoffDelayMs, defaultBackoff, defaultRefusalBackoff } from "./backoff.ts";

const hourMs = 60 * 60 * 1000;

function waits(backoff: Backoff, chance: number) {
  return Array.from({ length: backoff.maxAttempts - 1 }, (_, index) =>
    backoffDelayMs(index + 1, backoff, () => chance),
  );
}

function spanHours(backoff: Backoff, chance: number) {
  return waits(backoff, chance).reduce((sum, ms) => sum + ms, 0) / hourMs;
}

test("the ceiling starts at ten seconds, doubles, and stops at six hours", () => {
  const ceilings = waits(defaultBackoff, 1);
  expect(ceilings.slice(0, 4)).toEqual([10_000, 20_000, 40_000, 80_000]);
  expect(Math.max(...ceilings)).toBe(6 * hourMs);
  expect(backoffDelayMs(1000, defaultBackoff, () => 1)).toBe(6 * hourMs);
});

test("a wait can be any part of the ceiling, none of it included", () => {
  expect(backoffDelayMs(3, defaultBackoff, () => 0)).toBe(0);
  expect(backoffDelayMs(3, defaultBackoff, () => 0.25)).toBe(10_000);
});

test("all attempts together span about a day and a half on average", () => {
  expect(spanHours(defaultBackoff, 0.5)).toBeGreaterThan(33);
  expect(spanHours(defaultBackoff, 0.5)).toBeLessThan(39);
});

test("a refusal is asked again four times, over about a day, and never at once", () => {
  expect(waits(defaultRefusalBackoff, 1).map((ms) => ms / hourMs)).toEqual([1, 3, 9, 18]);
  expect(waits(defaultRefusalBackoff, 0).map((ms) => ms / hourMs)).toEqual([0.5, 1.5, 4.5, 9]);
  expect(spanHours(defaultRefusalBackoff, 0.5)).toBeCloseTo(23.25);
});
