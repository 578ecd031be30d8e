import { expect, test } from "vitest";
import { formatPublishDate, isoPublishDate, publishMoment } from "./publish-date.server.ts";

test.each([
  // A bare date is that calendar day, and a time without an offset stays on its day.
  ["2026-01-01", "January 1, 2026"],
  ["2026-11-16T00:00:00", "November 16, 2026"],
  ["2026-11-16 23:30:00.5", "November 16, 2026"],
  ["2026-11-16T03:00:00+00:00", "November 15, 2026"],
  [null, null],
])("%s is shown as %s", (publishDate, shown) => {
  expect(formatPublishDate(publishDate)).toBe(shown);
});

test.each([
  ["2026-11-16", "2026-11-16T00:00:00-05:00"],
  ["2026-11-16 09:30:00", "2026-11-16T09:30:00-05:00"],
  // Clocks change at two on these days, so midnight has the offset of the day before.
  ["2026-03-08", "2026-03-08T00:00:00-05:00"],
  ["2026-11-01", "2026-11-01T00:00:00-04:00"],
])("%s is %s in structured data", (publishDate, expected) => {
  expect(isoPublishDate(publishDate)).toBe(expected);
});

test.each(["", "soon", "2026-13-01", "2026-02-30", "0000-00-00", "2026-11-16 09:75:00"])(
  "%j is no date",
  (text) => {
    expect(publishMoment(text)).toBeNull();
    expect(isoPublishDate(text)).toBeNull();
  },
);
