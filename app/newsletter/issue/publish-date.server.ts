import { formatLongDate } from "../../dates.ts";

const monthName = new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" });
const monthNames = Array.from({ length: 12 }, (_, month) =>
  monthName.format(Date.UTC(2026, month)),
);

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
  if (!day) return formatLongDate(moment);
  // Written out, since the archive's page has hundreds of them and a formatter takes its time over each.
  return `${monthNames[moment.getUTCMonth()]} ${moment.getUTCDate()}, ${moment.getUTCFullYear()}`;
}
