import { timeZone } from "#content/site.ts";
import { torontoDay } from "#content/toronto-time.ts";
import type { DaySpan } from "./data/read-visit-sums.ts";
import type { TimeSpan } from "./data/time-span.ts";

/** A month or a week in Toronto, the last of them as far as it has gone. */
export type Bucket = {
  span: TimeSpan;
  days: DaySpan;
  /** `Nov 2026`, or the Monday of a week: `Nov 16`. */
  label: string;
  /** Midnight of its first day and of the day after its last, as UTC has them: a chart's axis knows no zones. */
  start: Date;
  end: Date;
};

export type ReportPeriod = {
  months: Bucket[];
  weeks: Bucket[];
  span: TimeSpan;
  days: DaySpan;
  /** `December 2025 to November 2026`. */
  label: string;
  today: string;
};

/** Beyond this a chart of weeks is a comb, and months tell more. */
const weeksMaxMonths = 13;

/** The latest months in Toronto, the one under way among them. */
export function reportPeriod(now: Date, monthsCount: number): ReportPeriod {
  const today = torontoDay(now.getTime());
  const thisMonth = today.with({ day: 1 });
  const first = thisMonth.subtract({ months: monthsCount - 1 });
  const end = today.add({ days: 1 });
  const months = Array.from({ length: monthsCount }, (_, index) => {
    const from = first.add({ months: index });
    return bucketOf(from, earlier(from.add({ months: 1 }), end), words(from, monthWords));
  });
  const weeks: Bucket[] = [];
  for (
    let from = first.subtract({ days: first.dayOfWeek - 1 });
    Temporal.PlainDate.compare(from, end) < 0;
    from = from.add({ days: 7 })
  ) {
    weeks.push(bucketOf(from, earlier(from.add({ days: 7 }), end), words(from, dayWords)));
  }
  const names = [words(first, longMonthWords), words(thisMonth, longMonthWords)];
  return {
    months,
    weeks: monthsCount > weeksMaxMonths ? months : weeks,
    span: { from: momentOf(first), to: momentOf(end) },
    days: { firstDay: first.toString(), lastDay: today.toString() },
    label: [...new Set(names)].join(" to "),
    today: words(today, { month: "long", day: "numeric", year: "numeric" }),
  };
}

const monthWords: Intl.DateTimeFormatOptions = { month: "short", year: "numeric" };
const longMonthWords: Intl.DateTimeFormatOptions = { month: "long", year: "numeric" };
const dayWords: Intl.DateTimeFormatOptions = { month: "short", day: "numeric" };

function bucketOf(from: Temporal.PlainDate, to: Temporal.PlainDate, label: string): Bucket {
  return {
    span: { from: momentOf(from), to: momentOf(to) },
    days: { firstDay: from.toString(), lastDay: to.subtract({ days: 1 }).toString() },
    label,
    start: new Date(from.toString()),
    end: new Date(to.toString()),
  };
}

function earlier(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? one : other;
}

/** When a day begins in Toronto. */
function momentOf(day: Temporal.PlainDate): string {
  return new Date(day.toZonedDateTime(timeZone).startOfDay().epochMilliseconds).toISOString();
}

function words(day: Temporal.PlainDate, options: Intl.DateTimeFormatOptions): string {
  return day.toLocaleString("en-US", options);
}
