import { stat } from "node:fs/promises";
import path from "node:path";
import { restoreSqlite } from "#db/backup/restore-sqlite.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { openStore } from "#server/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { hostedModeError } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { confirmOrEnd } from "../terminal/confirm.ts";
import { startProgress } from "../terminal/progress.ts";
import { postgresError } from "./backup-command.ts";

const details = `Puts a file of "db backup" in the place of the SQLite database. Stop the site first: this
refuses where something has the database open. The backup is checked and brought up to date
as a copy; who was erased after it was made is erased again; then the two change places. The
database that was there stays beside it, with the time in its name: delete it when all is
well, since it holds personal information.

Mails and webhook calls that went out after the backup was made go out again, with the ids
that they had, so that a receiver can drop them. Asks first on a terminal.

With PostgreSQL (DATABASE_URL) this tells you the pg_restore command and does nothing.`;

export function restoreCommand(run: Run) {
  return siteCommand("restore", {
    summary: "Put a backup in the place of the database, while the site is stopped",
    details,
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
  const { dataDirectory, databaseUrl, hostedBackend } = context.readSettings().config;
  if (hostedBackend) throw hostedModeError();
  if (databaseUrl !== null) throw postgresError(file);
  const backupFile = context.resolvePath(file);
  const location = path.join(dataDirectory, sqliteFileName);
  if ((await stat(backupFile).catch(() => null))?.isFile() !== true) {
    throw new CommandError(`There is no file ${file}.`);
  }
  if (backupFile === path.resolve(location)) {
    throw new CommandError("That is the database itself. Choose a backup.");
  }
  if ((await stat(location).catch(() => null)) !== null) {
    await confirmOrEnd(context, options, `Put ${file} in the place of ${location}?`);
  }
  const progress = startProgress(context.io.stderr, "Copying pages");
  try {
    const restored = await restoreSqlite({
      backupFile,
      dataDirectory,
      now: context.now(),
      onProgress: progress.step,
      openCopy: (copy) => openStore({ dataDirectory: copy, databaseUrl: null }),
    });
    if (!restored.ok) {
      throw new CommandError(
        `Something else has ${location} open: most likely the site is running. Stop it, and run this again. Nothing was changed.`,
        { exitCode: 1 },
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
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `${file} can't be restored: ${describeCauses(error)}. The database was left as it was.`,
      { exitCode: 1 },
    );
  } finally {
    progress.end();
  }
}
