import { type Kysely, type RawBuilder, sql } from "kysely";
import { insertion } from "../insert-rows.ts";
import { isPostgres } from "../is-postgres.ts";
import type { Database } from "../tables.ts";
import type { CopiedTable } from "./copied-tables.ts";
import { ownMark } from "./copy-marks.ts";

type Value = string | number | null;
export type Row = Record<string, Value>;

/** Rows in memory at once, of each side; of tables whose rows hold an issue's whole body or a picture, far fewer. */
const batchRows = 500;
const batchRowsOfBodies = 5;
const bodyColumns = new Set(["content_markdown", "html", "base64"]);

/** Rows of a table in one read, on each side. */
export function batchSizeOf({ columns }: CopiedTable): number {
  return columns.some((name) => bodyColumns.has(name)) ? batchRowsOfBodies : batchRows;
}

/** The rows between two keys, without the first and with the last, in the order of their keys. */
export async function readRows(
  db: Kysely<Database>,
  table: CopiedTable,
  { after, upTo, limit }: { after: Row | null; upTo?: Row | null; limit?: number },
): Promise<Row[]> {
  const keys = sql.join(table.key.map((column) => keyColumn(db, column)));
  const valuesOf = (row: Row) => sql.join(table.key.map(({ name }) => row[name]));
  const conditions: RawBuilder<unknown>[] = [
    ...(after ? [sql`(${keys}) > (${valuesOf(after)})`] : []),
    ...(upTo ? [sql`(${keys}) <= (${valuesOf(upTo)})`] : []),
    // Marks of the copying itself are each side's own.
    ...(table.name === "marks" ? [sql`name not like ${`${ownMark}%`}`] : []),
  ];
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const { rows } = await sql<Row>`select ${columnsOf(table)} from ${sql.table(table.name)} ${where}
    order by ${keys} ${limit ? sql`limit ${sql.lit(limit)}` : sql``}`.execute(db);
  return rows;
}

/** Both databases compare text by its bytes then, whatever PostgreSQL's own order is. */
function keyColumn(db: Kysely<Database>, { name, isText }: CopiedTable["key"][number]) {
  return isText && isPostgres(db) ? sql`${sql.ref(name)} collate "C"` : sql.ref(name);
}

function columnsOf({ columns }: CopiedTable) {
  return sql.join(columns.map((name) => sql.ref(name)));
}

/** Inserts rows as they are, ids included, in one statement. */
export async function insertCopies(
  db: Kysely<Database>,
  table: CopiedTable,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  await insertion(db, { table: table.name, names: table.columns, rows }).execute(db);
}

/** Gives rows that are there, by their keys, the values of the source. */
export async function changeCopies(
  db: Kysely<Database>,
  table: CopiedTable,
  rows: readonly Row[],
): Promise<void> {
  const keys = new Set(table.key.map(({ name }) => name));
  const columns = table.columns.filter((name) => !keys.has(name));
  for (const row of rows) {
    const values = sql.join(columns.map((name) => sql`${sql.ref(name)} = ${row[name]}`));
    await sql`update ${sql.table(table.name)} set ${values} where ${hasKey(table, row)}`.execute(
      db,
    );
  }
}

/** Removes rows by their keys. */
export async function removeCopies(
  db: Kysely<Database>,
  table: CopiedTable,
  rows: readonly Row[],
): Promise<void> {
  for (const row of rows) {
    await sql`delete from ${sql.table(table.name)} where ${hasKey(table, row)}`.execute(db);
  }
}

function hasKey({ key }: CopiedTable, row: Row) {
  return sql.join(
    key.map(({ name }) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
}

/** The same for a row whichever database it comes from. */
export function rowText({ columns }: CopiedTable, row: Row): string {
  return JSON.stringify(columns.map((name) => row[name]));
}

/** A row's key as text, the same whichever database it comes from. */
export function keyText({ key }: CopiedTable, row: Row): string {
  return JSON.stringify(key.map(({ name }) => row[name]));
}
