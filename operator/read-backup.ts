import { spawn } from "node:child_process";
import { open, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import type { OpenDatabase } from "#db/database-handle.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { migrateLike, migrateToLatest, newerMigrations } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import type { Db } from "#db/tables.ts";
import { isConfirmed } from "#newsletter/subscriber-states.ts";
import { assertOurs, backupSqlite } from "./backup.ts";
import { inWorkshop } from "./nightly-backup.ts";

/** Why a backup can't be restored; then nothing was changed. */
export type UnfitBackup = { ok: false } & (
  | { reason: "no_file" | "unknown_kind" }
  | { reason: "newer"; migrations: string[] }
  /** `no_tool`: the program that reads it is missing here, or too old. `failed`: the disk is full, or the like. */
  | { reason: "damaged" | "not_ours" | "no_tool" | "failed"; why: string }
);

/**
 * Opens a copy of a backup, a SQLite file or one of pg_dump, as a SQLite database that is brought up to date, for as long
 * as the work goes on.
 */
export async function withBackup<Result>(
  file: string,
  folder: string,
  work: (copy: OpenDatabase & { migrated: string[] }) => Promise<Result>,
): Promise<Result | UnfitBackup> {
  const kind = await readKind(file);
  if (kind === null) return { ok: false, reason: "no_file" };
  if (kind === "unknown") return { ok: false, reason: "unknown_kind" };
  return await inWorkshop(folder, async (dataDir) => {
    const settings = { dataDir, databaseUrl: null };
    const take = kind === "sqlite" ? takeSqlite : takeDump;
    const unfit = await take(file, settings).catch(unfitBy);
    if (unfit) return unfit;
    const copy = await openDatabase(settings);
    try {
      const migrated = await migrateToLatest(copy).catch(unfitBy);
      if (!Array.isArray(migrated)) return migrated;
      return await work({ ...copy, migrated });
    } finally {
      await copy.close();
    }
  });
}

class UnfitTool extends Error {}

function unfitBy(error: unknown): UnfitBackup {
  const reason =
    error instanceof UnfitTool ? "no_tool" : isOfThisMachine(error) ? "failed" : "damaged";
  return { ok: false, reason, why: describeCauses(error) };
}

/** Says nothing about the file: SQLite's codes for a disk that can't be written, and the system's for any call. */
function isOfThisMachine(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, syscall, cause } = error as {
    errcode?: number;
    syscall?: string;
    cause?: unknown;
  };
  const ofDisk = { ioError: 10, full: 13, cantOpen: 14 };
  if (errcode !== undefined && Object.values(ofDisk).includes(errcode & 0xff)) return true;
  return syscall !== undefined || isOfThisMachine(cause);
}

export async function readKind(file: string): Promise<"sqlite" | "dump" | "unknown" | null> {
  const handle = await open(file, "r").catch(() => null);
  if (!handle) return null;
  const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0).finally(() => handle.close());
  const head = buffer.toString("latin1");
  if (head === "SQLite format 3\0") return "sqlite";
  return head.startsWith("PGDMP") ? "dump" : "unknown";
}

type Settings = { dataDir: string; databaseUrl: null };

async function takeSqlite(file: string, settings: Settings): Promise<UnfitBackup | null> {
  const copy = path.join(settings.dataDir, sqliteFileName);
  await backupSqlite(file, copy);
  try {
    assertOurs(copy);
  } catch (error) {
    return { ok: false, reason: "not_ours", why: describeCauses(error) };
  }
  const opened = await openDatabase(settings);
  const migrations = await newerMigrations(opened).finally(opened.close);
  return migrations.length > 0 ? { ok: false, reason: "newer", migrations } : null;
}

async function takeDump(file: string, settings: Settings): Promise<UnfitBackup | null> {
  const made: string[] = [];
  for await (const { row } of rowsOf(file, ["--table=kysely_migration"])) made.push(row.name ?? "");
  if (made.length === 0) {
    const why = "it is no backup of this site: it has no table kysely_migration";
    return { ok: false, reason: "not_ours", why };
  }
  const opened = await openDatabase(settings);
  try {
    const migrations = await migrateLike(opened, made);
    if (migrations.length > 0) return { ok: false, reason: "newer", migrations };
    await fill(opened, file);
    return null;
  } finally {
    await opened.close();
  }
}

const rowsAtOnce = 200;
/** Pictures and issues are large, and 200 of them more than a small machine's memory. */
const charactersAtOnce = 4_000_000;

async function fill({ db }: OpenDatabase, file: string): Promise<void> {
  const tables = await db.introspection.getTables();
  const derived = /^(?:kysely_|prepared_issues$|archive_version$)/;
  const known = new Map(
    tables
      .filter(({ name }) => !derived.test(name))
      .map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]),
  );
  await db.transaction().execute(async (trx) => {
    // In the order of their names, some come before what they refer to.
    await sql`pragma defer_foreign_keys = on`.execute(trx);
    let waiting: Row[] = [];
    let length = 0;
    let current = "";
    const write = async () => {
      const names = Object.keys(waiting[0] ?? {}).filter((name) => known.get(current)?.has(name));
      if (waiting.length > 0 && names.length > 0) {
        const values = waiting.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`);
        await sql`insert into ${sql.table(current)} (${sql.join(names.map((name) => sql.ref(name)))})
          values ${sql.join(values)}`.execute(trx);
      }
      waiting = [];
      length = 0;
    };
    for await (const { table, row } of rowsOf(file)) {
      const isFull = waiting.length === rowsAtOnce || length > charactersAtOnce;
      if (table !== current || isFull) await write();
      current = table;
      waiting.push(row);
      for (const cell of Object.values(row)) length += cell?.length ?? 0;
    }
    await write();
  });
}

type Row = Record<string, string | null>;

/** The rows in a file of pg_dump, which pg_restore writes as COPY's text (postgresql.org/docs/current/sql-copy.html). */
async function* rowsOf(
  file: string,
  parameters: string[] = [],
): AsyncGenerator<{ table: string; row: Row }> {
  const tool = spawn("pg_restore", ["--data-only", "--file=-", ...parameters, file], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = text(tool.stderr);
  const ended = new Promise<number | null>((resolve, reject) => {
    tool.once("close", resolve);
    tool.once("error", (error) =>
      reject(
        errorCode(error) === "ENOENT"
          ? new UnfitTool(
              "a file of pg_dump needs pg_restore here: apt-get install postgresql-client",
            )
          : error,
      ),
    );
  });
  ended.catch(() => {});
  let table = "";
  let columns: string[] = [];
  try {
    for await (const line of linesOf(tool.stdout)) {
      const [, name, list] = /^COPY (?:\S+\.)?"?(\w+)"? \((.+)\) FROM stdin;$/.exec(line) ?? [];
      if (table === "" && name && list) {
        table = name;
        columns = list.split(", ").map((column) => column.replaceAll('"', ""));
      } else if (line === "\\.") table = "";
      else if (table !== "") {
        const cells = line.split("\t").map(readCell);
        if (cells.length !== columns.length) throw new Error(`a row of ${table} is cut off`);
        const row = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null]));
        yield { table, row };
      }
    }
    const code = await ended;
    const words = (await said).trim();
    if (/unsupported version/.test(words)) {
      const advice = "install that version's postgresql-client from apt.postgresql.org";
      throw new UnfitTool(`pg_restore here is older than the pg_dump that made it: ${advice}`);
    }
    if (code !== 0) throw new Error(words || `pg_restore ended with ${code}`);
  } finally {
    // One that nobody reads any more would wait for good.
    tool.kill();
  }
}

/** `readline` ends lines at U+2028 and U+2029 too, which people's words have. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of input.setEncoding("utf8")) {
    const [first = "", ...others] = String(chunk).split("\n");
    rest.push(first);
    for (const next of others) {
      yield rest.join("");
      rest = [next];
    }
  }
  if (rest.join("")) yield rest.join("");
}

const escaped: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function readCell(cell: string): string | null {
  if (cell === "\\N") return null;
  return cell.replace(/\\(.)/g, (_, letter: string) => escaped[letter] ?? letter);
}

/** What a database stores, for a comparison with another. */
async function countStored(db: Db) {
  const { rows } = await sql<Record<(typeof compared)[number], number>>`select
    (select count(*) from final_newsletters) as issues,
    (select count(*) from drafts where binned_at is null) as drafts,
    (select count(*) from subscribers where ${isConfirmed} and held_at is null) as subscribers,
    (select count(*) from contact_messages) as messages,
    (select count(*) from settings) as settings,
    (select count(*) from site_words) as words`.execute(db);
  return rows[0];
}

export const compared = [
  "issues",
  "drafts",
  "subscribers",
  "messages",
  "settings",
  "words",
] as const;

export type BackupLook =
  | {
      ok: true;
      /** When the site it is a copy of last said that it ran; null where it never did. */
      from: string | null;
      sizeBytes: number;
      /** Of an older version of the program: how many steps it is brought forward by. */
      steps: number;
      counts: { what: (typeof compared)[number]; here: number; there: number }[];
    }
  | UnfitBackup;

/** Says what restoring a backup would change. Changes nothing. */
export async function lookAtBackup(db: Db, file: string, folder: string): Promise<BackupLook> {
  return await withBackup(file, folder, async (copy): Promise<BackupLook> => {
    const marks = copy.db.selectFrom("marks").select(({ fn }) => fn.max("set_at").as("at"));
    const [here, there] = [await countStored(db), await countStored(copy.db)];
    return {
      ok: true,
      from: (await marks.where("name", "=", "site answered").executeTakeFirst())?.at ?? null,
      sizeBytes: (await stat(file)).size,
      steps: copy.migrated.length,
      counts: compared.map((what) => ({
        what,
        here: Number(here?.[what]),
        there: Number(there?.[what]),
      })),
    };
  });
}
