import { expect, test } from "vitest";
import { formatPublishDate } from "./publish-date.server.ts";

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
