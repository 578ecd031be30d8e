import type { Kysely } from "kysely";
import type { Database, VisitKind } from "#db/tables.ts";
import { countOutboxByKind, type KindCounts } from "#mail/outbox-list.ts";
import { readStoredCounts, type StoredCounts } from "#server/stored-counts.ts";
import { type MessageCounts, readMessageCounts } from "./data/read-message-counts.ts";
import { type ReaderEvents, readReaderEvents } from "./data/read-reader-events.ts";
import { readSendResults, type SendResult } from "./data/read-send-results.ts";
import { type NamedVisits, readDailyVisits, readTopVisits } from "./data/read-visit-sums.ts";
import type { Bucket, ReportPeriod } from "./report-period.ts";

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
