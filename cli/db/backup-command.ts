import { stat } from "node:fs/promises";
import path from "node:path";
import { backupSqlite } from "#db/backup/backup-sqlite.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import type { CommandContext } from "../command-context.ts";
import { hostedModeError } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { formatBytes } from "../files/read-text-file.ts";
import { refuseUnusable } from "../files/write-new-file.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { startProgress } from "../terminal/progress.ts";

const details = `A copy of the SQLite database as it is at this moment, taken while the site goes on
running, checked with SQLite's integrity check, and readable by your user alone. It holds
everything: issues, subscribers with their consent, messages and the outbox. Mail that was
written to files (without SMTP_URL) is not in it: that is the folder mail in DATA_DIR.

To restore: stop the site and run "db restore".

With PostgreSQL (DATABASE_URL) this tells you the pg_dump command and does nothing.`;

export function backupCommand(run: Run) {
  return siteCommand("backup", {
    summary: "Copy the database to a file, beside the running site",
    details,
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
  const source = path.join(config.dataDirectory, sqliteFileName);
  if ((await stat(source).catch(() => null)) === null) {
    throw new CommandError(`There is no database yet at ${source}.`, { exitCode: 1 });
  }
  const target = context.resolvePath(file);
  if (target === path.resolve(source)) {
    throw new CommandError("That is the database itself. Choose another file.");
  }
  await refuseUnusable(target, options);
  const progress = startProgress(context.io.stderr, "Copying pages");
  try {
    await backupSqlite(source, target, progress.step);
  } catch (error) {
    throw new CommandError(`The backup could not be made: ${describeCauses(error)}`, {
      exitCode: 1,
    });
  } finally {
    progress.end();
  }
  const { size } = await stat(target);
  return {
    json: { file, bytes: size, integrityCheck: "ok" },
    text: `Wrote ${file} (${formatBytes(size)}). Integrity check: ok. It holds personal information; only your user can read it.`,
  };
}

/** Says how PostgreSQL's own tools back up and restore, since they do it better. */
export function postgresError(file: string): CommandError {
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
