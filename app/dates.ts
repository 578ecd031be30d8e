import { timeZone } from "#content/site.ts";

const longDate = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeZone,
});

const longCalendarDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** `November 21, 2026`: the day that it is in Toronto at the given moment. */
export function formatLongDate(moment: Date): string {
  return longDate.format(moment);
}

const year = new Intl.DateTimeFormat("en-US", { year: "numeric", timeZone });

/** The year that it is in Toronto at the given moment. */
export function torontoYear(moment: Date): number {
  return Number(year.format(moment));
}

// A calendar day, alone or with a time that names no offset, as a column of type `timestamp` gives it.
const calendarDay = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;

/**
 * An issue's date in US English long form. A bare `YYYY-MM-DD` is that calendar day wherever the reader is; a full
 * time with an offset is the day that it was in Toronto. Null where the text is no date.
 */
export function formatPublishDate(publishDate: string | null): string | null {
  if (!publishDate) return null;
  const [, day] = calendarDay.exec(publishDate) ?? [];
  const moment = new Date(day ? `${day}T00:00:00Z` : publishDate);
  if (Number.isNaN(moment.getTime())) return null;
  return (day ? longCalendarDate : longDate).format(moment);
}
