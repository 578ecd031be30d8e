import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { type Readable, Transform } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import {
  type Backup,
  backupFolder,
  checkBackup,
  copyDatabaseTo,
  explainTool,
  findBackup,
  kindOf,
  nameAt,
  type Place,
  readName,
  readTarget,
  runSqlite,
} from "./backup.ts";
import { isPostgres, type OpenDatabase } from "./database-handle.ts";
import { describeCauses } from "./describe-causes.ts";
import { frozenMark, readMark, restoredMark, unfinishedMark } from "./marks.ts";
import { knownMigrations } from "./migrate.ts";
import { sqliteFileName } from "./open-sqlite.ts";
import type { Db } from "./tables.ts";
import { writeWholeFile } from "./write-whole-file.ts";

// A restore is asked for in a file beside the backups, and carried out by the site when it sees that file, at its start too.
// In one transaction, during which nobody else writes, what is there becomes a backup and the chosen one takes its place.
// Then what has happened since and must not be undone is carried over from `before_restore`: on PostgreSQL the schema into
// which the former tables were moved, on SQLite the backup of them. A start after a kill goes on from what it finds.

export type Restore = {
  name: string;
  askedAt: string;
  doneAt?: string;
  /** The backup of what was there; null where it is gone since. */
  before?: string | null;
  /** Why nothing was changed. */
  problem?: string;
  /** Why it isn't known what has happened since the backup. */
  unread?: string | null;
};

const restoreFile = (place: Pick<Place, "dataDir">) =>
  path.join(backupFolder(place), "restore.json");

/** The last restore that was asked for. */
export async function readRestore(place: Pick<Place, "dataDir">): Promise<Restore | null> {
  const words = await readFile(restoreFile(place), "utf8").catch(() => null);
  return words === null ? null : JSON.parse(words);
}

async function writeRestore(place: Place, restore: Restore): Promise<void> {
  await writeWholeFile(restoreFile(place), [JSON.stringify(restore)]);
}

export function isToDo(restore: Restore | null): restore is Restore {
  return restore !== null && restore.doneAt === undefined && restore.problem === undefined;
}

/** Asks the site to restore a backup, which is copied into the folder unless it is there. */
export async function askForRestore(
  place: Place,
  { file, now }: { file: string; now: Date },
): Promise<{ ok: true; backup: Backup } | { ok: false; problem: string }> {
  const refuse = (problem: string) => ({ ok: false as const, problem });
  const folder = backupFolder(place);
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return refuse("There is no such backup any more.");
  if (isToDo(await readRestore(place)))
    return refuse("Another restore is under way, or waits for the site to start.");
  const own = place.databaseUrl === null ? "sqlite" : "dump";
  let { base: name, name: stem } = path.parse(file);
  try {
    if ((await kindOf(file)) !== own)
      return refuse(
        `It is a backup of ${own === "dump" ? "SQLite" : "PostgreSQL"}: restore it on a site on that, and then run db copy.`,
      );
    await checkBackup(place, file);
    if (path.dirname(file) !== folder) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      name = `${stem.replaceAll(/[^\w.-]|^\W/g, "_")}.${own}`;
      await writeWholeFile(path.join(folder, name), createReadStream(file));
    }
  } catch (error) {
    return refuse(`${name} can’t be restored: ${describeCauses(error)}.`);
  }
  const backup = await findBackup(place, name);
  if (!backup) return refuse("There is no such backup any more.");
  await writeRestore(place, { name, askedAt: now.toISOString() });
  return { ok: true, backup };
}

/** Takes back what {@link askForRestore} asked for, where it failed or wasn't begun. */
export async function forgetRestore(place: Place): Promise<void> {
  await rm(restoreFile(place), { force: true });
}

/** The backup of what a restore replaces. */
function nameBefore(place: Place, { askedAt }: Restore): string {
  return nameAt(place, askedAt, "-before-restore");
}

/** Puts the backup in the place of what is there, and returns whether it did; else the file says why not. */
export async function replaceByBackup(place: Place, restore: Restore, signal?: AbortSignal) {
  const folder = backupFolder(place);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = path.join(folder, nameBefore(place, restore));
  const file = path.join(folder, restore.name);
  const replace = place.databaseUrl === null ? replaceSqlite : replacePostgres;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await replace(place, { file, before, at: restore.askedAt, signal });
      return true;
    } catch (error) {
      if (signal?.aborted) throw error;
      const problem = describeCauses(error);
      if (attempt < 5 && /deadlock|lock timeout|is locked/.test(problem)) {
        await delay(1_000);
        continue;
      }
      await writeRestore(place, { ...restore, problem });
      return false;
    }
  }
}

type Replacing = { file: string; before: string; at: string; signal: AbortSignal | undefined };

async function replaceSqlite({ dataDir }: Place, { file, before, at, signal }: Replacing) {
  const location = path.resolve(dataDir, sqliteFileName);
  await runSqlite(["replace", location, file, before, at], signal);
}

/** By one session of psql's, which others' writes wait for. Killed, it ends without its commit. */
async function replacePostgres(place: Place, { file, before, at, signal }: Replacing) {
  const { address, schema, env } = await readTarget(place);
  const words = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"];
  const psql = spawn("psql", [...words, `--dbname=${address}`], { env, signal });
  const problem = text(psql.stderr);
  const ended = new Promise<void>((resolve, reject) => {
    psql.once("error", (error) => reject(explainTool("psql", error)));
    psql.once("close", async (code) =>
      code === 0 ? resolve() : reject(new Error(firstError(await problem))),
    );
  });
  ended.catch(() => {});
  psql.stdin.on("error", () => {});
  let reading: ChildProcessByStdio<null, Readable, Readable> | undefined;
  try {
    psql.stdin.write(openingWords(schema, at));
    const said = createInterface(psql.stdout)[Symbol.asyncIterator]();
    const locked = await Promise.race([said.next(), ended.then(() => null)]);
    if (locked?.value === "restored") return;
    await copyDatabaseTo(place, before, signal);
    psql.stdin.write(movingWords(schema));
    reading = spawn("pg_restore", ["--no-owner", `--schema=${schema}`, "--file=-", file], {
      env,
      signal,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const unread = text(reading.stderr);
    reading.once("error", () => {});
    reading.stdout.pipe(withoutNewerSetting()).pipe(psql.stdin, { end: false });
    const [code] = await Promise.race([once(reading, "close"), ended.then(() => [0])]);
    if (code !== 0) throw explainTool("pg_restore", new Error((await unread).trim()));
    psql.stdin.end(closingWords(schema, at, await knownMigrations()));
    await ended;
  } finally {
    reading?.kill();
    psql.kill();
  }
}

/** From 17 on pg_restore begins with a setting that older servers don't know. */
function withoutNewerSetting(): Transform {
  let isFirst = true;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const words =
        isFirst && chunk.toString("latin1").replace(/^SET transaction_timeout = 0;$/m, "");
      isFirst = false;
      done(null, words ? Buffer.from(words, "latin1") : chunk);
    },
  });
}

function firstError(words: string): string {
  const found = /ERROR:\s*(.*)/.exec(words)?.[1] ?? words.trim();
  return /kysely_migration" does not exist/.test(found) ? "it is no backup of this site" : found;
}

/** Words as a string of SQL's. */
const quote = (words: string) => `'${words.replaceAll("'", "''")}'`;

/** Our own tables and functions in a schema, as rows `it`: an extension's stay where they are. */
const ownTables = (schema: string) => `select oid::regclass as it from pg_class
  where relkind = 'r' and relnamespace = ${quote(schema)}::regnamespace
    and pg_has_role(relowner, 'member') order by oid`;
const ownFunctions = (schema: string) => `select oid::regprocedure as it from pg_proc
  where pronamespace = ${quote(schema)}::regnamespace and pg_has_role(proowner, 'member')
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`;

const forEach = (rows: string, deed: string) =>
  `do $$ declare it text; begin for it in ${rows} loop ${deed} end loop; end $$;`;

const openingWords = (schema: string, at: string) => `
begin;
set local lock_timeout = '20s';
set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0;
${forEach(ownTables(schema), "execute format('lock table %s in exclusive mode', it);")}
select case when exists (select from marks where name = ${quote(restoredMark)} and set_at = ${quote(at)})
  then 'restored' else 'locked' end;
`;

const movingWords = (schema: string) => `
drop schema if exists before_restore cascade;
create schema before_restore;
${forEach(ownTables(schema), "execute format('alter table %s set schema before_restore', it);")}
${forEach(ownFunctions(schema), "execute format('alter function %s set schema before_restore', it);")}
`;

const tablesWithIds = `select table_name from information_schema.columns where table_schema = 'before_restore'
  and column_name = 'id' and is_identity = 'YES' and to_regclass(quote_ident(table_name)) is not null`;
/** Of numbers that either has given to a row. */
const giveNoIdAgain = `perform setval(pg_get_serial_sequence(quote_ident(it), 'id'), greatest(1,
  pg_sequence_last_value(pg_get_serial_sequence(quote_ident(it), 'id')::regclass),
  pg_sequence_last_value(pg_get_serial_sequence('before_restore.' || quote_ident(it), 'id')::regclass)));`;

const closingWords = (schema: string, at: string, known: string[]) => `
set local search_path to "${schema}";
do $$ begin
  if exists (select from kysely_migration where name not in (${known.map(quote).join(", ")})) then
    raise exception 'it is of a newer version of the program';
  end if;
end $$;
${forEach(tablesWithIds, giveNoIdAgain)}
insert into marks (name, set_at) values
  ${[restoredMark, unfinishedMark, frozenMark].map((name) => `(${quote(name)}, ${quote(at)})`).join(", ")}
  on conflict (name) do update set set_at = excluded.set_at;
commit;
`;

/** `carryOver` brings over what `before_restore` has. Where that can't be read, the file says why. */
export async function finishRestore(
  { db }: Pick<OpenDatabase, "db">,
  place: Place,
  restore: Restore,
  carryOver: (trx: Db) => Promise<void>,
): Promise<void> {
  const folder = backupFolder(place);
  const name = nameBefore(place, restore);
  const before = existsSync(path.join(folder, name)) ? name : null;
  const isOnPostgres = isPostgres(db);
  /** Returns false where another instance has done it. */
  const finish = (work: (trx: Db) => Promise<void>) =>
    db.transaction().execute(async (trx) => {
      const mark = trx.deleteFrom("marks").where("name", "=", unfinishedMark);
      if ((await mark.executeTakeFirst()).numDeletedRows === 0n) return false;
      await work(trx);
      if (isOnPostgres) await sql`drop schema if exists before_restore cascade`.execute(trx);
      return true;
    });
  let unread: string | null = null;
  try {
    const former = path.join(folder, before ?? "");
    if (!isOnPostgres) await sql`attach ${former} as before_restore`.execute(db);
    const isOurs = await finish(carryOver).finally(async () => {
      if (!isOnPostgres) await sql`detach before_restore`.execute(db);
    });
    if (!isOurs && !isToDo(await readRestore(place))) return;
  } catch (error) {
    unread = describeCauses(error);
    await finish(async () => {});
  }
  await writeRestore(place, { ...restore, before, unread, doneAt: new Date().toISOString() });
}

/** The last restore in words for the owner; null if there is nothing to say. */
export async function describeRestore(
  db: Db,
  place: Place,
  timeOf: (at: string) => string,
): Promise<{ state: "to do" | "failed" | "held"; text: string } | null> {
  const restore = await readRestore(place);
  const { name: file = "", before, problem, unread } = restore ?? {};
  const madeAt = readName(file)?.madeAt;
  const name = `The backup ${madeAt ? `of ${timeOf(madeAt)}` : file}`.trim();
  if (isToDo(restore)) {
    const text = `${name} is to be restored: the running site does it within seconds, and otherwise the next start.`;
    return { state: "to do", text };
  }
  if (problem) {
    const text = `${name} was not restored, and nothing was changed: ${problem}.`;
    return { state: "failed", text };
  }
  if ((await readMark(db, frozenMark)) === null) return null;
  const text = [
    `${name} was restored.`,
    before && "What was there before is among the backups.",
    unread &&
      `Who left or was erased since, and what was mailed, could not be read from it: ${unread}.`,
    "Plans, sends and letters that waited stand still until you say that they go on.",
  ];
  return { state: "held", text: text.filter(Boolean).join(" ") };
}

/** Plans, sends and letters from before the restore go on. */
export async function goOn(db: Db): Promise<void> {
  await db.deleteFrom("marks").where("name", "=", frozenMark).execute();
}
