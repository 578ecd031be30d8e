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

/** An ISO 8601 time as the firm's clock shows it: `November 21, 2026 at 9:05 AM EST`. */
export function longTorontoTime(isoTime: string): string {
  return format.format(new Date(isoTime));
}

/** The day in Toronto at a moment in milliseconds since 1970. */
export function torontoDay(timeMs: number): Temporal.PlainDate {
  return inToronto(timeMs).toPlainDate();
}

/** The moment at which the day of the given moment ends in Toronto; days of 23 and 25 hours included. */
export function nextTorontoMidnight(timeMs: number): number {
  return inToronto(timeMs).add({ days: 1 }).startOfDay().epochMilliseconds;
}

/**
 * The moment at which Toronto's clocks show a day and a time: `2026-11-30T07:30`. Of an hour that comes twice in autumn,
 * the first; null where the text is no such time.
 */
export function torontoMoment(localTime: string): Date | null {
  try {
    const local = Temporal.PlainDateTime.from(localTime);
    return new Date(local.toZonedDateTime(timeZone).epochMilliseconds);
  } catch {
    return null;
  }
}

/** A moment in milliseconds since 1970 on the firm's clock. */
export function inToronto(timeMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(timeZone);
}
