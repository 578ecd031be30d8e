import { stat } from "node:fs/promises";
import path from "node:path";
import {
  type CopyResult,
  copyDatabase,
  hasOtherTables,
  type TableCopy,
} from "#db/copy/copy-database.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { checkListening } from "../doctor/check-reachable.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { startProgress } from "../terminal/progress.ts";

const details = `Copies the site's database into one of the other kind: from SQLite into the empty
PostgreSQL database of an address, or from the PostgreSQL of DATABASE_URL into an empty data
folder. Everything goes: issues, readers with the proof of their consent, messages, mail that
waits. What pages are made of is made anew there.

Run it beside the site as often as you like: each run carries over what was written, changed
or removed since the one before, and says how long it took. Interrupted, it is run again.
Every table is read back, counted and compared by checksum.

To switch: stop the site, run it once more with --last, set DATABASE_URL (or take it out), and
start the site. With --last nothing is written to the old database while it is copied; what a
site that was not stopped takes after that stays in the old one; where one still runs on this
machine's PORT, the last line says so.

A database that holds anything else, or that a site has written to since it was copied to, is
refused and left as it is.`;

export function copyCommand(run: Run) {
  return siteCommand("copy", {
    summary: "Copy everything into a database of the other kind",
    details,
    examples: [
      ["db copy --to postgres://site:secret@localhost/site", "From SQLite, beside the site"],
      ["db copy --to postgres://site:secret@localhost/site --last", "Once it is stopped"],
      ["db copy --to ./data-sqlite", "From PostgreSQL back to SQLite"],
    ],
  })
    .requiredOption("--to <target>", "an address postgres://…, or a folder for SQLite")
    .option("--last", "keep the old database from being written to meanwhile")
    .action(run(copy));
}

async function copy(
  context: CommandContext,
  { to, last: isLast = false }: { to: string; last?: boolean },
): Promise<CommandResult> {
  return await context.withStore(async (source) => {
    const target = await openTarget(context, source, to);
    const progress = startProgress(context.io.stderr, "Copying rows");
    const startedAt = performance.now();
    let rows = 0;
    try {
      const result = await copyDatabase({
        source,
        target,
        isLast,
        now: context.now(),
        onProgress: (_table, batch) => {
          rows += batch;
          progress.step(rows, null);
        },
      });
      const seconds = Math.ceil((performance.now() - startedAt) / 1000);
      if (!result.ok) throw refusalOf(result, target.location);
      const site = isLast ? await checkListening(context.readSettings().config) : null;
      const siteRuns = site?.state === "ok";
      return report(context, result.tables, { target, isLast, siteRuns, seconds });
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw new CommandError(
        `The copy is not whole: ${describeCauses(error)}. The site's own database is as it was; run this again.`,
        { exitCode: 1 },
      );
    } finally {
      progress.end();
      await target.close();
    }
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
    throw new CommandError(`The target can't be opened: ${describeCauses(error)}`, { exitCode: 1 });
  }
}

function holdsSomethingElse(location: string, what = ""): CommandError {
  return new CommandError(
    `${location} holds something else already${what}. Give an empty database. Nothing was changed there.`,
  );
}

function refusalOf(result: CopyResult & { ok: false }, location: string): CommandError {
  switch (result.reason) {
    case "not_empty":
      return holdsSomethingElse(location, ` (${result.tables.join(", ")})`);
    case "other_source":
      return holdsSomethingElse(location, ", a copy of another site's database");
    case "used":
      return new CommandError(
        `${location} has been written to since it was copied to, most likely by a site that runs on it. Nothing was changed there.`,
      );
    case "migrations_differ":
      return new CommandError(
        `${location} has had other migrations than the site's database: it belongs to another version of the site.`,
      );
    case "differs":
      return new CommandError(
        `The table ${result.table} is not the same in ${location} as it was read. Something else writes to it. Run this again.`,
        { exitCode: 1 },
      );
  }
}

type Done = { target: OpenDatabase; isLast: boolean; siteRuns: boolean; seconds: number };

function report(
  context: CommandContext,
  tables: TableCopy[],
  { target, isLast, siteRuns, seconds }: Done,
): CommandResult {
  const setting =
    target.kind === "postgres" ? "set DATABASE_URL to it" : "unset DATABASE_URL and set DATA_DIR";
  const next = siteRuns
    ? [
        "The site still runs: what it takes from now on stays in the old database. Stop it, and run this again.",
      ]
    : isLast
      ? [`To switch, ${setting} and start the site.`]
      : [
          "What has been written since this run began is not in it yet.",
          `To switch: stop the site, run this again with --last (about ${seconds} s), ${setting}, and start the site.`,
        ];
  return {
    exitCode: siteRuns ? 1 : 0,
    json: { location: target.location, isLast, siteRuns, seconds, tables },
    text: [
      context.table(
        [
          { title: "Table", value: ({ table }) => table },
          { title: "Rows", value: ({ rows }) => rows.toLocaleString("en-CA"), align: "right" },
          { title: "Added", value: ({ added }) => String(added), align: "right" },
          { title: "Changed", value: ({ changed }) => String(changed), align: "right" },
          { title: "Removed", value: ({ removed }) => String(removed), align: "right" },
          { title: "SHA-256", value: ({ checksum }) => checksum.slice(0, 12) },
        ],
        tables,
        "",
      ),
      "",
      `Counts and checksums of all tables are the same in ${target.location}.`,
      ...next,
    ].join("\n"),
  };
}
