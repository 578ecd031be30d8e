import type { Kysely } from "kysely";
import { insertion } from "#db/insert-rows.ts";
import type { Database } from "#db/tables.ts";

/** Rows in one statement, each its own transaction: large enough that the disk is waited for seldom. */
const batchRows = 5_000;

type Row = Record<string, string | number | null>;

/** Adds `count` rows, made one after the other by `row`, which leaves one out where it gives null. */
export async function insertRows(
  db: Kysely<Database>,
  table: keyof Database,
  count: number,
  row: (index: number) => Row | null,
): Promise<void> {
  for (let start = 0; start < count; start += batchRows) {
    const length = Math.min(batchRows, count - start);
    const rows = Array.from({ length }, (_, index) => row(start + index)).filter(
      (made) => made !== null,
    );
    const [first] = rows;
    if (first) await insertion(db, { table, names: Object.keys(first), rows }).execute(db);
  }
}
