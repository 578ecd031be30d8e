import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import type { TimeSpan } from "./time-span.ts";

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
