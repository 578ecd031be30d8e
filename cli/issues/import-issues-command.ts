import { findIssueTitles } from "#newsletter/find-issues.ts";
import { importIssues } from "#newsletter/issues.ts";
import { pictureMaxBytes } from "#newsletter/pictures.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, problemsError } from "../command-error.ts";
import { readAllRecords } from "../records.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { amount, startProgress } from "../terminal.ts";
import { formatBytes, readTextFile } from "../text-files.ts";
import { importArchive } from "./archives/import-archive.ts";
import { openArchive } from "./archives/open-archive.ts";

import { importFileMaxBytes } from "./issue-limits.ts";
import { type IssueRecord, readIssueRecords } from "./read-issue-records.ts";

const details = `An archive of Substack (the zip file or its folder) or of Ghost (its JSON file) is recognised
and shown in a table, with what would become of each post; drafts, pages, threads and what
only paying readers could read stay out. After a yes, the others are published behind what
is there, the oldest first. A post that can't be read is named with its file and line, and
the others go in. Run again, it takes in what is new.

Links from one post to another then lead to its issue here, and links that still lead to the old
site are listed. --site gives the old site's address; without it, it is taken from the posts'
links to one another, where these all lead to one host. Pictures stay at the addresses where they were published.
With --fetch-pictures each is fetched by https, also those of posts that are there already, and
kept in the database: PNG, JPEG, GIF and WebP, at most ${formatBytes(pictureMaxBytes)} each.

Any other FILE holds the rows of the table final_newsletters as Supabase exports them: CSV with
a heading line, a JSON array, or one JSON object a line (NDJSON). Columns: id, title,
content_markdown (the HTML), publish_date. Without an id, an issue follows the others
in the order of the file. A publish_date with a time and an offset is taken as the
day in Toronto.

Of such rows either every issue goes in or none does: mistakes are listed with their lines, and an
id that is there already is one. At most ${formatBytes(importFileMaxBytes)} a file.`;

type ImportOptions = {
  dryRun?: boolean;
  site?: string;
  withPaid?: boolean;
  fetchPictures?: boolean;
  yes?: boolean;
};

export function importIssuesCommand(run: Run) {
  return siteCommand("import", {
    summary: "Import an archive: from Substack, from Ghost, or as CSV, JSON or NDJSON",
    details,
    examples: [
      ["issues import final_newsletters_rows.csv --dry-run", "Check a file and change nothing"],
      ["issues import final_newsletters_rows.csv", "Import it"],
      ["issues import substack-export.zip", "See what Substack's archive holds, and take it in"],
      ["issues import ghost.json --site https://old.example.com", "The same of Ghost's"],
      ["issues import substack-export.zip --fetch-pictures", "Keep its pictures here, too"],
    ],
  })
    .argument("<file>", "an archive, a .csv, .json or .ndjson file, or - for standard input")
    .option("--dry-run", "check the file and the ids, without importing")
    .option("--site <url>", "where the old site stood, for its addresses and links")
    .option("--with-paid", "take in what only paying readers of the archive could read, too")
    .option("--fetch-pictures", "fetch the pictures of an archive, and keep them here")
    .option("-y, --yes", "don't ask")
    .action(run(importFile));
}

async function importFile(
  context: CommandContext,
  path: string,
  options: ImportOptions,
): Promise<CommandResult> {
  const { site = null, withPaid = false } = options;
  if (site !== null && !/^https?:\/\/[^/\s]+$/.test(site)) {
    throw new CommandError("--site must be an address such as https://old.example.com.");
  }
  const archive = await openArchive(context, path, { site, withPaid });
  if (archive === null) return await importRows(context, path, options);
  try {
    return await importArchive(context, archive, options);
  } finally {
    await archive.close();
  }
}

async function importRows(
  context: CommandContext,
  path: string,
  options: ImportOptions,
): Promise<CommandResult> {
  const { stderr } = context.io;
  const file = await readTextFile(context, path, { maxBytes: importFileMaxBytes });
  const refused = "Nothing was imported:";
  const read = readAllRecords(file);
  if (read.problems.length > 0) throw problemsError(read.problems, refused);
  const checked = readIssueRecords(file.name, read.records);
  if (!checked.ok) throw problemsError(checked.problems, refused);
  const { issues } = checked;
  const found = `${amount(issues.length, "issue")} in ${file.name} (${read.format.toUpperCase()})`;

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
    const text = `Imported ${amount(result.imported, "issue")} from ${file.name}.`;
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
