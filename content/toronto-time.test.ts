import { expect, test } from "vitest";
import { dayAhead, timeAgo } from "./toronto-time.ts";

test("says how long ago something was in minutes and hours, then by Toronto's days", () => {
  // Half past midnight on Sunday, November 29, in Toronto.
  const now = Date.parse("2026-11-29T05:30:00.000Z");
  const ago = (time: string) => timeAgo(time, now);
  expect(ago("2026-11-29T05:29:40.000Z")).toBe("just now");
  expect(ago("2026-11-29T05:30:40.000Z")).toBe("just now");
  expect(ago("2026-11-29T05:18:00.000Z")).toBe("12 min ago");
  // Still Saturday there.
  expect(ago("2026-11-29T04:45:00.000Z")).toBe("45 min ago");
  expect(ago("2026-11-29T04:10:00.000Z")).toBe("yesterday");
  expect(ago("2026-11-28T05:00:00.000Z")).toBe("yesterday");
  expect(ago("2026-11-28T04:59:00.000Z")).toBe("Friday");
  expect(ago("2026-11-23T15:00:00.000Z")).toBe("Monday");
  expect(ago("2026-11-22T15:00:00.000Z")).toBe("Nov 22");
  expect(ago("2025-11-29T15:00:00.000Z")).toBe("Nov 29, 2025");
  expect(ago("2026-11-30T14:00:00.000Z")).toBe("Mon, Nov 30, 2026, 9:00 a.m.");
  expect(timeAgo("2026-11-29T14:00:00.000Z", Date.parse("2026-11-29T22:59:00.000Z"))).toBe(
    "8 h ago",
  );
});

test("counts days over a change of the clocks", () => {
  // The night of November 1 has 25 hours.
  const now = Date.parse("2026-11-02T04:30:00.000Z");
  expect(timeAgo("2026-11-01T03:30:00.000Z", now)).toBe("yesterday");
  expect(timeAgo("2026-11-01T04:30:00.000Z", now)).toBe("24 h ago");
});

test("names a day to come", () => {
  expect(dayAhead("2026-11-28", "2026-11-28")).toBe("today");
  expect(dayAhead("2026-11-29", "2026-11-28")).toBe("tomorrow");
  expect(dayAhead("2026-11-30", "2026-11-28")).toBe("on Mon, Nov 30");
});
