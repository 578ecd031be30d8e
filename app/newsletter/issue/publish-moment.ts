import { timeZone } from "#content/site.ts";

// A calendar day, alone or with a time that names no offset, as a column of type `timestamp` gives it.
const localTime = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;

/**
 * The moment of an issue's `publish_date`. A bare day begins at midnight in Toronto, and a time without an offset is
 * Toronto's. Null where the text is no date.
 */
export function publishMoment(publishDate: string | null): Date | null {
  if (!publishDate) return null;
  const parts = localTime.exec(publishDate);
  if (!parts) return validDate(publishDate);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const asUtc = validDate(new Date(Date.UTC(year, month - 1, day, hour, minute, second)));
  // A day that the month doesn't have would roll over into the next.
  if (asUtc?.getUTCDate() !== day || asUtc.getUTCMonth() !== month - 1) return null;
  // Toronto's offset at the first guess is right but for the hour of a clock change; the second guess settles that.
  const guess = new Date(asUtc.getTime() - torontoOffsetMinutes(asUtc) * 60_000);
  return new Date(asUtc.getTime() - torontoOffsetMinutes(guess) * 60_000);
}

/** RFC 3339 with Toronto's offset: `2026-11-16T00:00:00-05:00`. */
export function torontoTimestamp(moment: Date): string {
  const offset = torontoOffsetMinutes(moment);
  const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return local + written(offset, ":");
}

/** RFC 822 as RSS asks for it, with Toronto's offset: `Mon, 16 Nov 2026 00:00:00 -0500`. */
export function torontoRfc822(moment: Date): string {
  const offset = torontoOffsetMinutes(moment);
  const local = new Date(moment.getTime() + offset * 60_000).toUTCString();
  return local.replace("GMT", written(offset, ""));
}

/** ISO 8601: a bare day as it is, a time with its offset. Null where the text is no date. */
export function isoPublishDate(publishDate: string | null): string | null {
  const moment = publishMoment(publishDate);
  if (!publishDate || !moment) return null;
  return /^\d{4}-\d{2}-\d{2}$/.test(publishDate) ? publishDate : torontoTimestamp(moment);
}

// Making one takes far longer than using it.
const longOffset = new Intl.DateTimeFormat("en-US", {
  timeZone,
  timeZoneName: "longOffset",
});

/** Offsets of whole months; null for one in which the clocks change. */
const offsetsByMonth = new Map<string, number | null>();

/** What Toronto's clocks are ahead of UTC at a moment: -300 or -240. */
function torontoOffsetMinutes(moment: Date): number {
  const month = moment.toISOString().slice(0, -"-01T00:00:00.000Z".length);
  const known = offsetsByMonth.get(month);
  if (known === undefined) offsetsByMonth.set(month, offsetOfMonth(moment));
  return offsetsByMonth.get(month) ?? readOffset(moment);
}

function offsetOfMonth(moment: Date): number | null {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()];
  const atStart = readOffset(new Date(Date.UTC(year, month, 1)));
  return atStart === readOffset(new Date(Date.UTC(year, month + 1, 1))) ? atStart : null;
}

function readOffset(moment: Date): number {
  const named = longOffset.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(named ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

function written(offset: number, separator: string): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const size = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${separator}${two(size % 60)}`;
}

function validDate(from: string | Date): Date | null {
  const date = new Date(from);
  return Number.isNaN(date.getTime()) ? null : date;
}
