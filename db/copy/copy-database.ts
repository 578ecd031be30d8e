import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { OpenDatabase } from "../database-handle.ts";
import { isPostgres } from "../is-postgres.ts";
import type { Database } from "../tables.ts";
import { type CopiedTable, listCopiedTables } from "./copied-tables.ts";
import { beginCopy, endCopy, identifySource, readCopyState } from "./copy-marks.ts";
import { carryIdsOver } from "./given-ids.ts";
import {
  batchSizeOf,
  changeCopies,
  insertCopies,
  keyText,
  type Row,
  readRows,
  removeCopies,
  rowText,
} from "./table-rows.ts";

export type CopyOptions = {
  source: OpenDatabase;
  /** The other kind of database, with every migration that the source has had. */
  target: OpenDatabase;
  /** Keeps everybody from writing to the source until the copy is whole: their writes are refused, not lost. */
  isLast: boolean;
  now: Date;
  /** Told after each batch how many rows it had. */
  onProgress?: (table: string, rows: number) => void | Promise<void>;
};

export type TableCopy = {
  table: string;
  rows: number;
  added: number;
  changed: number;
  removed: number;
  /** SHA-256 of all rows in the order of their keys, the same on both sides. */
  checksum: string;
};

export type CopyResult =
  | { ok: true; tables: TableCopy[] }
  /** `used`: written to by something else since it was left. `not_empty`: it holds what no copy put there. */
  | { ok: false; reason: "other_source" | "used" }
  | { ok: false; reason: "not_empty"; tables: string[] }
  | { ok: false; reason: "migrations_differ" }
  | { ok: false; reason: "differs"; table: string };

/**
 * Makes the target hold what the source holds at one moment, table by table and a batch at a time: what is there already
 * is left, what differs is changed, what has gone from the source goes. Interrupted, it is begun again and finds most of
 * it there. Every table is read back at the end, counted and compared by checksum.
 */
export async function copyDatabase(options: CopyOptions): Promise<CopyResult> {
  const { source, target, now } = options;
  const tables = await listCopiedTables((source.kind === "sqlite" ? source : target).db);
  if (!(await haveSameMigrations(source.db, target.db))) {
    return { ok: false, reason: "migrations_differ" };
  }
  const sourceId = await identifySource(source.db, now);
  return await target.withoutTimeouts(async (targetDb) => {
    const refusal = await refuseTarget(targetDb, tables, sourceId);
    if (refusal) return refusal;
    await beginCopy(targetDb, sourceId, now);
    return await source.withoutTimeouts((sourceDb) =>
      atOneMoment(sourceDb, tables, options.isLast, async (snapshot) => {
        const copied: TableCopy[] = [];
        for (const table of tables) {
          copied.push(await copyTable(snapshot, targetDb, table, options));
        }
        await carryIdsOver(snapshot, targetDb, tables);
        for (const { table: name, rows, checksum } of copied) {
          const table = tables.find((one) => one.name === name) as CopiedTable;
          const there = await checksumOf(targetDb, table);
          if (there.rows !== rows || there.checksum !== checksum) {
            return { ok: false, reason: "differs", table: name };
          }
        }
        await endCopy(targetDb, overall(copied), now);
        return { ok: true, tables: copied };
      }),
    );
  });
}

/** Everything read in it is of one moment; with `isLast`, nothing is written to the tables until it ends. */
async function atOneMoment<Result>(
  db: Kysely<Database>,
  tables: readonly CopiedTable[],
  isLast: boolean,
  work: (snapshot: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  if (!isPostgres(db)) {
    // A writing transaction is SQLite's one lock on all tables.
    const begin = isLast ? db.transaction() : db.transaction().setAccessMode("read only");
    return await begin.execute(work);
  }
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      // Before the first read, which fixes the moment.
      if (isLast) {
        const names = sql.join(tables.map(({ name }) => sql.table(name)));
        await sql`lock table ${names} in exclusive mode`.execute(trx);
      }
      return await work(trx);
    });
}

async function refuseTarget(
  db: Kysely<Database>,
  tables: readonly CopiedTable[],
  sourceId: string,
): Promise<(CopyResult & { ok: false }) | null> {
  const state = await readCopyState(db);
  if (state === null) {
    const filled: string[] = [];
    for (const table of tables) {
      if ((await readRows(db, table, { after: null, limit: 1 })).length > 0)
        filled.push(table.name);
    }
    return filled.length === 0 ? null : { ok: false, reason: "not_empty", tables: filled };
  }
  if (state.sourceId !== sourceId) return { ok: false, reason: "other_source" };
  if (state.left === null) return null;
  const found: Pick<TableCopy, "table" | "rows" | "checksum">[] = [];
  for (const table of tables) {
    found.push({ table: table.name, ...(await checksumOf(db, table)) });
  }
  return overall(found) === state.left ? null : { ok: false, reason: "used" };
}

async function copyTable(
  source: Kysely<Database>,
  target: Kysely<Database>,
  table: CopiedTable,
  { onProgress }: CopyOptions,
): Promise<TableCopy> {
  const limit = batchSizeOf(table);
  const hash = createHash("sha256");
  const done = { table: table.name, rows: 0, added: 0, changed: 0, removed: 0 };
  let after: Row | null = null;
  for (;;) {
    const wanted = await readRows(source, table, { after, limit });
    // Past the source's last row whatever is left has gone from it, and is taken out a batch at a time.
    const upTo: Row | null = wanted.at(-1) ?? null;
    const there = await readRows(target, table, { after, upTo, ...(upTo ? {} : { limit }) });
    await target.transaction().execute(async (trx) => {
      const counts = await makeAlike(trx, table, wanted, there);
      done.added += counts.added;
      done.changed += counts.changed;
      done.removed += counts.removed;
    });
    for (const row of wanted) hash.update(`${rowText(table, row)}\n`);
    done.rows += wanted.length;
    await onProgress?.(table.name, wanted.length);
    if (upTo) after = upTo;
    else if (there.length < limit) break;
  }
  return { ...done, checksum: hash.digest("hex") };
}

async function makeAlike(
  trx: Kysely<Database>,
  table: CopiedTable,
  wanted: readonly Row[],
  there: readonly Row[],
): Promise<{ added: number; changed: number; removed: number }> {
  const thereByKey = new Map(there.map((row) => [keyText(table, row), row]));
  const wantedKeys = new Set(wanted.map((row) => keyText(table, row)));
  const removed = there.filter((row) => !wantedKeys.has(keyText(table, row)));
  const added = wanted.filter((row) => !thereByKey.has(keyText(table, row)));
  const changed = wanted.filter((row) => {
    const found = thereByKey.get(keyText(table, row));
    return found !== undefined && rowText(table, found) !== rowText(table, row);
  });
  // In this order, so that what takes the place of another under its own key finds it gone.
  await removeCopies(trx, table, removed);
  await changeCopies(trx, table, changed);
  await insertCopies(trx, table, added);
  return { added: added.length, changed: changed.length, removed: removed.length };
}

async function checksumOf(db: Kysely<Database>, table: CopiedTable) {
  const limit = batchSizeOf(table);
  const hash = createHash("sha256");
  let rows = 0;
  let after: Row | null = null;
  for (;;) {
    const batch: Row[] = await readRows(db, table, { after, limit });
    for (const row of batch) hash.update(`${rowText(table, row)}\n`);
    rows += batch.length;
    after = batch.at(-1) ?? after;
    if (batch.length < limit) return { rows, checksum: hash.digest("hex") };
  }
}

function overall(tables: readonly Pick<TableCopy, "table" | "rows" | "checksum">[]): string {
  const lines = tables.map(({ table, rows, checksum }) => `${table} ${rows} ${checksum}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

async function haveSameMigrations(a: Kysely<Database>, b: Kysely<Database>): Promise<boolean> {
  const [ofA, ofB] = await Promise.all(
    [a, b].map(async (db) => {
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
      return rows.map(({ name }) => name).toSorted();
    }),
  );
  return JSON.stringify(ofA) === JSON.stringify(ofB);
}

const migrationsTable = "kysely_migration";

/** Whether a database has tables and none of them says that this program made them. */
export async function hasOtherTables({ db }: OpenDatabase): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.length > 0 && !tables.some(({ name }) => name === migrationsTable);
}
