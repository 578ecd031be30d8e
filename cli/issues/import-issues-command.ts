import { findIssueTitles } from "#backend/newsletter/find-issue-titles.ts";
import { importIssues } from "#backend/newsletter/import-issues.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { problemsError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { readRecords } from "../files/read-records.ts";
import { formatBytes, readTextFile } from "../files/read-text-file.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { startProgress } from "../terminal/progress.ts";
import { importFileMaxBytes } from "./issue-limits.ts";
import { type IssueRecord, readIssueRecords } from "./read-issue-records.ts";

const details = `FILE holds the rows of the table final_newsletters as Supabase exports them: CSV with
a heading line, a JSON array, or one JSON object a line (NDJSON). Columns: id, title,
content_markdown (the HTML), publish_date. Without an id, an issue follows the others
in the order of the file. A publish_date with a time and an offset is taken as the
day in Toronto.

Either every issue goes in or none does: mistakes are listed with their lines, and an
id that is there already is one. At most ${formatBytes(importFileMaxBytes)} a file.`;

export function importIssuesCommand(run: Run) {
  return siteCommand("import", {
    summary: "Import issues from CSV, JSON or NDJSON, all or none",
    details,
    examples: [
      ["issues import final_newsletters_rows.csv --dry-run", "Check a file and change nothing"],
      ["issues import final_newsletters_rows.csv", "Import it"],
    ],
  })
    .argument("<file>", "a .csv, .json or .ndjson file, or - for standard input")
    .option("--dry-run", "check the file and the ids, without importing")
    .action(run(importFile));
}

async function importFile(
  context: CommandContext,
  path: string,
  options: { dryRun?: boolean },
): Promise<CommandResult> {
  const { stderr } = context.io;
  const file = await readTextFile(context, path, { maxBytes: importFileMaxBytes });
  const refused = "Nothing was imported:";
  const read = readRecords(file);
  if (!read.ok) throw problemsError(read.problems, refused);
  const checked = readIssueRecords(file.name, read.records);
  if (!checked.ok) throw problemsError(checked.problems, refused);
  const { issues } = checked;
  const found = `${counted(issues.length)} in ${file.name} (${read.format.toUpperCase()})`;

  return await context.withStore(async (store) => {
    const taken = await takenIds(store, issues);
    if (taken.length > 0) {
      const problems = taken.map(({ record, title }) => ({
        file: file.name,
        line: record.line,
        message: `id ${record.issue.id} is taken by "${title}", which is there already.`,
      }));
      throw problemsError(problems, refused);
    }
    if (options.dryRun) {
      const text = `Nothing was imported (--dry-run). ${found}, all in order.`;
      return { json: { dryRun: true, found: issues.length, format: read.format }, text };
    }
    const progress = startProgress(stderr, "Importing issues");
    const result = await importIssues(
      store.db,
      issues.map(({ issue }) => issue),
      (imported) => progress.step(imported, issues.length),
    ).finally(progress.end);
    if (!result.ok) {
      // Taken between the check and the import.
      const line = issues.find(({ issue }) => issue.id === result.id)?.line ?? null;
      const message = `id ${result.id} is taken by an issue that is there already.`;
      throw problemsError([{ file: file.name, line, message }], refused);
    }
    const text = `Imported ${counted(result.imported)} from ${file.name}.`;
    return { json: { imported: result.imported, format: read.format }, text };
  });
}

/** The rows whose id the table has already, each with the title of the issue that has it. */
async function takenIds({ db }: OpenStore, issues: IssueRecord[]) {
  const titles = await findIssueTitles(
    db,
    issues.flatMap(({ issue }) => issue.id ?? []),
  );
  return issues.flatMap((record) => {
    const title = record.issue.id === undefined ? undefined : titles.get(record.issue.id);
    return title === undefined ? [] : [{ record, title }];
  });
}

function counted(count: number): string {
  return count === 1 ? "1 issue" : `${count.toLocaleString("en-CA")} issues`;
}
