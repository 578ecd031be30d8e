import { timeZone } from "./site.ts";

const format = new Intl.DateTimeFormat("en-US", {
  timeZone,
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** `November 21, 2026 at 9:05 AM EST`. */
export function longTorontoTime(isoTime: string): string {
  return format.format(new Date(isoTime));
}

const shortFormat = new Intl.DateTimeFormat("en-CA", {
  timeZone,
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

/** `Nov 21, 2026, 9:05 a.m.`. */
export function shortTorontoTime(isoTime: string): string {
  return shortFormat.format(new Date(isoTime));
}

/** `2026-11-21 09:05`. Empty for null. */
export function torontoTime(moment: Date | string | null): string {
  if (moment === null) return "";
  const local = inToronto(new Date(moment).getTime()).toPlainDateTime();
  return local.toString({ smallestUnit: "minute" }).replace("T", " ");
}

/** `2026-11-21`. */
export function torontoDate(moment: Date): string {
  return torontoDay(moment.getTime()).toString();
}

/** The day in Toronto; `timeMs` counts from 1970. */
export function torontoDay(timeMs: number): Temporal.PlainDate {
  return inToronto(timeMs).toPlainDate();
}

/** When a day such as `2026-11-21` begins in Toronto, ISO 8601 in UTC. Throws where the calendar has no such day. */
export function startOfTorontoDay(day: string): string {
  const { epochMilliseconds } = Temporal.PlainDate.from(day).toZonedDateTime(timeZone);
  return new Date(epochMilliseconds).toISOString();
}

/** The end of the given moment's day in Toronto, which may have 23 or 25 hours. */
export function nextTorontoMidnight(timeMs: number): number {
  return inToronto(timeMs).add({ days: 1 }).startOfDay().epochMilliseconds;
}

/**
 * The moment of a local time in Toronto, such as `2026-11-30T07:30`; the earlier one when autumn repeats the hour. Null
 * if the text isn't a time.
 */
export function torontoMoment(localTime: string): Date | null {
  try {
    const local = Temporal.PlainDateTime.from(localTime);
    return new Date(local.toZonedDateTime(timeZone).epochMilliseconds);
  } catch {
    return null;
  }
}

export function inToronto(timeMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(timeZone);
}

const longDate = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeZone,
});

/** `November 21, 2026`, in Toronto's time. */
export function formatLongDate(moment: Date): string {
  return longDate.format(moment);
}

const year = new Intl.DateTimeFormat("en-US", { year: "numeric", timeZone });

export function torontoYear(moment: Date): number {
  return Number(year.format(moment));
}
