import type { Kysely } from "kysely";
import type { Database, RowState, SendState } from "#db/tables.ts";
import { type ReaderEvents, readReaderEvents } from "./read-reader-events.ts";
import type { TimeSpan } from "./time-span.ts";

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
export async function readSendResults(
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
