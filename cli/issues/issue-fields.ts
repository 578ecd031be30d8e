import { isPublishDate } from "#newsletter/issues.ts";
import { parseMoment, torontoDate } from "../terminal.ts";

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

/**
 * The calendar day, `YYYY-MM-DD`, that a date or a time names, or null where it names none. A time with an offset is
 * the day that it was in Toronto, as the site shows such times; one without is the day it is written with.
 */
export function calendarDate(text: string): string | null {
  const given = text.trim();
  if (isPublishDate(given)) return given;
  const moment = parseMoment(given);
  return moment && (moment.isZoned ? torontoDate(moment.at) : moment.day);
}
