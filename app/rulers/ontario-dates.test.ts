import { expect, test } from "vitest";
import {
  estimateRoom,
  interestPerDay,
  invoiceDays,
  lienDays,
  readDay,
} from "./ontario-dates.server.ts";

const day = (text: string) => Temporal.PlainDate.from(text);
const written = (days: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(days).map(([name, value]) => [name, value?.toString() ?? null]),
  );

test.each([
  // Over the end of a month, of a year, of February in a leap year and in another, and of daylight saving time.
  ["2026-01-31", "2026-02-07", "2026-02-14", "2026-02-28"],
  ["2026-12-15", "2026-12-22", "2026-12-29", "2027-01-12"],
  ["2028-02-15", "2028-02-22", "2028-02-29", "2028-03-14"],
  ["2027-02-15", "2027-02-22", "2027-03-01", "2027-03-15"],
  ["2026-03-01", "2026-03-08", "2026-03-15", "2026-03-29"],
  ["2026-10-25", "2026-11-01", "2026-11-08", "2026-11-22"],
])(
  "an invoice received on %s has its days counted without the first",
  (received, objection, notice, due) => {
    const days = invoiceDays(day(received));
    expect(written(days)).toMatchObject({ rule: "from2026", objection, notice, due });
    expect(days.interest.since(days.due).days).toBe(1);
  },
);

test("an invoice from before 2026 has no seventh day, and one from before October 2019 no days by this law", () => {
  expect(written(invoiceDays(day("2025-12-31")))).toMatchObject({
    rule: "before2026",
    objection: null,
    notice: "2026-01-14",
    due: "2026-01-28",
  });
  expect(invoiceDays(day("2026-01-01")).rule).toBe("from2026");
  expect(invoiceDays(day("2019-09-30")).rule).toBe("none");
  expect(invoiceDays(day("2019-10-01")).rule).toBe("before2026");
});

test("interest is simple, by the day", () => {
  expect(interestPerDay(36_500, 10)).toBe(10);
  expect(interestPerDay(10_000, 0)).toBe(0);
});

test("a bill may pass an estimate by ten per cent, and each extra takes from that", () => {
  expect(estimateRoom(1_000_000, [45_000, 30_000, 40_000])).toEqual({
    cap: 1_100_000,
    room: 100_000,
    after: [55_000, 25_000, -15_000],
  });
  // Never rounded up: a cent over is over.
  expect(estimateRoom(99_999, [])).toEqual({ cap: 109_998, room: 9_999, after: [] });
});

test("a lien is preserved within 60 days and perfected within 90 more", () => {
  expect(written(lienDays(day("2026-02-02"), day("2027-12-31")))).toMatchObject({
    rule: "now",
    preserve: "2028-02-29",
    perfect: "2028-05-29",
  });
  expect(written(lienDays(day("2018-07-01"), day("2026-06-30")))).toMatchObject({
    rule: "transition",
    preserve: "2026-08-29",
    perfect: "2026-11-27",
  });
});

test("a contract from before July 2018 has 45 days for each step, and no yearly release", () => {
  const days = lienDays(day("2018-06-30"), day("2026-06-30"));
  expect(written(days)).toEqual({
    rule: "old",
    preserve: "2026-08-14",
    perfect: "2026-09-28",
    yearly: null,
  });
});

test.each([
  // A contract under the yearly release: its first anniversary. An older one: the second after January 1, 2026.
  ["2026-06-05", "2027-06-05", "2027-06-19", "2027-08-18", "2027-09-01"],
  ["2026-01-01", "2027-01-01", "2027-01-15", "2027-03-16", "2027-03-30"],
  ["2023-01-15", "2027-01-15", "2027-01-29", "2027-03-30", "2027-04-13"],
  ["2025-12-31", "2027-12-31", "2028-01-14", "2028-03-14", "2028-03-28"],
  ["2025-01-01", "2028-01-01", "2028-01-15", "2028-03-15", "2028-03-29"],
  ["2025-01-02", "2027-01-02", "2027-01-16", "2027-03-17", "2027-03-31"],
  ["2024-02-29", "2027-02-28", "2027-03-14", "2027-05-13", "2027-05-27"],
  ["2028-02-29", "2029-02-28", "2029-03-14", "2029-05-13", "2029-05-27"],
])(
  "holdback of a contract signed on %s is first released by its days",
  (contract, anniversary, notice, earliest, latest) => {
    const { yearly } = lienDays(day(contract), day("2030-01-01"));
    expect(written(yearly ?? {})).toEqual({ anniversary, notice, earliest, latest });
  },
);

test("only days that a calendar has are read", () => {
  expect(readDay("2028-02-29")?.toString()).toBe("2028-02-29");
  for (const text of [
    "2027-02-29",
    "2026-13-01",
    "1999-01-01",
    "2100-01-01",
    "2026-1-1",
    "",
    "x",
  ]) {
    expect(readDay(text), text).toBeNull();
  }
});
