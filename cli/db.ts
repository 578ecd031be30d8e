import { stat } from "node:fs/promises";
import path from "node:path";
import { copyDatabase, hasOtherTables } from "#db/copy.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { forgetDeletedPages } from "#newsletter/privacy.ts";
import { deleteExpired, deleteExpiredMailFiles } from "#newsletter/retention.ts";
import { backupSqlite, restoreSqlite } from "#server/backup.ts";
import { openStore } from "#server/open-store.ts";
import { type CommandContext, hostedModeError } from "./command-context.ts";
import { CommandError, failure } from "./command-error.ts";
import { checkListening } from "./doctor/check-reachable.ts";
import { type CommandResult, commandGroup, type Run, siteCommand } from "./site-command.ts";
import { confirmOrEnd, formatFields, number, withProgress } from "./terminal.ts";
import { formatBytes, refuseUnusable } from "./text-files.ts";

export function dbCommands(run: Run) {
  return commandGroup("db", "The database", [
    migrateCommand(run),
    backupCommand(run),
    restoreCommand(run),
    copyCommand(run),
    deleteExpiredCommand(run),
  ]);
}

function migrateCommand(run: Run) {
  return siteCommand("migrate", {
    summary: "Bring the database's tables up to date",
    details:
      "npm start does this by itself, and so does every command that opens the database; run it\nalone to do it before a start. A new SQLite database also gets its starter issues.",
    examples: [["db migrate", "Apply the migrations that are missing"]],
  }).action(
    run((context) =>
      context.withStore(async ({ kind, location, migrated, seeded }) => {
        const lines =
          migrated.length === 0
            ? ["Up to date; nothing to do."]
            : [`Applied ${migrated.length}:`, ...migrated.map((name) => `  ${name}`)];
        if (seeded > 0) lines.push(`Added ${seeded} starter issues to the new database.`);
        return {
          json: { kind, location, migrated, starterIssues: seeded },
          text: [`Database: ${location}`, ...lines].join("\n"),
        };
      }),
    ),
  );
}

const backupDetails = `A copy of the SQLite database as it is at this moment, taken while the site goes on
running, checked with SQLite's integrity check, and readable by your user alone. It contains
everything: issues, subscribers with their consent, messages and the outbox. Mail that was
written to files (without SMTP_URL) is not in it: that is the folder mail in DATA_DIR.

To restore: stop the site and run "db restore".

With PostgreSQL (DATABASE_URL) this prints the pg_dump command and does nothing.`;

function backupCommand(run: Run) {
  return siteCommand("backup", {
    summary: "Copy the database to a file, beside the running site",
    details: backupDetails,
    examples: [
      ["db backup backup-2026-11-21.sqlite", "Make a backup"],
      ["db backup latest.sqlite --force", "Replace the one before, once the new one is checked"],
    ],
  })
    .argument("<file>", "the file to make")
    .option("--force", "replace a file that is there")
    .action(run(makeBackup));
}

async function makeBackup(
  context: CommandContext,
  file: string,
  options: { force?: boolean },
): Promise<CommandResult> {
  const { config } = context.readSettings();
  if (config.hostedBackend) throw hostedModeError();
  if (config.databaseUrl !== null) throw postgresError(file);
  const source = path.join(config.dataDir, sqliteFileName);
  if ((await stat(source).catch(() => null)) === null) {
    throw failure(`There is no database yet at ${source}.`);
  }
  const target = context.resolvePath(file);
  if (target === path.resolve(source)) {
    throw new CommandError("That is the database itself. Choose another file.");
  }
  await refuseUnusable(target, options);
  await withProgress(context, "Copying pages", (step) => backupSqlite(source, target, step)).catch(
    (error) => {
      throw failure(`The backup could not be made: ${describeCauses(error)}`);
    },
  );
  const { size } = await stat(target);
  return {
    json: { file, bytes: size, integrityCheck: "ok" },
    text: `Wrote ${file} (${formatBytes(size)}). Integrity check: ok. It holds personal information; only your user can read it.`,
  };
}

/** Says how PostgreSQL's own tools back up and restore, since they do it better. */
function postgresError(file: string): CommandError {
  const dump = `${file.replace(/\.(sqlite|dump)$/, "")}.dump`;
  return new CommandError(
    [
      "DATABASE_URL is set, so the data is in PostgreSQL, and its own tools do this. Nothing was done here. To back up:",
      `  pg_dump --format=custom --no-owner --file=${shellWord(dump)} "$DATABASE_URL"`,
      "and to restore, with every copy of the site stopped:",
      `  pg_restore --clean --if-exists --no-owner --single-transaction --dbname="$DATABASE_URL" ${shellWord(dump)}`,
    ].join("\n"),
  );
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const restoreDetails = `Puts a file of "db backup" in the place of the SQLite database. Stop the site first: this
refuses where something has the database open. The backup is checked and brought up to date
as a copy; who was erased after it was made is erased again; then the two change places. The
database that was there stays beside it, with the time in its name: delete it when all is
well, since it contains personal information.

Mails and webhook calls that went out after the backup was made go out again, with the ids
that they had, so that a receiver can drop them. Asks first on a terminal.

With PostgreSQL (DATABASE_URL) this prints the pg_restore command and does nothing.`;

function restoreCommand(run: Run) {
  return siteCommand("restore", {
    summary: "Put a backup in the place of the database, while the site is stopped",
    details: restoreDetails,
    examples: [["db restore /srv/backups/site-2026-11-21.sqlite", "Go back to a backup"]],
  })
    .argument("<file>", "a file that db backup made")
    .option("-y, --yes", "don't ask")
    .action(run(restore));
}

async function restore(
  context: CommandContext,
  file: string,
  options: { yes?: boolean },
): Promise<CommandResult> {
  const { dataDir, databaseUrl, hostedBackend } = context.readSettings().config;
  if (hostedBackend) throw hostedModeError();
  if (databaseUrl !== null) throw postgresError(file);
  const backupFile = context.resolvePath(file);
  const location = path.join(dataDir, sqliteFileName);
  if ((await stat(backupFile).catch(() => null))?.isFile() !== true) {
    throw new CommandError(`There is no file ${file}.`);
  }
  if (backupFile === path.resolve(location)) {
    throw new CommandError("That is the database itself. Choose a backup.");
  }
  if ((await stat(location).catch(() => null)) !== null) {
    await confirmOrEnd(context, options, `Put ${file} in the place of ${location}?`);
  }
  const restored = await withProgress(context, "Copying pages", (onProgress) =>
    restoreSqlite({
      backupFile,
      dataDir,
      now: context.now(),
      onProgress,
      openCopy: (copy) => openStore({ dataDir: copy, databaseUrl: null }),
    }),
  ).catch((error) => {
    throw failure(
      `${file} can't be restored: ${describeCauses(error)}. The database was left as it was.`,
    );
  });
  if (!restored.ok) {
    throw failure(
      `Something else has ${location} open: most likely the site is running. Stop it, and run this again. Nothing was changed.`,
    );
  }
  const { ok, ...done } = restored;
  const { setAside, migrated, repeatedErasures, waiting } = done;
  return {
    json: { restored: file, location, integrityCheck: "ok", ...done },
    text: [
      `Restored ${file} to ${location}. Integrity check: ok.`,
      ...(setAside ? [`What was there is now ${setAside}; delete it when all is well.`] : []),
      ...(migrated.length > 0 ? [`Brought up to date: ${migrated.join(", ")}.`] : []),
      ...(repeatedErasures > 0 ? [`Erased again: ${repeatedErasures}, as they had asked.`] : []),
      `${waiting} mails and webhook calls wait in it; what had gone out since goes out again, with the same ids.`,
    ].join("\n"),
  };
}

const copyDetails = `Copies the site's database into one of the other kind: from SQLite into the empty
PostgreSQL database of an address, or from the PostgreSQL of DATABASE_URL into an empty data
folder. Everything goes: issues, subscribers with the proof of their consent, messages, mail
that waits. What pages are made of is made anew there.

Stop the site first, every instance of it: this refuses where one answers on this machine's
PORT. Then set DATABASE_URL (or take it out), and start the site. A copy that is interrupted
leaves the other database empty, and the site's own is never changed.`;

function copyCommand(run: Run) {
  return siteCommand("copy", {
    summary: "Copy everything into a database of the other kind, while the site is stopped",
    details: copyDetails,
    examples: [
      ["db copy --to postgres://site:secret@localhost/site", "From SQLite to PostgreSQL"],
      ["db copy --to ./data-sqlite", "From PostgreSQL back to SQLite"],
    ],
  })
    .requiredOption("--to <target>", "an address postgres://…, or a folder for SQLite")
    .action(run(copy));
}

async function copy(context: CommandContext, { to }: { to: string }): Promise<CommandResult> {
  if ((await checkListening(context.readSettings().config)).state === "ok") {
    throw failure(
      "The site runs: what it takes during the copy would stay in the old database. Stop it, and run this again.",
    );
  }
  return await context.withStore(async (source) => {
    const target = await openTarget(context, source, to);
    let rows = 0;
    const copied = await withProgress(context, "Copying rows", (step) =>
      copyDatabase(source, target, (batch) => {
        rows += batch;
        step(rows, null);
      }),
    )
      .catch((error) => {
        throw failure(
          `The copy failed, and nothing of it was stored: ${describeCauses(error)}. The site's own database is as it was.`,
        );
      })
      .finally(target.close);
    const { location, kind } = target;
    if (!copied.ok) throw holdsSomethingElse(location, copied.tables);
    const table = context.table(
      [
        { title: "Table", value: ({ table }) => table },
        { title: "Rows", value: ({ rows }) => number(rows), align: "right" },
      ],
      copied.tables,
      "",
    );
    const setting =
      kind === "postgres" ? "set DATABASE_URL to it" : "unset DATABASE_URL and set DATA_DIR";
    return {
      json: { location, tables: copied.tables },
      text: `${table}\n\nAll of it is in ${location}. To switch, ${setting} and start the site.`,
    };
  });
}

async function openTarget(
  context: CommandContext,
  source: OpenDatabase,
  to: string,
): Promise<OpenDatabase> {
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
    const isNew =
      !isPostgres && (await stat(path.join(dataDir, sqliteFileName)).catch(() => null)) === null;
    const target = await openDatabase({ dataDir, databaseUrl: isPostgres ? to : null });
    try {
      if (!isNew && (await hasOtherTables(target))) throw holdsSomethingElse(target.location);
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

function deleteExpiredCommand(run: Run) {
  return siteCommand("delete-expired", {
    summary: "Delete what the privacy policy promises not to keep any longer",
    details:
      "The running site does this by itself, at its start and every six hours; run it alone where\nthe site has been stopped for long. The periods are those of the Privacy page.",
    examples: [["db delete-expired", "Delete, and say how much"]],
  }).action(
    run((context) =>
      context.withStore(async ({ db }) => {
        const now = context.now();
        const { dataDir } = context.readSettings().config;
        const deleted = await deleteExpired(db, now);
        const mailFiles = await deleteExpiredMailFiles(dataDir, now);
        await forgetDeletedPages(db);
        return {
          json: { ...deleted, mailFiles },
          text: formatFields([
            ["Messages", String(deleted.messages)],
            ["Network addresses of messages", String(deleted.messageAddresses)],
            ["Subscribers", String(deleted.subscribers)],
            ["Mails and webhook calls", String(deleted.deliveries)],
            ["Sums of visits", String(deleted.visits)],
            ["Mail files", String(mailFiles)],
          ]),
        };
      }),
    ),
  );
}
