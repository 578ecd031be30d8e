import { torontoDate } from "#content/toronto-time.ts";

/** The day before which a date is a slip of the keyboard, such as the year 0026; mail's dates have no such years. */
const firstPublishDate = "1990-01-01";

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  // `Date` turns 30 February into a day of March, so compare it with what went in.
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

export function isPublishDate(text: string): boolean {
  return isDay(text) && text >= firstPublishDate;
}

const momentShape =
  /^(\d{4}-\d\d-\d\d)(?:T|\s+)(\d{1,2})(:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d\d)?)?(?: (?:UTC|GMT|[+-]\d{4}))?$/i;

/**
 * The moment that a text names, in UTC where it names no zone, or null where it names none. It is ISO 8601 as it is written by
 * YAML, PostgreSQL (`+00`), Go and Ruby (`2024-03-01 09:30:00.123 +0000 UTC`).
 */
export function parseMoment(text: string): { day: string; at: Date; isZoned: boolean } | null {
  const [, day = "", hour = "", rest = "", zone] = momentShape.exec(text) ?? [];
  if (!isDay(day)) return null;
  const [, sign, hours = "", minutes = "00"] = /^([+-])(\d+?):?(\d\d)?$/.exec(zone ?? "") ?? [];
  const offset = sign === undefined ? "Z" : `${sign}${hours.padStart(2, "0")}:${minutes}`;
  // Digits beyond milliseconds are cut off.
  const clock = `${hour.padStart(2, "0")}${rest.replace(/(\.\d{3})\d+$/, "$1")}`;
  const at = new Date(`${day}T${clock}${offset}`);
  return Number.isNaN(at.getTime()) ? null : { day, at, isZoned: zone !== undefined };
}

/**
 * The day, `YYYY-MM-DD`, that a date or a time names, or null where it names none. A time with an offset is the day that it
 * was in Toronto, as the site shows such times; one without is the day it is written with.
 */
export function calendarDate(text: string): string | null {
  const given = text.trim();
  if (isDay(given)) return given;
  const moment = parseMoment(given);
  return moment && (moment.isZoned ? torontoDate(moment.at) : moment.day);
}
