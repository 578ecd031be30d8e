import { type Insertable, type Kysely, sql } from "kysely";
import { isPostgres } from "./is-postgres.ts";
import type { Database } from "./tables.ts";

/**
 * Inserts rows in one statement; a column that only some of them name is NULL in the others. Several go to PostgreSQL as
 * one parameter: a statement of a thousand takes longer to build than to carry out.
 */
export async function insertRows<Table extends keyof Database & string>(
  trx: Kysely<Database>,
  table: Table,
  rows: readonly Insertable<Database[Table]>[],
): Promise<void> {
  if (rows.length === 0) return;
  if (rows.length === 1 || !isPostgres(trx)) {
    await trx.insertInto(table).values(rows).execute();
    return;
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = sql.join(names.map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns}
    from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    trx,
  );
}
