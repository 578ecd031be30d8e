import { torontoDate } from "#content/toronto-time.ts";

/** Earlier dates are typing errors; mail's dates have no such years. */
const firstPublishDate = "1990-01-01";

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

export function isPublishDate(text: string): boolean {
  return isDay(text) && text >= firstPublishDate;
}

const momentShape =
  /^(\d{4}-\d\d-\d\d)(?:T|\s+)(\d{1,2})(:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d\d)?)?(?: (?:UTC|GMT|[+-]\d{4}))?$/i;

/**
 * Reads ISO 8601 as YAML, PostgreSQL, Go and Ruby write it. UTC where no zone is given; null if
 * malformed.
 */
export function parseMoment(text: string): { day: string; at: Date; isZoned: boolean } | null {
  const [, day = "", hour = "", rest = "", zone] = momentShape.exec(text) ?? [];
  if (!isDay(day)) return null;
  const [, sign, hours = "", minutes = "00"] = /^([+-])(\d+?):?(\d\d)?$/.exec(zone ?? "") ?? [];
  const offset = sign === undefined ? "Z" : `${sign}${hours.padStart(2, "0")}:${minutes}`;
  const clock = `${hour.padStart(2, "0")}${rest.replace(/(\.\d{3})\d+$/, "$1")}`;
  const at = new Date(`${day}T${clock}${offset}`);
  return Number.isNaN(at.getTime()) ? null : { day, at, isZoned: zone !== undefined };
}

/** The day, `YYYY-MM-DD`, of a date or time, in Toronto where it has an offset. Null if malformed. */
export function calendarDate(text: string): string | null {
  const given = text.trim();
  if (isDay(given)) return given;
  const moment = parseMoment(given);
  return moment && (moment.isZoned ? torontoDate(moment.at) : moment.day);
}
