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

/** The day in Toronto; `timeMs` counts from 1970. */
export function torontoDay(timeMs: number): Temporal.PlainDate {
  return inToronto(timeMs).toPlainDate();
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
