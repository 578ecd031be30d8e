import { expect, it } from "vitest";
import { parseTorontoMoment } from "./option-values.ts";

it.each([
  ["2026-11-30 07:30", "2026-11-30T12:30:00.000Z"],
  ["2026-07-01T07:30", "2026-07-01T11:30:00.000Z"],
  // The clocks go back: half past one comes twice.
  ["2026-11-01 01:30", "2026-11-01T05:30:00.000Z"],
])("%s in Toronto is %s", (text, moment) => {
  expect(parseTorontoMoment(text).toISOString()).toBe(moment);
});

it.each(["tomorrow", "2026-02-30 07:30", "2026-11-30 7:30", "2026-11-30 25:00"])(
  "%s is no time there",
  (text) => {
    expect(() => parseTorontoMoment(text)).toThrow("YYYY-MM-DD HH:MM");
  },
);

it.each([
  ["2026-03-08 02:30", "2026-03-08 03:30"],
  ["2027-03-14T02:00", "2027-03-14 03:00"],
])("%s is named as an hour that is on no clock, with one that is", (text, next) => {
  expect(() => parseTorontoMoment(text)).toThrow(`skip ${text.replace("T", " ")}`);
  expect(() => parseTorontoMoment(text)).toThrow(`Choose ${next}`);
});
