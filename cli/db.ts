import path from "node:path";
import { formatBytes } from "#content/amounts.ts";
import { copyDatabase, hasOtherTables } from "#db/copy.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { backUp } from "#operator/backup.ts";
import { checkListening } from "#operator/examine/check-machine.ts";
import { backUpInto } from "#operator/nightly-backup.ts";
import { checkRestore, restoreDatabase } from "#operator/restore-database.ts";
import {
  type CommandContext,
  CommandError,
  commandGroup,
  confirmOrEnd,
  failure,
  formatRows,
  type Run,
  siteCommand,
} from "./command.ts";
import { targetFaultWords } from "./files.ts";

export function dbCommands(run: Run) {
  return commandGroup("db", "The database", [
    siteCommand(
      "migrate",
      "Bring the database's tables up to date",
      "npm start and every command that opens the database do this by themselves.",
    ).action(run(migrate)),
    siteCommand(
      "backup",
      "Copy the SQLite database to a file, beside the running site",
      "It holds everything but mail files. With PostgreSQL this prints the pg_dump command.",
    )
      .argument("<file>", "the file to make")
      .option("--force", "replace a file that is there")
      .action(run(makeBackup)),
    siteCommand(
      "back-up-into",
      "Make a dated, checked copy of either database in a folder, and delete those older than thirty days",
      "deploy/back-up.sh does it every night. doctor, the desk and the metrics say how the last one went.",
    )
      .argument("<folder>", "where the copies are kept")
      .action(run(backUpIntoFolder)),
    siteCommand(
      "restore",
      "Put a backup in the place of what the database holds, beside the running site",
      "What is there is backed up first. Whoever left or was erased since stays so, and no mail goes out twice by " +
        "itself: sends are paused, plans stopped. A SQLite file that can't be read is set aside.",
    )
      .argument("<file>", "one of db backup, db back-up-into, the desk or pg_dump --format=custom")
      .option("-y, --yes", "don't ask")
      .action(run(restoreBackup)),
    siteCommand(
      "copy",
      "Copy everything into an empty database of the other kind, while the site is stopped",
      "Then set or unset DATABASE_URL and start the site. An interrupted copy leaves the other database empty.",
    )
      .requiredOption("--to <target>", "an address postgres://…, or a folder for SQLite")
      .action(run(copy)),
  ]);
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

const isDatabase = "That is the database itself. Choose";

async function makeBackup(context: CommandContext, file: string, { force }: { force?: boolean }) {
  const settings = context.readSettings().config;
  const target = context.resolvePath(file);
  const made = await backUp(settings, { target, force });
  if (made.ok) {
    return {
      json: { file, bytes: made.bytes, integrityCheck: "ok" },
      text: `Wrote ${file} (${formatBytes(made.bytes)}). Integrity check: ok. It holds personal information; only your user can read it.`,
    };
  }
  switch (made.reason) {
    case "on_postgres":
      throw postgresError(file);
    case "no_database":
      throw failure(`There is no database yet at ${path.join(settings.dataDir, sqliteFileName)}.`);
    case "is_database":
      throw new CommandError(`${isDatabase} another file.`);
    case "failed":
      throw failure(`The backup could not be made: ${made.why}`);
    default:
      throw new CommandError(targetFaultWords(target, made.reason));
  }
}

async function backUpIntoFolder(context: CommandContext, folder: string) {
  const settings = context.readSettings().config;
  const { unnoted, ...made } = await backUpInto(settings, {
    folder: context.resolvePath(folder),
    now: context.now(),
    environment: context.io.environment,
  });
  const more = unnoted === null ? "" : ` The database could not be told so: ${unnoted}.`;
  if (!made.ok) throw failure(`The backup could not be made: ${made.why}.${more}`);
  return { json: { file: made.file, unnoted }, text: `Wrote ${made.file}.${more}` };
}

function postgresError(file: string): CommandError {
  const dump = `${file.replace(/\.(sqlite|dump)$/, "")}.dump`;
  const word = /^[\w./-]+$/.test(dump) ? dump : `'${dump.replaceAll("'", `'\\''`)}'`;
  return new CommandError(
    [
      "DATABASE_URL is set, so the data is in PostgreSQL, and its own tools do this. Nothing was done here. To back up:",
      `  pg_dump --format=custom --no-owner --file=${word} "$DATABASE_URL"`,
      `and to restore it, beside the running site: db restore ${word}`,
    ].join("\n"),
  );
}

async function restoreBackup(context: CommandContext, file: string, options: { yes?: boolean }) {
  const settings = context.readSettings().config;
  const backupFile = context.resolvePath(file);
  const checked = await checkRestore(settings, backupFile);
  if (!checked.ok) {
    const isMissing = checked.reason === "no_file";
    throw new CommandError(isMissing ? `There is no file ${file}.` : `${isDatabase} a backup.`);
  }
  const { location } = checked;
  if (checked.replaces) {
    await confirmOrEnd(context, options, `Put ${file} in the place of what ${location} holds?`);
  }
  const restored = await restoreDatabase(settings, {
    file: backupFile,
    now: context.now(),
    isSiteUp: () => isSiteUp(context),
  });
  if (!restored.ok) throw failure(`${whyNot(restored, { file, location })} Nothing was changed.`);
  const { ok, before, setAside, erasedAgain, endedAgain, waiting, ...done } = restored;
  const { migrated, isPastKnown, heldMails, pausedSends, stoppedPlans } = done;
  const about = (count: number, words: string) => (count > 0 ? [`${words}: ${count}.`] : []);
  return {
    json: {
      ...{ restored: file, location, integrityCheck: "ok", setAside: setAside ?? before, migrated },
      ...{ repeatedErasures: erasedAgain, repeatedDepartures: endedAgain, isPastKnown, waiting },
      ...{ heldMails, pausedSends, stoppedPlans },
    },
    text: [
      `Restored ${file} to ${location}. Integrity check: ok.`,
      ...(before ? [`What was there is in ${before}.`] : []),
      ...(setAside ? [`What was there is now ${setAside}; delete it when all is well.`] : []),
      ...(isPastKnown
        ? []
        : [
            "Who left or was erased since the backup, and what was mailed since, is not known here: " +
              "run subscribers erase again for each request since, and look before you resume a send.",
          ]),
      ...(migrated.length > 0 ? [`Brought up to date: ${migrated.join(", ")}.`] : []),
      ...about(erasedAgain, "Erased again, as they had asked"),
      ...about(endedAgain, "Left or out of reach since, and so they stay"),
      ...about(pausedSends, "Sends paused until you resume them"),
      ...about(stoppedPlans, "Planned issues stopped"),
      ...about(
        heldMails,
        "Mails and calls that may have gone out since, and wait for outbox retry",
      ),
      `${waiting} mails and webhook calls wait in it and go out.`,
    ].join("\n"),
  };
}

function whyNot(
  refused: Exclude<Awaited<ReturnType<typeof restoreDatabase>>, { ok: true }>,
  { file, location }: { file: string; location: string },
): string {
  switch (refused.reason) {
    case "in_use":
      return `${location} can't be used by this program, and something else has it open: most likely the site is running. Stop it, and run this again.`;
    case "newer_here":
      return `${location} was brought up to date by a newer version of this program. Make an empty database, set DATABASE_URL to it, and restore into that.`;
    case "busy":
      return "The site was writing all the time. Try again in a minute.";
    case "under_way":
      return "Another restore is under way, or ended a moment ago in the middle. Try again in a minute.";
    case "no_file":
      return `There is no file ${file}.`;
    case "unknown_kind":
      return `${file} is not a database and no file of pg_dump --format=custom.`;
    case "newer":
      return `${file} was made by a newer version of this program (${refused.migrations.join(", ")}). Update the program first.`;
    default:
      return `${file} can't be restored: ${refused.why}.`;
  }
}

async function isSiteUp(context: CommandContext): Promise<boolean> {
  return (await checkListening(context.readSettings().config)).state === "ok";
}

async function copy(context: CommandContext, { to }: { to: string }) {
  if (await isSiteUp(context)) {
    throw failure(
      "The site runs: what it takes during the copy would stay in the old database. Stop it, and run this again.",
    );
  }
  const source = await context.store();
  const target = await openTarget(context, source, to);
  const copied = await copyDatabase(source, target)
    .catch((error) => {
      throw failure(
        `The copy failed, and nothing of it was stored: ${describeCauses(error)}. The site's own database is as it was.`,
      );
    })
    .finally(target.close);
  const { location, kind } = target;
  if (!copied.ok) throw holdsSomethingElse(location, copied.tables);
  const setting =
    kind === "postgres" ? "set DATABASE_URL to it" : "unset DATABASE_URL and set DATA_DIR";
  return {
    json: { location, tables: copied.tables },
    text: `${formatRows(copied.tables, "")}\n\nAll of it is in ${location}. To switch, ${setting} and start the site.`,
  };
}

async function openTarget(context: CommandContext, source: OpenDatabase, to: string) {
  const isPostgres = /^postgres(ql)?:/.test(to);
  if (isPostgres === (source.kind === "postgres")) {
    throw new CommandError(
      isPostgres
        ? "The site is on PostgreSQL already: pg_dump and pg_restore copy it to another server. For SQLite, give a folder."
        : 'The site is on SQLite already: "db backup" copies it to a file. For PostgreSQL, give its address, postgres://….',
    );
  }
  const dataDir = context.resolvePath(to);
  try {
    const target = await openDatabase({ dataDir, databaseUrl: isPostgres ? to : null });
    try {
      if (await hasOtherTables(target)) throw holdsSomethingElse(target.location);
      await migrateToLatest(target);
      return target;
    } catch (error) {
      await target.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw failure(`The target can't be opened: ${describeCauses(error)}`);
  }
}

function holdsSomethingElse(location: string, tables: string[] = []): CommandError {
  const what = tables.length > 0 ? ` (${tables.join(", ")})` : "";
  return new CommandError(
    `${location} holds something else already${what}. Give an empty database. Nothing was changed there.`,
  );
}
