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
  const statements = insertions
    .filter(({ rows }) => rows.length > 0)
    .map(({ table, rows }) => insertion(trx, { table, names: columnNames(rows), rows }));
  if (!isPostgres(trx)) {
    for (const statement of statements) await statement.execute(trx);
    return;
  }
  const last = statements.pop();
  if (!last) return;
  const others = statements.map(
    (statement, index) => sql`${sql.ref(`insertion_${index}`)} as (${statement})`,
  );
  // Keys of others are looked at when the whole statement is done.
  const first = others.length === 0 ? sql`` : sql`with ${sql.join(others)} `;
  await sql`${byNameIn(trx)}${first}${last}`.execute(trx);
}

type Rows = readonly Record<string, unknown>[];

/** A statement that inserts rows, which go as one parameter. */
export function insertion(
  db: Kysely<Database>,
  { table, names, rows }: { table: string; names: readonly string[]; rows: Rows },
): RawBuilder<unknown> {
  const into = sql.table(table);
  if (isPostgres(db)) {
    const columns = sql.join(names.map((name) => sql.ref(name)));
    return sql`insert into ${into} (${columns}) select ${columns}
      from json_populate_recordset(null::${into}, ${JSON.stringify(rows)}::json)`;
  }
  const { columns, values, json } = rowsInJson(names, rows);
  return sql`insert into ${into} (${columns}) select ${values} from json_each(${json})`;
}

/** Rows as one parameter for SQLite's `json_each`, which gives a `value` a row, and how their columns are read out of it. */
export function rowsInJson(names: readonly string[], rows: Rows) {
  return {
    columns: sql.join(names.map((name) => sql.ref(name))),
    values: sql.join(names.map((_, index) => sql`value ->> ${sql.lit(index)}`)),
    json: JSON.stringify(rows.map((row) => names.map((name) => row[name] ?? null))),
  };
}

function columnNames(rows: Rows): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}
