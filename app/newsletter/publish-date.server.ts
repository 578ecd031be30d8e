import { formatLongDate, inToronto, torontoMoment } from "#content/toronto-time.ts";

// A day, or a time without an offset as from a `timestamp` column.
const localTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?$/;

/** US English long form: a bare day as it is, a time with an offset in Toronto. Null if malformed. */
export function formatPublishDate(publishDate: string | null): string | null {
  if (!publishDate) return null;
  const [, day] = localTime.exec(publishDate) ?? [];
  const moment = new Date(day ? `${day}T12:00Z` : publishDate);
  return Number.isNaN(moment.getTime()) ? null : formatLongDate(moment);
}

/** A bare day begins at midnight in Toronto. Null if malformed. */
export function publishMoment(publishDate: string | null): Date | null {
  if (!publishDate) return null;
  const [, day, time = "00:00"] = localTime.exec(publishDate) ?? [];
  if (day) return torontoMoment(`${day}T${time}`);
  const moment = new Date(publishDate);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** RFC 3339: `2026-11-16T00:00:00-05:00`. */
function torontoTimestamp(moment: Date): string {
  const local = inToronto(moment.getTime());
  return local.toString({ smallestUnit: "second", timeZoneName: "never" });
}

/** RFC 822: `Mon, 16 Nov 2026 00:00:00 -0500`. */
export function torontoRfc822(moment: Date): string {
  const { offset, offsetNanoseconds } = inToronto(moment.getTime());
  const local = new Date(moment.getTime() + offsetNanoseconds / 1_000_000).toUTCString();
  return local.replace("GMT", offset.replace(":", ""));
}

/** Null if the text doesn't begin with a day. */
export function isoPublishDate(publishDate: string | null): string | null {
  const moment = /^\d{4}-\d{2}-\d{2}/.test(publishDate ?? "") ? publishMoment(publishDate) : null;
  return moment && torontoTimestamp(moment);
}

/** The later of publication and edit; null for a missing or future date. */
export function lastModified(
  publishDate: string | null,
  editedAt: string | undefined,
  now: Date,
): string | null {
  const publishedAt = publishMoment(publishDate);
  if (publishedAt === null || publishedAt > now) return null;
  const edited = new Date(editedAt ?? 0);
  return torontoTimestamp(edited > publishedAt ? edited : publishedAt);
}
