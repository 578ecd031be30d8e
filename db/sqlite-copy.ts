import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { frozenMark, restoredMark, unfinishedMark } from "./marks.ts";

// A program of its own: SQLite copies a file in one call, during which the site answers, and which it can end.

/** Throws, in words, where the file is no sound copy of a site, or of one with migrations beyond those that are known. */
function check(file: string, known?: string): void {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    const [found] = copy.prepare("pragma integrity_check(1)").all();
    if (found?.integrity_check !== "ok")
      throw new Error(`it is damaged: ${found?.integrity_check}`);
    const names = copy.prepare("select name from kysely_migration").all();
    const newer = names.filter(({ name }) => known && !JSON.parse(known).includes(name));
    if (newer.length > 0) throw new Error("it is of a newer version of the program");
  } catch (error) {
    if (!/no such table/.test(String(error))) throw error;
    throw new Error("it is no copy of this site", { cause: error });
  } finally {
    copy.close();
  }
}

/** As it is at one moment. */
function copy(source: string, file: string): void {
  const from = new DatabaseSync(source, { readOnly: true, timeout: 20_000 });
  from.prepare("vacuum into ?").run(file);
  from.close();
  check(file);
}

/**
 * Puts a copy in the place of everything in a database, and what was there into another file first, in one transaction: from
 * its beginning to its end nobody else writes. Numbers that either has given to a row are given to no other.
 */
function replace(location: string, file: string, before: string, at: string, known: string) {
  check(file, known);
  const db = new DatabaseSync(location, { timeout: 20_000, enableForeignKeyConstraints: false });
  db.exec("pragma synchronous = full; pragma secure_delete = on");
  db.exec("begin immediate");
  const restored = db.prepare("select 1 from marks where name = ? and set_at = ?");
  if (restored.get(restoredMark, at)) return;
  const part = `${before}.tmp`;
  // Only this user may read it.
  const handle = openSync(part, "w", 0o600);
  copy(location, part);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(part, before);
  db.prepare("attach ? as copy").run(`${pathToFileURL(file)}?immutable=1`);
  const partsOf = (schema: string) =>
    db
      .prepare(
        `select type, name, sql from ${schema}.sqlite_schema
          where name not like 'sqlite!_%' escape '!' order by type <> 'table', rowid`,
      )
      .all();
  const lastIds = db
    .prepare(
      `select name, max(seq) as seq from (select * from main.sqlite_sequence
        union all select * from copy.sqlite_sequence) group by name`,
    )
    .all();
  for (const { type, name } of partsOf("main"))
    if (type === "table") db.exec(`drop table main."${name}"`);
  // Indexes and triggers after the rows.
  for (const { type, name, sql } of partsOf("copy")) {
    db.exec(String(sql));
    if (type === "table") db.exec(`insert into main."${name}" select * from copy."${name}"`);
  }
  db.exec("delete from main.sqlite_sequence");
  const number = db.prepare("insert into main.sqlite_sequence (name, seq) values (?, ?)");
  for (const { name, seq } of lastIds) number.run(name ?? null, seq ?? null);
  const mark = db.prepare("insert or replace into marks (name, set_at) values (?, ?)");
  for (const name of [restoredMark, unfinishedMark, frozenMark]) mark.run(name, at);
  db.exec("commit");
}

const deeds: Record<string, (...words: never[]) => void> = { check, copy, replace };
const [deed = "", ...words] = process.argv.slice(2);
try {
  deeds[deed]?.(...(words as never[]));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
