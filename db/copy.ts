import { type Kysely, sql } from "kysely";
import { isPostgres, type OpenDatabase } from "./database-handle.ts";
import type { Database } from "./tables.ts";

type Row = Record<string, unknown>;

type CopiedTable = {
  name: string;
  columns: string[];
  /** The primary key's columns, in its order. */
  key: string[];
  /** Whether the database generates the ids, none of them twice. */
  givesIds: boolean;
  refersTo: string[];
};

export type TableCopy = { table: string; rows: number };

export type CopyResult =
  | { ok: true; tables: TableCopy[] }
  /** `tables` have rows already. */
  | { ok: false; tables: string[] };

/** Tables that each database derives from the others, or stores about itself. */
const ownTables = new Set([
  "archive_version",
  "prepared_issues",
  "search_words",
  "kysely_migration",
  "kysely_migration_lock",
]);

/** Rows in memory at once; fewer where a row holds a whole issue or a picture. */
const batchRows = 500;
const batchRowsOfBodies = 5;
const bodyColumns = new Set(["content_markdown", "html", "base64"]);

/**
 * Copies every row, ids included, into an empty database of the other kind with the same migrations, in one transaction.
 * Call it while nobody writes to the source.
 */
export async function copyDatabase(
  source: OpenDatabase,
  target: OpenDatabase,
  onBatch: (rows: number) => void = () => {},
): Promise<CopyResult> {
  const tables = await listCopiedTables((source.kind === "sqlite" ? source : target).db);
  return await source.withoutTimeouts((from) =>
    target.withoutTimeouts((db) =>
      db.transaction().execute(async (to) => {
        const filled: string[] = [];
        for (const { name } of tables) if ((await countRows(to, name)) > 0) filled.push(name);
        if (filled.length > 0) return { ok: false, tables: filled };
        const copied: TableCopy[] = [];
        for (const table of tables) {
          const rows = await copyRows(from, to, table, onBatch);
          const there = await countRows(to, table.name);
          if (there !== rows) throw new Error(`${there} of ${rows} rows of ${table.name} arrived`);
          if (table.givesIds) await carryLastIdOver(from, to, table.name);
          copied.push({ table: table.name, rows });
        }
        return { ok: true, tables: copied };
      }),
    ),
  );
}

/** Whether a database has tables, but none of this program's. */
export async function hasOtherTables({ db }: OpenDatabase): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.length > 0 && !tables.some(({ name }) => name === "kysely_migration");
}

/** SQLite's tables, each after those that it refers to; PostgreSQL's have the same columns. */
async function listCopiedTables(sqlite: Kysely<Database>): Promise<CopiedTable[]> {
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_schema
    where type = 'table' and name in (select name from pragma_table_list where type = 'table')
      and name not like 'sqlite_%' order by name`.execute(sqlite);
  const left: CopiedTable[] = [];
  for (const { name, sql: definition } of rows.filter(({ name }) => !ownTables.has(name))) {
    const { rows: columns } = await sql<{ name: string; pk: number }>`
      select name, pk from pragma_table_info(${name}) order by cid`.execute(sqlite);
    const { rows: parents } = await sql<{ name: string }>`
      select "table" as name from pragma_foreign_key_list(${name})`.execute(sqlite);
    left.push({
      name,
      columns: columns.map((column) => column.name),
      key: columns
        .filter(({ pk }) => pk > 0)
        .toSorted((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      givesIds: /autoincrement/i.test(definition),
      refersTo: parents.map((parent) => parent.name).filter((parent) => parent !== name),
    });
  }
  const ordered: CopiedTable[] = [];
  while (left.length > 0) {
    const at = left.findIndex(
      ({ refersTo }) => !left.some((other) => refersTo.includes(other.name)),
    );
    if (at === -1) throw new Error("The tables refer to each other in a circle.");
    ordered.push(...left.splice(at, 1));
  }
  return ordered;
}

async function copyRows(
  source: Kysely<Database>,
  target: Kysely<Database>,
  { name, columns, key }: CopiedTable,
  onBatch: (rows: number) => void,
): Promise<number> {
  const limit = columns.some((column) => bodyColumns.has(column)) ? batchRowsOfBodies : batchRows;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const keys = sql.join(key.map((column) => sql.ref(column)));
  let count = 0;
  let last: Row | undefined;
  for (;;) {
    const after = last && sql.join(key.map((column) => last?.[column]));
    const { rows } = await sql<Row>`select ${names} from ${sql.table(name)}
      ${after ? sql`where (${keys}) > (${after})` : sql``}
      order by ${keys} limit ${sql.lit(limit)}`.execute(source);
    if (rows.length === 0) return count;
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(target);
    onBatch(rows.length);
    count += rows.length;
    last = rows.at(-1);
  }
}

async function countRows(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number | string }>`
    select count(*) as rows from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.rows);
}

/** So that the target never generates an id that the source has generated before. */
async function carryLastIdOver(source: Kysely<Database>, target: Kysely<Database>, table: string) {
  const { rows } = isPostgres(source)
    ? await sql<{ last: number | string | null }>`select
        pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as last`.execute(
        source,
      )
    : await sql<{ last: number | null }>`
        select seq as last from sqlite_sequence where name = ${table}`.execute(source);
  const last = Number(rows[0]?.last ?? 0);
  if (last === 0) return;
  if (isPostgres(target)) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(target);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(target);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(target);
}
