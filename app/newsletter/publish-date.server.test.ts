import { expect, test } from "vitest";
import {
  formatPublishDate,
  isoPublishDate,
  publishMoment,
  torontoRfc822,
  torontoTimestamp,
} from "./publish-date.server.ts";

test("a bare date is that calendar day, whatever the server's time zone", () => {
  expect(formatPublishDate("2026-11-16")).toBe("November 16, 2026");
  expect(formatPublishDate("2026-01-01")).toBe("January 1, 2026");
});

test("a time without an offset stays on its day", () => {
  expect(formatPublishDate("2026-11-16T00:00:00")).toBe("November 16, 2026");
  expect(formatPublishDate("2026-11-16 23:30:00.5")).toBe("November 16, 2026");
});

test("a time with an offset is the day that it was in Toronto", () => {
  expect(formatPublishDate("2026-11-16T03:00:00+00:00")).toBe("November 15, 2026");
  expect(formatPublishDate("2026-11-16T12:00:00Z")).toBe("November 16, 2026");
});

test("what is no date has none", () => {
  expect(formatPublishDate(null)).toBeNull();
  expect(formatPublishDate("")).toBeNull();
  expect(formatPublishDate("next Monday")).toBeNull();
  expect(formatPublishDate("2026-13-40")).toBeNull();
});

function timestampOf(publishDate: string): string | null {
  const moment = publishMoment(publishDate);
  return moment && torontoTimestamp(moment);
}

test.each([
  ["2026-11-16", "2026-11-16T00:00:00-05:00"],
  ["2026-07-01", "2026-07-01T00:00:00-04:00"],
  ["2026-11-16 09:30:00", "2026-11-16T09:30:00-05:00"],
  ["2026-11-16T03:00:00+00:00", "2026-11-15T22:00:00-05:00"],
  // Clocks change at two on these days, so midnight has the offset of the day before.
  ["2026-03-08", "2026-03-08T00:00:00-05:00"],
  ["2026-11-01", "2026-11-01T00:00:00-04:00"],
])("%s is %s in Toronto", (publishDate, expected) => {
  expect(timestampOf(publishDate)).toBe(expected);
});

test("RSS gets the same moment as RFC 822 writes it", () => {
  const moment = publishMoment("2026-11-16");
  expect(moment && torontoRfc822(moment)).toBe("Mon, 16 Nov 2026 00:00:00 -0500");
});

test.each(["", "soon", "2026-13-01", "2026-02-30", "0000-00-00", "2026-11-16 09:75:00"])(
  "%j is no date",
  (text) => {
    expect(publishMoment(text)).toBeNull();
    expect(isoPublishDate(text)).toBeNull();
  },
);

test("structured data gets a moment with its offset", () => {
  expect(isoPublishDate("2026-11-16")).toBe("2026-11-16T00:00:00-05:00");
  expect(isoPublishDate("2026-11-16 09:30:00")).toBe("2026-11-16T09:30:00-05:00");
  expect(isoPublishDate("November 16, 2026")).toBeNull();
});
