import { type ImportedIssue, importIssues } from "#newsletter/issues.ts";
import { pictureMaxBytes } from "#newsletter/pictures.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, type Problem, problemsError } from "../command-error.ts";
import { type FileRecord, readAllRecords } from "../records.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { amount } from "../terminal.ts";
import { formatBytes, readTextFile } from "../text-files.ts";
import { importExportedPosts } from "./exports/import-posts.ts";
import { openExport } from "./exports/open-export.ts";
import {
  calendarDate,
  importFileMaxBytes,
  issueBodyMaxLength,
  issueTitleMaxLength,
} from "./issue-fields.ts";

const details = `An export of Substack (the zip file or its folder) or of Ghost (its JSON file) is recognised
and shown in a table, with what would become of each post; drafts, pages, threads and what
only paying subscribers could read stay out. After a yes, the others are published behind what
is there, the oldest first. A post that can't be read is named with its file and line, and
the others go in. Run again, it imports what is new.

Links from one post to another then lead to its issue here, and links that still lead to the old
site are listed. --site gives the old site's address; without it, it is taken from the posts'
links to one another, where these all lead to one host. Pictures stay at the addresses where they were published.
With --fetch-pictures each is fetched by https, also those of posts that are there already, and
stored in the database: PNG, JPEG, GIF and WebP, at most ${formatBytes(pictureMaxBytes)} each.

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
    summary: "Import issues: from Substack, from Ghost, or as CSV, JSON or NDJSON",
    details,
    examples: [
      ["issues import final_newsletters_rows.csv --dry-run", "Check a file and change nothing"],
      ["issues import final_newsletters_rows.csv", "Import it"],
      ["issues import substack-export.zip", "See what Substack's export holds, and import it"],
      ["issues import ghost.json --site https://old.example.com", "The same of Ghost's"],
      ["issues import substack-export.zip --fetch-pictures", "Store its pictures here, too"],
    ],
  })
    .argument("<file>", "an export, a .csv, .json or .ndjson file, or - for standard input")
    .option("--dry-run", "check the file and the ids, without importing")
    .option("--site <url>", "where the old site stood, for its addresses and links")
    .option("--with-paid", "import what only paying subscribers could read there, too")
    .option("--fetch-pictures", "fetch the pictures of an export, and store them here")
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
  const exported = await openExport(context, path, { site, withPaid });
  if (exported === null) return await importRows(context, path, options);
  try {
    return await importExportedPosts(context, exported, options);
  } finally {
    await exported.close();
  }
}

async function importRows(
  context: CommandContext,
  path: string,
  { dryRun = false }: ImportOptions,
): Promise<CommandResult> {
  const file = await readTextFile(context, path, { maxBytes: importFileMaxBytes });
  const refused = "Nothing was imported:";
  const { format, problems, records } = readAllRecords(file);
  const issues = problems.length > 0 ? [] : readIssueRecords(file.name, records, problems);
  if (problems.length > 0) throw problemsError(problems, refused);
  return await context.withStore(async ({ db }) => {
    const all = issues.map(({ issue }) => issue);
    const { imported, taken } = await importIssues(db, all, { isDry: dryRun });
    const faults = issues.flatMap(({ line, issue: { id = 0 } }) => {
      const title = taken.get(id);
      const message = `id ${id} is taken by "${title}", which is there already.`;
      return title === undefined ? [] : [{ file: file.name, line, message }];
    });
    if (faults.length > 0) throw problemsError(faults, refused);
    if (dryRun) {
      const found = `${amount(issues.length, "issue")} in ${file.name} (${format.toUpperCase()})`;
      const text = `Nothing was imported (--dry-run). ${found}, all in order.`;
      return { json: { dryRun, found: issues.length, format }, text };
    }
    const text = `Imported ${amount(imported, "issue")} from ${file.name}.`;
    return { json: { imported, format }, text };
  });
}

type IssueRecord = { line: number; issue: ImportedIssue };

/** Reads issues from records with the columns of `final_newsletters`; the id may be missing. Adds every mistake. */
function readIssueRecords(name: string, records: FileRecord[], problems: Problem[]): IssueRecord[] {
  const issues: IssueRecord[] = [];
  const lineOfId = new Map<number, number>();
  for (const { line, fields } of records) {
    function problem(message: string): void {
      problems.push({ file: name, line, message });
    }
    const { title, content_markdown: html } = fields;
    if (typeof title !== "string" || title.trim() === "") problem("title is missing.");
    else if (title.trim().length > issueTitleMaxLength) {
      problem(`title is longer than ${issueTitleMaxLength} characters.`);
    }
    if (typeof html !== "string" || html.trim() === "") problem("content_markdown is missing.");
    else if (html.length > issueBodyMaxLength) {
      problem(`content_markdown is longer than ${issueBodyMaxLength} characters.`);
    }
    const publishDate = readDate(fields.publish_date, problem);
    const id = readId(fields.id, problem);
    if (id !== undefined) {
      const earlier = lineOfId.get(id);
      if (earlier !== undefined) problem(`id ${id} is on line ${earlier} already.`);
      else lineOfId.set(id, line);
    }
    if (typeof title === "string" && typeof html === "string" && publishDate !== null) {
      issues.push({ line, issue: { id, title: title.trim(), html, publishDate } });
    }
  }
  return issues;
}

function readDate(value: unknown, problem: (message: string) => void): string | null {
  if (value === null || value === undefined) {
    problem("publish_date is missing.");
    return null;
  }
  const day = typeof value === "string" ? calendarDate(value) : null;
  if (day === null) problem(`publish_date ${shown(value)} is not a calendar date (YYYY-MM-DD).`);
  return day;
}

function readId(value: unknown, problem: (message: string) => void): number | undefined {
  if (value === null || value === undefined) return undefined;
  const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof id === "number" && Number.isSafeInteger(id) && id > 0) return id;
  problem(`id ${shown(value)} is not a whole number from 1 up.`);
  return undefined;
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 40);
}
