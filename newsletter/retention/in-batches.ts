import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { Database } from "#db/tables.ts";

/** Rows looked at and changed in one transaction: a few milliseconds of SQLite, which holds the process up. */
const batchRows = 200;
/** Between two batches whoever else wants to write comes first. */
const pauseMs = 10;

/** Rows of a table whose time in a column is before a moment; an index on that column, with that condition, finds them. */
export type Aged = {
  table: "contact_messages" | "subscribers" | "address_changes" | "outbox";
  column:
    | "received_at"
    | "unsubscribed_at"
    | "subscribed_at"
    | "asked_at"
    | "created_at"
    | "delivered_at"
    | "erased_at";
  /** ISO 8601. */
  before: string;
  where?: RawBuilder<boolean>;
};

/** Changes those of the rows that are still to be changed, and answers how many. */
export type Act = (trx: Transaction<Database>, ids: number[]) => Promise<number>;

/**
 * Goes through aged rows from the oldest on, a batch at a time, each row once, whether or not it is changed. Answers how
 * many were changed.
 */
export async function inBatches(
  db: Kysely<Database>,
  { table, column, before, where = sql`true` }: Aged,
  act: Act,
  signal?: AbortSignal,
): Promise<number> {
  const time = sql.ref(column);
  let changed = 0;
  let last = { at: "", id: 0 };
  while (!signal?.aborted) {
    const { rows } = await sql<{ id: number; at: string }>`
      select id, ${time} as at from ${sql.table(table)}
      where ${where} and ${time} < ${before} and (${time}, id) > (${last.at}, ${last.id})
      order by ${time}, id limit ${batchRows}`.execute(db);
    const end = rows.at(-1);
    if (!end) break;
    last = end;
    changed += await db.transaction().execute((trx) =>
      act(
        trx,
        rows.map(({ id }) => id),
      ),
    );
    if (rows.length < batchRows) break;
    await delay(pauseMs);
  }
  return changed;
}
