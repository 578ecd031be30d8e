import { timeZone } from "./site.ts";

/** Made at its first use: the first format costs a browser milliseconds of a press. */
function dateFormat(locale: string, options: Intl.DateTimeFormatOptions) {
  let made: Intl.DateTimeFormat | undefined;
  return (moment: Date) => {
    made ??= new Intl.DateTimeFormat(locale, { timeZone, ...options });
    return made.format(moment);
  };
}

const longFormat = dateFormat("en-US", {
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** `November 21, 2026 at 9:05 AM EST`. */
export function longTorontoTime(isoTime: string): string {
  return longFormat(new Date(isoTime));
}

const shortFormat = dateFormat("en-CA", {
  weekday: "short",
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

/** `Sat, Nov 21, 2026, 9:05 a.m.`. */
export function shortTorontoTime(isoTime: string): string {
  return shortFormat(new Date(isoTime));
}

/** Swedish dates are ISO 8601. Not every browser has Temporal. */
const isoDay = dateFormat("sv-SE", { dateStyle: "short" });
const weekday = dateFormat("en-CA", { weekday: "long" });
const dayOfYear = dateFormat("en-CA", { month: "short", day: "numeric" });
const dayAndYear = dateFormat("en-CA", { year: "numeric", month: "short", day: "numeric" });

/**
 * `just now`, `12 min ago`, `3 h ago`, `yesterday`, `Monday`, `Nov 12` or `Nov 12, 2025`, by Toronto's days. What is still
 * to come is written out.
 */
export function timeAgo(isoTime: string, nowMs: number): string {
  const moment = new Date(isoTime);
  const minutes = Math.floor((nowMs - moment.getTime()) / 60_000);
  if (minutes < -1) return shortTorontoTime(isoTime);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const [then, today] = [isoDay(moment), isoDay(new Date(nowMs))];
  if (then === today) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.round((Date.parse(today) - Date.parse(then)) / 86_400_000);
  if (days === 1) return "yesterday";
  if (days < 7) return weekday(moment);
  return then.slice(0, 4) === today.slice(0, 4) ? dayOfYear(moment) : dayAndYear(moment);
}

/** `Nov 16, 2026`, of a moment or of a day such as `2026-11-16`. */
export function shortDay(at: string): string {
  return dayAndYear(new Date(at.length === 10 ? `${at}T12:00Z` : at));
}

/** `Nov 16`, of a day such as `2026-11-16`. */
export function monthDay(day: string): string {
  return dayOfYear(new Date(`${day}T12:00Z`));
}

/** A day to come, such as `2026-11-30`, on the day `today`: `today`, `tomorrow`, `on Mon, Nov 30`. */
export function dayAhead(day: string, today: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  if (days === 0) return "today";
  if (days === 1) return "tomorrow";
  return `on ${utcDay(new Date(day))}`;
}

const utcDay = dateFormat("en-CA", {
  timeZone: "UTC",
  weekday: "short",
  month: "short",
  day: "numeric",
});

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

/** The next moment at which clocks in Toronto show such a time as `09:00`. */
export function nextTorontoTime(timeMs: number, time: string): number {
  const now = inToronto(timeMs);
  const today = now.withPlainTime(time);
  const next = today.epochMilliseconds > timeMs ? today : today.add({ days: 1 });
  return next.epochMilliseconds;
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

/** Reads an hour that somebody chose on Toronto's clocks, such as `2026-11-30T07:30`; empty for now. */
export function readHour(
  text: string,
): { ok: true; at: Date | null } | { ok: false; problem: string } {
  if (text === "") return { ok: true, at: null };
  const at = torontoMoment(text.replace(" ", "T"));
  if (!at) return { ok: false, problem: "Choose a day and an hour, such as 2026-11-30 07:30." };
  const wanted = text.replace("T", " ");
  if (torontoTime(at) === wanted) return { ok: true, at };
  const problem = `Toronto’s clocks skip ${wanted}: they go forward that night. ${torontoTime(at)} would do.`;
  return { ok: false, problem };
}

/** The next Monday, 7:00: the moment, and as `readHour` takes it. */
export function mondayMorning(moment: Date): { at: string; value: string } {
  const timeMs = moment.getTime();
  const now = inToronto(timeMs);
  const monday = now.add({ days: (8 - now.dayOfWeek) % 7 }).withPlainTime("07:00");
  const next = monday.epochMilliseconds > timeMs ? monday : monday.add({ days: 7 });
  const value = next.toPlainDateTime().toString({ smallestUnit: "minute" });
  return { at: new Date(next.epochMilliseconds).toISOString(), value };
}

export function inToronto(timeMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(timeZone);
}

/** `November 21, 2026`, in Toronto's time. */
export const formatLongDate = dateFormat("en-US", { dateStyle: "long" });

const year = dateFormat("en-US", { year: "numeric" });

export function torontoYear(moment: Date): number {
  return Number(year(moment));
}

/** `Monday 7:00 a.m.`. */
export const weekHour = dateFormat("en-CA", {
  weekday: "long",
  hour: "numeric",
  minute: "2-digit",
});

/** `Monday 09:05`. */
export const torontoWeekTime = dateFormat("en-US", {
  weekday: "long",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
