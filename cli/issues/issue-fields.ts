import { isPublishDate } from "#newsletter/issues.ts";
import { torontoDate } from "../terminal.ts";

/** Longest title of an issue, in characters. */
export const issueTitleMaxLength = 200;
/** Longest body of an issue, in UTF-16 code units; a page would cut off the rest. */
export const issueBodyMaxLength = 2_000_000;
/** Largest file that is published, in bytes. */
export const issueFileMaxBytes = 4_000_000;
/** Largest file that is imported, in bytes. */
export const importFileMaxBytes = 200_000_000;

/** Text with every run of white space as one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

// A YAML timestamp, or the text of a PostgreSQL one: a day, a time, and perhaps an offset from UTC.
const timestamp =
  /^(\d{4}-\d\d-\d\d)(?:[Tt]|[ \t]+)(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(?:([Zz])|([+-]\d{1,2})(?::?(\d\d))?)?$/;

/**
 * The calendar day, `YYYY-MM-DD`, that a date or a time names, or null where it names none. A time with an offset is
 * the day that it was in Toronto, as the site shows such times; one without is the day it is written with.
 */
export function calendarDate(text: string): string | null {
  const given = text.trim();
  if (isPublishDate(given)) return given;
  const match = timestamp.exec(given);
  if (!match) return null;
  const [, day = "", hour = "", minute = "", second = "00", utc, offsetHour, offsetMinute] = match;
  const local = new Date(`${day}T${hour.padStart(2, "0")}:${minute}:${second}Z`);
  if (!isPublishDate(day) || Number.isNaN(local.getTime())) return null;
  if (utc === undefined && offsetHour === undefined) return day;
  const sign = offsetHour?.startsWith("-") ? -1 : 1;
  const minutes = Math.abs(Number(offsetHour ?? 0)) * 60 + Number(offsetMinute ?? 0);
  return torontoDate(new Date(local.getTime() - sign * minutes * 60_000));
}
