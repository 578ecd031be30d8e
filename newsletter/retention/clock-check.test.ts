import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { isClockTrusted } from "./clock-check.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const start = Date.parse("2026-11-21T12:00:00Z");

describeOnEachDatabase("the clock to delete by", (database) => {
  const isTrusted = (afterStartMs: number) =>
    isClockTrusted(database.db, new Date(start + afterStartMs));

  test("is trusted at first and while it goes on evenly, with weeks of rest in between", async () => {
    for (const day of [0, 0.25, 0.25, 1, 20, 45]) expect(await isTrusted(day * dayMs)).toBe(true);
  });

  test("is not trusted after a jump of years until it has gone on for a day", async () => {
    const years = 3650 * dayMs;
    expect(await isTrusted(0)).toBe(true);
    expect(await isTrusted(years)).toBe(false);
    expect(await isTrusted(years + 6 * hourMs)).toBe(false);
    expect(await isTrusted(years + 25 * hourMs)).toBe(true);
  });

  test("is not trusted when it has been put right again until a day later", async () => {
    expect(await isTrusted(0)).toBe(true);
    expect(await isTrusted(400 * dayMs)).toBe(false);
    expect(await isTrusted(hourMs)).toBe(false);
    expect(await isTrusted(26 * hourMs)).toBe(true);
  });
});
