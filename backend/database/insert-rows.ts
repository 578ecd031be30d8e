import { type Insertable, type Kysely, type RawBuilder, sql } from "kysely";
import { isPostgres } from "./is-postgres.ts";
import { byNameIn } from "./named-statements.ts";
import type { Database } from "./tables.ts";

type Table = keyof Database & string;

/** Rows of one table. A column that only some of them name is NULL in the others. */
type Insertion = {
  [Name in Table]: { table: Name; rows: readonly Insertable<Database[Name]>[] };
}[Table];

/**
 * Inserts rows of several tables, what others refer to first; on PostgreSQL in one statement for all. Each table's rows
 * go as one parameter: building a statement of a thousand takes longer than carrying it out, and its text would be
 * another for each number of rows.
 */
export async function insertRows(
  trx: Kysely<Database>,
  ...insertions: readonly Insertion[]
): Promise<void> {
  const given = insertions.filter(({ rows }) => rows.length > 0);
  if (!isPostgres(trx)) {
    for (const insertion of given) await insertOnSqlite(insertion).execute(trx);
    return;
  }
  const last = given.at(-1);
  if (!last) return;
  const others = given.slice(0, -1).map((insertion, index) => {
    return sql`${sql.ref(`insertion_${index}`)} as (${insertOnPostgres(insertion)})`;
  });
  // Keys of others are looked at when the whole statement is done.
  const first = others.length === 0 ? sql`` : sql`with ${sql.join(others)} `;
  await sql`${byNameIn(trx)}${first}${insertOnPostgres(last)}`.execute(trx);
}

function insertOnSqlite(insertion: Insertion): RawBuilder<unknown> {
  const { columns, values, json } = rowsInJson(columnNames(insertion), insertion.rows);
  return sql`insert into ${sql.table(insertion.table)} (${columns}) select ${values} from json_each(${json})`;
}

/** Rows as one parameter for SQLite's `json_each`, which gives a `value` a row, and how their columns are read out of it. */
export function rowsInJson(names: readonly string[], rows: readonly Record<string, unknown>[]) {
  return {
    columns: sql.join(names.map((name) => sql.ref(name))),
    values: sql.join(names.map((_, index) => sql`value ->> ${sql.lit(index)}`)),
    json: JSON.stringify(rows.map((row) => names.map((name) => row[name] ?? null))),
  };
}

function insertOnPostgres(insertion: Insertion): RawBuilder<unknown> {
  const { table, rows } = insertion;
  const columns = sql.join(columnNames(insertion).map((name) => sql.ref(name)));
  return sql`insert into ${sql.table(table)} (${columns}) select ${columns}
    from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`;
}

function columnNames({ rows }: Insertion): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}
