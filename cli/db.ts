import { stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { formatBytes } from "#content/amounts.ts";
import { torontoTime } from "#content/toronto-time.ts";
import { copyDatabaseTo } from "#db/backup.ts";
import { copyDatabase, hasOtherTables } from "#db/copy.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { askForRestore, goOn } from "#db/restore.ts";
import { checkListening } from "#server/health/check-machine.ts";
import {
  addGroup,
  type CommandContext,
  CommandError,
  failure,
  formatRows,
  type Run,
} from "./command.ts";

export function addDbCommands(program: Command, run: Run): void {
  const add = addGroup(program, "db", "The database");
  add(
    "migrate",
    "Bring the database's tables up to date",
    "npm start and every command that opens the database do this by themselves.",
  ).action(run(migrate));
  add(
    "backup",
    "Copy the database to a file, beside the running site",
    "It holds everything but mail files. PostgreSQL is copied by its pg_dump.",
  )
    .argument("<file>", "the file to make")
    .option("--force", "replace a file that is there")
    .action(run(makeBackup));
  add(
    "restore",
    "Put a backup in the place of what the database holds, when the site starts",
    "A running site does it within seconds, with its forms closed. What is there is backed up first. Whoever left or was " +
      "erased since stays so. Plans, sends and letters that waited stand still until --go-on.",
  )
    .argument("[file]", "one of db backup, the desk or pg_dump --format=custom")
    .option("--go-on", "plans, sends and letters go on after a restore")
    .option("-y, --yes", "don't ask")
    .action(run(restoreBackup));
  add(
    "copy",
    "Copy everything into an empty database of the other kind, while the site is stopped",
    "Then set or unset DATABASE_URL and start the site. An interrupted copy leaves the other database empty.",
  )
    .requiredOption("--to <target>", "an address postgres://…, or a folder for SQLite")
    .action(run(copy));
}

async function migrate(context: CommandContext) {
  const { kind, location, migrated, seeded } = await context.store();
  return {
    json: { kind, location, migrated, starterIssues: seeded },
    text: [
      `Database: ${location}`,
      migrated.length === 0 ? "Up to date; nothing to do." : `Applied: ${migrated.join(", ")}`,
      ...(seeded > 0 ? [`Added ${seeded} starter issues to the new database.`] : []),
    ].join("\n"),
  };
}

async function makeBackup(context: CommandContext, file: string, { force }: { force?: boolean }) {
  const place = placeOf(context);
  const target = context.resolvePath(file);
  if (target === path.resolve(place.dataDir, sqliteFileName))
    throw new CommandError("That is the database itself. Choose another file.");
  if (!(await stat(path.dirname(target)).catch(() => null))?.isDirectory())
    throw new CommandError(`There is no folder ${path.dirname(target)}. Make it first.`);
  if (!force && (await stat(target).catch(() => null)))
    throw new CommandError(`${target} is there already. Choose another name, or add --force.`);
  try {
    await copyDatabaseTo(place, target);
  } catch (error) {
    throw failure(`The backup could not be made: ${describeCauses(error)}`);
  }
  const { size } = await stat(target);
  return {
    json: { file, bytes: size, integrityCheck: "ok" },
    text: `Wrote ${file} (${formatBytes(size)}). Integrity check: ok. It holds personal information; only your user can read it.`,
  };
}

function placeOf(context: CommandContext) {
  return { ...context.readSettings().config, environment: context.io.environment };
}

async function restoreBackup(
  context: CommandContext,
  file: string | undefined,
  options: { yes?: boolean; goOn?: boolean },
) {
  if (options.goOn) {
    await goOn((await context.store()).db);
    return { json: { goneOn: true }, text: "Plans, sends and letters go on." };
  }
  if (file === undefined) throw new CommandError("Name the backup, or add --go-on.");
  const given = context.resolvePath(file);
  if (!(await stat(given).catch(() => null))?.isFile())
    throw new CommandError(`There is no file ${file}.`);
  await context.confirm(`Put ${file} in the place of what the site has now?`, options);
  const asked = await askForRestore(placeOf(context), { file: given, now: new Date() });
  if (!asked.ok) throw failure(`${asked.problem} Nothing was changed.`);
  const { name, madeAt } = asked.backup;
  return {
    json: { asked: name, madeAt },
    text: `${name}: of ${torontoTime(madeAt)}.\nThe running site restores it within seconds, and otherwise the next start; "doctor" says how it went.`,
  };
}

async function copy(context: CommandContext, { to }: { to: string }) {
  if ((await checkListening(context.readSettings().config)).state === "ok") {
    throw failure(
      "The site runs: what it takes during the copy would stay in the old database. Stop it, and run this again.",
    );
  }
  const source = await context.store();
  const isToPostgres = /^postgres(ql)?:/.test(to);
  if (isToPostgres === (source.kind === "postgres")) {
    throw new CommandError(
      isToPostgres
        ? "The site is on PostgreSQL already: pg_dump and pg_restore copy it to another server. For SQLite, give a folder."
        : 'The site is on SQLite already: "db backup" copies it to a file. For PostgreSQL, give its address, postgres://….',
    );
  }
  const databaseUrl = isToPostgres ? to : null;
  const target = await openTarget({ dataDir: context.resolvePath(to), databaseUrl });
  const { location } = target;
  const copied = await copyDatabase(source, target)
    .catch((error) => {
      throw failure(
        `The copy failed, and nothing of it was stored: ${describeCauses(error)}. The site's own database is as it was.`,
      );
    })
    .finally(target.close);
  if (!copied.ok) throw holdsSomethingElse(location, ` (${copied.tables.join(", ")})`);
  const setting = isToPostgres ? "set DATABASE_URL to it" : "unset DATABASE_URL and set DATA_DIR";
  return {
    json: { location, tables: copied.tables },
    text: `${formatRows(copied.tables, "")}\n\nAll of it is in ${location}. To switch, ${setting} and start the site.`,
  };
}

/** With our tables in it. */
async function openTarget(place: DatabaseSettings) {
  const cannot = (error: unknown) =>
    failure(`The target can't be opened: ${describeCauses(error)}`);
  const target = await openDatabase(place).catch((error) => Promise.reject(cannot(error)));
  try {
    if (await hasOtherTables(target)) throw holdsSomethingElse(target.location);
    await migrateToLatest(target);
    return target;
  } catch (error) {
    await target.close();
    throw error instanceof CommandError ? error : cannot(error);
  }
}

function holdsSomethingElse(location: string, tables = ""): CommandError {
  return new CommandError(
    `${location} holds something else already${tables}. Give an empty database. Nothing was changed there.`,
  );
}
