import { sql } from "kysely";
import { startOfTorontoDay, torontoDay } from "#content/toronto-time.ts";
import { contactSubjects } from "#contracts/contact-message.ts";
import type { Db, RowState, SendState, VisitKind } from "#db/tables.ts";
import { countOutboxByKind } from "#mail/outbox-list.ts";
import { readStoredCounts } from "./stored-counts.ts";

/** A month or a week in Toronto, the last one up to today. */
type Bucket = { label: string; firstDay: Temporal.PlainDate; endDay: Temporal.PlainDate };

type ReportPeriod = {
  months: Bucket[];
  /** Weeks in a report of three months or fewer, else months; messages and visits are counted by them. */
  parts: Bucket[];
  whole: Bucket;
};

/** The latest months in Toronto, the current one among them. */
export function reportPeriod(now: Date, monthsCount: number): ReportPeriod {
  const today = torontoDay(now.getTime());
  const firstDay = today.with({ day: 1 }).subtract({ months: monthsCount - 1 });
  const endDay = today.add({ days: 1 });
  function split(
    label: Intl.DateTimeFormatOptions,
    nextOf: (day: Temporal.PlainDate) => Temporal.PlainDate,
  ): Bucket[] {
    const buckets: Bucket[] = [];
    for (let day = firstDay; Temporal.PlainDate.compare(day, endDay) < 0; ) {
      const next = nextOf(day);
      const end = Temporal.PlainDate.compare(next, endDay) < 0 ? next : endDay;
      buckets.push({ label: inWords(day, label), firstDay: day, endDay: end });
      day = next;
    }
    return buckets;
  }
  const months = split({ month: "short", year: "numeric" }, (day) => day.add({ months: 1 }));
  const weeks = () =>
    split({ month: "short", day: "numeric" }, (day) => day.add({ days: 8 - day.dayOfWeek }));
  const names = [firstDay, today].map((day) => inWords(day, { month: "long", year: "numeric" }));
  const whole = { label: [...new Set(names)].join(" to "), firstDay, endDay };
  return { months, parts: monthsCount > 3 ? months : weeks(), whole };
}

function inWords(day: Temporal.PlainDate, options: Intl.DateTimeFormatOptions): string {
  return day.toLocaleString("en-US", options);
}

/** The moments between which a bucket lies: ISO 8601 in UTC, the second one excluded. */
function momentsOf({ firstDay, endDay }: Bucket) {
  return { from: startOfTorontoDay(`${firstDay}`), to: startOfTorontoDay(`${endDay}`) };
}

export const subscriberEvents = ["joined", "confirmed", "left", "bounced", "complained"] as const;
type SubscriberSums = Record<(typeof subscriberEvents)[number], number>;

/** An imported subscriber counts as joined, unless the list said that they had left or bounced there. */
async function readSubscriberSums(db: Db, { from, to }: { from: string; to: string }) {
  const { rows } = await sql<{ event: string; count: number }>`
    select case when event in ('signed_up', 'imported', 'added') then 'joined' else event end as event,
      count(*) as count
    from consent_events as entry
    where (event <> 'added' and occurred_at >= ${from} and occurred_at < ${to}
        or event = 'added' and recorded_at >= ${from} and recorded_at < ${to})
      and (event <> 'imported' or exists (
        select 1 from subscribers where mailbox_key = entry.mailbox_key
          and (unsubscribed_at is null and bounced_at is null or exists (
            select 1 from consent_events as ending where ending.mailbox_key = entry.mailbox_key
              and ending.event in ('left', 'bounced', 'complained')))))
    group by 1`.execute(db);
  const counts = new Map(rows.map(({ event, count }) => [event, count]));
  const sums = subscriberEvents.map((event) => [event, counts.get(event) ?? 0]);
  return Object.fromEntries(sums) as SubscriberSums;
}

async function readActivity(db: Db, bucket: Bucket) {
  const { from, to } = momentsOf(bucket);
  const { rows } = await sql<{ messages: number; quarantined: number; visits: number | string }>`
    select count(*) as messages, count(held_at) as quarantined,
      (select coalesce(sum(visits), 0) from daily_visits where kind in ('page', 'issue')
        and day >= ${bucket.firstDay.toString()} and day < ${bucket.endDay.toString()}) as visits
    from contact_messages where received_at >= ${from} and received_at < ${to}`.execute(db);
  const { messages = 0, quarantined = 0, visits = 0 } = rows[0] ?? {};
  return { label: bucket.label, messages, quarantined, visits: Number(visits) };
}

type NamedCount = { name: string; count: number };

async function readTop(db: Db, kind: VisitKind, { firstDay, endDay }: Bucket) {
  const { rows } = await sql<{ name: string; count: number | string }>`
    select name, sum(visits) as count from daily_visits where kind = ${kind}
      and day >= ${firstDay.toString()} and day < ${endDay.toString()}
    group by name order by count desc, name limit 10`.execute(db);
  return rows.map(({ name, count }): NamedCount => ({ name, count: Number(count) }));
}

/** Only the form's own subjects are named: on the wire it is free text. */
async function readSubjects(db: Db, bucket: Bucket): Promise<NamedCount[]> {
  const { from, to } = momentsOf(bucket);
  const known = sql.join(contactSubjects.map(({ value }) => value));
  const { rows } = await sql<{ subject: string; count: number }>`
    select case when subject in (${known}) then subject else '' end as subject, count(*) as count
    from contact_messages where received_at >= ${from} and received_at < ${to}
    group by 1 order by 2 desc`.execute(db);
  return rows.map(({ subject, count }) => ({
    name: contactSubjects.find(({ value }) => value === subject)?.label ?? "No subject",
    count,
  }));
}

/** Most bounces are back by then, and somebody who leaves within these days probably does so because of the issue. */
export const aftermathDays = 7;

type SendResult = {
  title: string;
  state: SendState;
  begunAt: string;
  endedAt: string | null;
  recipients: Partial<Record<RowState, number>>;
  /** In the {@link aftermathDays} days after it began, or until the next send. */
  after: SubscriberSums;
};

/** The latest sends first, at most sixty: more than a year of weekly ones. */
async function readSends(db: Db, bucket: Bucket): Promise<SendResult[]> {
  const { from, to } = momentsOf(bucket);
  const sends = await db
    .selectFrom("sends")
    .select(["id", "title", "state", "begun_at", "ended_at"])
    .where("begun_at", ">=", from)
    .where("begun_at", "<", to)
    .orderBy("begun_at", "desc")
    .limit(60)
    .execute();
  const results: SendResult[] = [];
  for (const { id, title, state, begun_at, ended_at } of sends) {
    const begunAt = begun_at ?? "";
    const end = Date.parse(begunAt) + aftermathDays * 86_400_000;
    const next = Date.parse(results.at(-1)?.begunAt ?? "9999-01-01");
    const to = new Date(Math.min(end, next)).toISOString();
    const rows = await db
      .selectFrom("send_rows")
      .select(["state", ({ fn }) => fn.countAll<number>().as("count")])
      .where("send_id", "=", id)
      .groupBy("state")
      .execute();
    results.push({
      title,
      state,
      begunAt,
      endedAt: ended_at,
      recipients: Object.fromEntries(rows.map((row) => [row.state, row.count])),
      after: await readSubscriberSums(db, { from: begunAt, to }),
    });
  }
  return results;
}

export type Report = Awaited<ReturnType<typeof readReport>>;

/** Reads what the report shows. The database adds up, so that memory doesn't grow with what is stored. */
export async function readReport(db: Db, { months, parts, whole }: ReportPeriod) {
  const { subscribers, messages } = await readStoredCounts(db);
  return {
    now: { ...subscribers, quarantinedMessages: messages.held },
    subscribers: await Array.fromAsync(months, async (bucket) => ({
      label: bucket.label,
      ...(await readSubscriberSums(db, momentsOf(bucket))),
    })),
    sends: await readSends(db, whole),
    activity: await Array.fromAsync(parts, (bucket) => readActivity(db, bucket)),
    subjects: await readSubjects(db, whole),
    pages: await readTop(db, "page", whole),
    issues: await readTop(db, "issue", whole),
    referrers: await readTop(db, "referrer", whole),
    campaigns: await readTop(db, "campaign", whole),
    events: await readTop(db, "event", whole),
    outbox: await countOutboxByKind(db),
  };
}
