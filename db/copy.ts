import { setImmediate as nextRound } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { isPostgres, type OpenDatabase } from "./database-handle.ts";
import type { Database } from "./tables.ts";

type CopyResult =
  | { ok: true; tables: { table: string; rows: number }[] }
  /** `tables` have rows already. */
  | { ok: false; tables: string[] };

/** Their rows hold whole issues or pictures, so fewer are in memory at once. */
const tablesOfBodies = new Set(
  "final_newsletters binned_issues pictures sends drafts imports".split(" "),
);

/**
 * Copies every row, ids included, into an empty database of the other kind with the same migrations, in one transaction, as
 * the source was at one moment.
 */
export async function copyDatabase(
  source: OpenDatabase,
  target: OpenDatabase,
): Promise<CopyResult> {
  const own = await tablesOf((source.kind === "sqlite" ? source : target).db);
  const snapshot = (db: Kysely<Database>) =>
    db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return await source.withoutTimeouts((db) =>
    snapshot(db).execute((from) =>
      target.withoutTimeouts((db) =>
        db.transaction().execute(async (to) => {
          const filled: string[] = [];
          for (const { table } of own) if (await countRows(to, table)) filled.push(table);
          if (filled.length > 0) return { ok: false, tables: filled };
          const tables: { table: string; rows: number }[] = [];
          for (const copied of own) tables.push(await copyTable(from, to, copied));
          return { ok: true, tables };
        }),
      ),
    ),
  );
}

/** Keeps everybody else from writing what {@link replaceRows} replaces; on SQLite every transaction does. Readers go on. */
export async function lockForReplacement(
  source: Kysely<Database>,
  to: Kysely<Database>,
  kept: ReadonlySet<string>,
): Promise<void> {
  if (!isPostgres(to)) return;
  const own = await replacedTables(source, to, kept);
  const names = sql.join(own.map(({ table }) => sql.table(table)));
  await sql`lock table ${names} in exclusive mode`.execute(to);
}

/**
 * Replaces what a database stores, but for the tables that are `kept`, by the rows of a SQLite database with the same
 * migrations, in a transaction of the target's. Others go on reading what was there until it is committed.
 */
export async function replaceRows(
  source: Kysely<Database>,
  to: Kysely<Database>,
  kept: ReadonlySet<string>,
): Promise<void> {
  const own = await replacedTables(source, to, kept);
  const names = own.map(({ table }) => table).filter((table) => table !== appendOnly);
  // Entries of the ledger go with their subscribers alone, so those are first.
  for (const table of ["subscribers", ...names.toReversed()]) {
    await sql`delete from ${sql.table(table)}`.execute(to);
    await nextRound();
  }
  for (const copied of own) await copyTable(source, to, copied);
}

/** By the names that the target has: a file from elsewhere could have a table `Desk_People`, the same one to SQLite. */
async function replacedTables(
  source: Kysely<Database>,
  to: Kysely<Database>,
  kept: ReadonlySet<string>,
): Promise<Copied[]> {
  const there = new Set((await to.introspection.getTables()).map(({ name }) => name));
  const own = await tablesOf(source);
  return own.filter(({ table }) => there.has(table) && !kept.has(table));
}

/** Its rows are named by their content, so those that are there already are the same. */
const appendOnly = "consent_wordings";

async function copyTable(from: Kysely<Database>, to: Kysely<Database>, copied: Copied) {
  const { table } = copied;
  const rows = await copyRows(from, to, copied);
  const there = await countRows(to, table);
  const isWhole = table === appendOnly ? there >= rows : there === rows;
  if (!isWhole) throw new Error(`${there} of ${rows} rows of ${table} arrived`);
  if (copied.key[0] === "id") await carryLastIdOver(from, to, table);
  return { table, rows };
}

/** Whether a database has tables, but none of this program's. */
export async function hasOtherTables({ db }: OpenDatabase): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.length > 0 && !tables.some(({ name }) => name === "kysely_migration");
}

type Copied = { table: string; key: string[]; columns: string[] };

/**
 * The tables with their primary keys, in the order in which they were made: each after those that it refers to. What is
 * derived from the others is left out. A table of issues that another program made may have more columns.
 */
async function tablesOf(sqlite: Kysely<Database>): Promise<Copied[]> {
  const { rows } = await sql<{ table: string; column: string; pk: number }>`
    select made.name as "table", info.name as "column", info.pk
    from sqlite_master as made join pragma_table_info(made.name) as info
    where made.type = 'table' and made.name not in ('prepared_issues', 'archive_version')
      and made.name not like 'sqlite_%' and made.name not like 'kysely_%'
    order by made.rowid, info.cid`.execute(sqlite);
  return [...Map.groupBy(rows, ({ table }) => table)].map(([table, found]) => {
    const key = found.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    const [columns, keys] = [found, key].map((some) => some.map(({ column }) => column));
    return { table, columns: columns ?? [], key: keys ?? [] };
  });
}

async function copyRows(
  source: Kysely<Database>,
  target: Kysely<Database>,
  { table, key, columns }: Copied,
): Promise<number> {
  const limit = tablesOfBodies.has(table) ? 5 : 500;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const order = sql.join(key.map((column) => sql.ref(column)));
  let count = 0;
  let rest = sql``;
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`select ${names} from ${sql.table(table)}
      ${rest} order by ${order} limit ${sql.lit(limit)}`.execute(source);
    const last = rows.at(-1);
    if (!last) return count;
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    const again = table === appendOnly ? sql`on conflict do nothing` : sql``;
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)} ${again}`.execute(
      target,
    );
    await nextRound();
    rest = sql`where (${order}) > (${sql.join(key.map((column) => last[column]))})`;
    count += rows.length;
  }
}

async function countRows(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)}`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** So that the target never generates an id that either has generated before. */
async function carryLastIdOver(source: Kysely<Database>, target: Kysely<Database>, table: string) {
  const last = Math.max(await lastIdOf(source, table), await lastIdOf(target, table));
  if (last === 0) return;
  if (isPostgres(target)) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(target);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(target);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(target);
}

async function lastIdOf(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select ${
    isPostgres(db)
      ? sql`pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass)`
      : sql`(select seq from sqlite_sequence where name = ${table})`
  } as last`.execute(db);
  return rows[0]?.last ?? 0;
}
