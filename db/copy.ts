import { setImmediate as nextRound } from "node:timers/promises";
import { sql } from "kysely";
import { isPostgres, type OpenDatabase } from "./database-handle.ts";
import type { Db } from "./tables.ts";

type CopyResult =
  | { ok: true; tables: { table: string; rows: number }[] }
  | { ok: false; tables: string[] };

/** Large rows, so fewer are in memory at once. */
const tablesOfBodies = new Set("final_newsletters binned_issues pictures sends drafts".split(" "));

/** Copies every row, ids included, into an empty database of the other kind in one transaction. */
export async function copyDatabase(
  source: OpenDatabase,
  target: OpenDatabase,
): Promise<CopyResult> {
  const own = await tablesOf((source.kind === "sqlite" ? source : target).db);
  return await source.withoutTimeouts((from) =>
    target.withoutTimeouts((to) =>
      from
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute((snapshot) =>
          to.transaction().execute((writing) => copyTables(own, snapshot, writing)),
        ),
    ),
  );
}

async function copyTables(own: Copied[], source: Db, target: Db): Promise<CopyResult> {
  const filled: string[] = [];
  for (const { table } of own) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target);
    if (rows.length > 0) filled.push(table);
  }
  if (filled.length > 0) return { ok: false, tables: filled };
  const tables: { table: string; rows: number }[] = [];
  for (const copied of own) {
    tables.push({ table: copied.table, rows: await copyRows(source, target, copied) });
    if (copied.key[0] === "id") await carryLastIdOver(source, target, copied.table);
  }
  return { ok: true, tables };
}

export async function hasOtherTables({ db }: OpenDatabase): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.length > 0 && !tables.some(({ name }) => name === "kysely_migration");
}

type Copied = { table: string; key: string[]; columns: string[] };

/** In the order they were made, so that each follows those it refers to. Derived tables are left out. */
async function tablesOf(sqlite: Db): Promise<Copied[]> {
  const { rows } = await sql<{ table: string; column: string; pk: number }>`
    select made.name as "table", info.name as "column", info.pk
    from sqlite_master as made join pragma_table_info(made.name) as info
    where made.type = 'table' and made.name not in ('prepared_issues', 'archive_version')
      and made.name not like 'sqlite_%' and made.name not like 'kysely_%'
    order by made.rowid, info.cid`.execute(sqlite);
  return [...Map.groupBy(rows, ({ table }) => table)].map(([table, found]) => {
    const ofKey = found.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    const [columns = [], key = []] = [found, ofKey].map((some) => some.map(({ column }) => column));
    return { table, columns, key };
  });
}

async function copyRows(source: Db, target: Db, { table, key, columns }: Copied): Promise<number> {
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
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(
      target,
    );
    await nextRound();
    rest = sql`where (${order}) > (${sql.join(key.map((column) => last[column]))})`;
    count += rows.length;
  }
}

/** So that the target never generates an id that the source has generated before. */
async function carryLastIdOver(source: Db, target: Db, table: string) {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')`;
  const { rows } = await sql<{ last: number | null }>`select ${
    isPostgres(source)
      ? sql`pg_sequence_last_value(${sequence}::regclass)`
      : sql`(select seq from sqlite_sequence where name = ${table})`
  } as last`.execute(source);
  const last = rows[0]?.last;
  if (!last) return;
  if (isPostgres(target)) {
    await sql`select setval(${sequence}, ${last})`.execute(target);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(target);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(target);
}
