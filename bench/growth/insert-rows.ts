import { type Kysely, sql } from "kysely";
import { isPostgres } from "#backend/database/is-postgres.ts";
import type { Database } from "#backend/database/tables.ts";

/** Rows in one statement, each its own transaction: large enough that the disk is waited for seldom. */
const batchRows = 5_000;

type Cell = string | number | null;

/** Adds `count` rows, made one after the other by `row`, as one JSON text a statement, which both databases unpack. */
export async function insertRows(
  db: Kysely<Database>,
  table: keyof Database,
  count: number,
  row: (index: number) => Record<string, Cell> | null,
): Promise<void> {
  for (let start = 0; start < count; start += batchRows) {
    const length = Math.min(batchRows, count - start);
    const rows = Array.from({ length }, (_, index) => row(start + index)).filter((made) => made);
    const [first] = rows;
    if (!first) continue;
    const columns = Object.keys(first);
    const names = sql.join(columns.map((column) => sql.ref(column)));
    const json = JSON.stringify(rows);
    const source = isPostgres(db)
      ? sql`select ${names} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
      : sql`select ${sql.join(columns.map((column) => sql`value ->> ${sql.lit(`$.${column}`)}`))}
          from json_each(${json})`;
    await sql`insert into ${sql.table(table)} (${names}) ${source}`.execute(db);
  }
}
