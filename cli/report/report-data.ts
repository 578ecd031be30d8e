import { type Kysely, sql } from "kysely";
import { timeZone } from "#content/site.ts";
import { torontoDay } from "#content/toronto-time.ts";
import { contactSubjects } from "#contracts/contact-message.ts";
import type { Database, RowState, SendState, VisitKind } from "#db/tables.ts";
import { countOutboxByKind, type KindCounts } from "#mail/outbox-list.ts";
import { readStoredCounts, type StoredCounts } from "#server/stored-counts.ts";

/** From one moment up to another, without it; ISO 8601 in UTC. */
type TimeSpan = { from: string; to: string };

type MessageCounts = {
  /** By the subject's value; the empty one for messages without any, or with another. */
  bySubject: Map<string, number>;
  /** Of these, held as suspected spam and not released. */
  held: number;
};

const subjects = contactSubjects.map(({ value }) => value);

/**
 * Counts the messages of a span by an index that holds what is counted. The subject is free text, so known ones alone
 * stay.
 */
async function readMessageCounts(
  db: Kysely<Database>,
  { from, to }: TimeSpan,
): Promise<MessageCounts> {
  const known = sql<string>`case when subject in (${sql.join(subjects)}) then subject else '' end`;
  const { rows } = await sql<{ subject: string; count: number | string; held: number | string }>`
    select subject, count(*) as count, count(held_at) as held
    from (select ${known} as subject, held_at from contact_messages
      where received_at >= ${from} and received_at < ${to}) as arrived
    group by subject`.execute(db);
  return {
    bySubject: new Map(rows.map(({ subject, count }) => [subject, Number(count)])),
    held: rows.reduce((sum, { held }) => sum + Number(held), 0),
  };
}

/** What happened to readers in a span. Who was erased since is in none of it. */
export type ReaderEvents = {
  /** Signed up, or came with a list of people who had not left and not bounced there. */
  joined: number;
  confirmed: number;
  left: number;
  /** Their address took no mail any more. */
  bounced: number;
  /** They called a mail spam. */
  complained: number;
};

/** Counts by the index of times, so that the cost is the span's alone. */
async function readReaderEvents(
  db: Kysely<Database>,
  { from, to }: TimeSpan,
): Promise<ReaderEvents> {
  const rows = await db
    .selectFrom("consent_events")
    .select(["event", (select) => select.fn.countAll<number | string>().as("count")])
    .where("occurred_at", ">=", from)
    .where("occurred_at", "<", to)
    .groupBy("event")
    .execute();
  const count = (event: (typeof rows)[number]["event"]) =>
    Number(rows.find((row) => row.event === event)?.count ?? 0);
  const imported = count("imported") === 0 ? 0 : await countImported(db, { from, to });
  return {
    joined: count("signed_up") + imported,
    confirmed: count("confirmed"),
    left: count("left"),
    bounced: count("bounced"),
    complained: count("complained"),
  };
}

/** Without those who came as gone: their row says so, and no entry does. */
async function countImported(db: Kysely<Database>, { from, to }: TimeSpan): Promise<number> {
  const { count } = await db
    .selectFrom("consent_events as entry")
    .innerJoin("subscribers as reader", "reader.mailbox_key", "entry.mailbox_key")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("entry.occurred_at", ">=", from)
    .where("entry.occurred_at", "<", to)
    .where("entry.event", "=", "imported")
    .where(({ eb, and, or, exists, selectFrom }) =>
      or([
        and([eb("reader.unsubscribed_at", "is", null), eb("reader.bounced_at", "is", null)]),
        exists(
          selectFrom("consent_events as ending")
            .select("ending.id")
            .whereRef("ending.mailbox_key", "=", "entry.mailbox_key")
            .where("ending.event", "in", ["left", "bounced", "complained"]),
        ),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A send is weekly, so this is more than a year of them. */
const sendsMax = 60;

/** Whoever leaves or complains so soon after an issue did so because of it; and most bounces have come back by then. */
export const leavingDays = 7;
const leavingMs = leavingDays * 24 * 60 * 60 * 1000;

export type SendResult = {
  title: string;
  state: SendState;
  /** ISO 8601. */
  begunAt: string;
  endedAt: string | null;
  /** How many readers are in each state; states without any are left out. */
  readers: Partial<Record<RowState, number>>;
  /** Within {@link leavingDays} days of its beginning, or before the next. */
  after: Pick<ReaderEvents, "left" | "bounced" | "complained">;
};

/** The latest sends that began in a span, the latest first: at most {@link sendsMax}. */
async function readSendResults(
  db: Kysely<Database>,
  { from, to }: TimeSpan,
): Promise<SendResult[]> {
  const sends = await db
    .selectFrom("sends")
    .select(["id", "title", "state", "begun_at", "ended_at"])
    .where("begun_at", ">=", from)
    .where("begun_at", "<", to)
    .orderBy("begun_at", "desc")
    .limit(sendsMax)
    .execute();
  const results: SendResult[] = [];
  let next: string | null = null;
  for (const { id, title, state, begun_at, ended_at } of sends) {
    const begunAt = begun_at ?? "";
    const week = new Date(Date.parse(begunAt) + leavingMs).toISOString();
    const until: string = next !== null && next < week ? next : week;
    const after = await readReaderEvents(db, { from: begunAt, to: until });
    const rows = await db
      .selectFrom("send_rows")
      .select(["state", (select) => select.fn.countAll<number | string>().as("count")])
      .where("send_id", "=", id)
      .groupBy("state")
      .execute();
    results.push({
      title,
      state,
      begunAt,
      endedAt: ended_at,
      readers: Object.fromEntries(rows.map((row) => [row.state, Number(row.count)])),
      after,
    });
    next = begunAt;
  }
  return results;
}

/** First and last day, `YYYY-MM-DD` in Toronto. */
type DaySpan = { firstDay: string; lastDay: string };

export type NamedVisits = { name: string; visits: number };

/** Visits of pages and issues by day; days without any are left out. */
async function readDailyVisits(
  db: Kysely<Database>,
  { firstDay, lastDay }: DaySpan,
): Promise<{ day: string; visits: number }[]> {
  const rows = await db
    .selectFrom("daily_visits")
    .select(["day", (select) => select.fn.sum<number | string>("visits").as("visits")])
    .where("day", ">=", firstDay)
    .where("day", "<=", lastDay)
    .where("kind", "in", ["page", "issue"])
    .groupBy("day")
    .orderBy("day")
    .execute();
  return rows.map(({ day, visits }) => ({ day, visits: Number(visits) }));
}

/** The names of a kind with most visits, the most first. */
async function readTopVisits(
  db: Kysely<Database>,
  kind: VisitKind,
  { firstDay, lastDay }: DaySpan,
  limit: number,
): Promise<NamedVisits[]> {
  const rows = await db
    .selectFrom("daily_visits")
    .select(["name", (select) => select.fn.sum<number | string>("visits").as("sum")])
    .where("day", ">=", firstDay)
    .where("day", "<=", lastDay)
    .where("kind", "=", kind)
    .groupBy("name")
    .orderBy("sum", "desc")
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(({ name, sum }) => ({ name, visits: Number(sum) }));
}

/** A month or a week in Toronto, the last of them as far as it has gone. */
type Bucket = {
  span: TimeSpan;
  days: DaySpan;
  /** `Nov 2026`, or the Monday of a week: `Nov 16`. */
  label: string;
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

/** Beyond this a table of weeks is long, and months say more. */
const weeksMaxMonths = 3;

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

/** Names in one list of the report. */
const topMax = 10;

export type Counted<Values> = { bucket: Bucket; values: Values };

export type Report = {
  readers: Counted<ReaderEvents>[];
  readersNow: StoredCounts["subscribers"];
  sends: SendResult[];
  messages: Counted<MessageCounts>[];
  /** The last two months, the latest last. */
  messagesByMonth: number[];
  heldNow: number;
  visits: Counted<number>[];
  visitsByMonth: number[];
  top: Record<VisitKind, NamedVisits[]>;
  outbox: KindCounts[];
};

/** Reads what the report shows, in sums that the database makes: memory doesn't grow with what is stored. */
export async function collectReport(db: Kysely<Database>, period: ReportPeriod): Promise<Report> {
  const { months, weeks, span, days } = period;
  const stored = await readStoredCounts(db);
  const daily = await readDailyVisits(db, {
    ...days,
    firstDay: weeks[0]?.days.firstDay ?? days.firstDay,
  });
  const visitsIn = ({ days: { firstDay, lastDay } }: Bucket) =>
    daily
      .filter(({ day }) => day >= firstDay && day <= lastDay)
      .reduce((sum, { visits }) => sum + visits, 0);
  const top = (kind: VisitKind) => readTopVisits(db, kind, days, topMax);
  return {
    readers: await each(months, (bucket) => readReaderEvents(db, bucket.span)),
    readersNow: stored.subscribers,
    sends: await readSendResults(db, span),
    messages: await each(weeks, (bucket) => readMessageCounts(db, bucket.span)),
    messagesByMonth: await Promise.all(
      months.slice(-2).map(async ({ span: month }) => {
        const { bySubject } = await readMessageCounts(db, month);
        return [...bySubject.values()].reduce((sum, count) => sum + count, 0);
      }),
    ),
    heldNow: stored.messages.held,
    visits: weeks.map((bucket) => ({ bucket, values: visitsIn(bucket) })),
    visitsByMonth: months.slice(-2).map(visitsIn),
    top: {
      page: await top("page"),
      issue: await top("issue"),
      referrer: await top("referrer"),
      campaign: await top("campaign"),
      event: await top("event"),
    },
    outbox: await countOutboxByKind(db),
  };
}

async function each<Values>(
  buckets: Bucket[],
  read: (bucket: Bucket) => Promise<Values>,
): Promise<Counted<Values>[]> {
  const counted: Counted<Values>[] = [];
  for (const bucket of buckets) counted.push({ bucket, values: await read(bucket) });
  return counted;
}
