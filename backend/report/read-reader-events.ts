import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import type { TimeSpan } from "./time-span.ts";

/** What happened to readers in a span. Who was erased since is in none of it. */
export type ReaderEvents = {
  /** Signed up, or came with a list. */
  joined: number;
  confirmed: number;
  left: number;
  /** Their address took no mail any more. */
  bounced: number;
  /** They called a mail spam. */
  complained: number;
};

/** Counts by the index of times, so that the cost is the span's alone. */
export async function readReaderEvents(
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
  return {
    joined: count("signed_up") + count("imported"),
    confirmed: count("confirmed"),
    left: count("left"),
    bounced: count("bounced"),
    complained: count("complained"),
  };
}
