import { stat } from "node:fs/promises";
import { amount, formatBytes } from "#content/amounts.ts";
import { calendarDate, isPublishDate } from "#newsletter/calendar-date.ts";
import {
  type ImportedIssue,
  importIssues,
  issueBodyMaxLength,
  issueTitleMaxLength,
} from "#newsletter/issues.ts";
import { type FileRecord, readAllRecords } from "#operator/records.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, type Problem, problemsError } from "../command-error.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { decodeText, type GivenFile, readBytes } from "../text-files.ts";
import { importExportedPosts } from "./exports/import-posts.ts";
import { openFolder, readExport, readSubstack } from "./exports/read-exports.ts";
import { importFileMaxBytes } from "./issue-fields.ts";

type ImportOptions = {
  dryRun?: boolean;
  site?: string;
  withPaid?: boolean;
  fetchPictures?: boolean;
  yes?: boolean;
};

export function importIssuesCommand(run: Run) {
  return siteCommand(
    "import",
    "Import issues: from Substack, from Ghost, or as CSV, JSON or NDJSON",
    "Substack's zip file or its folder, and Ghost's JSON file, go in post by post, the oldest first, and again for what " +
      "is new. Any other file holds rows of final_newsletters as Supabase exports them (id, title, content_markdown, " +
      `publish_date), and goes in whole or not at all. At most ${formatBytes(importFileMaxBytes)}.`,
  )
    .argument("<file>", "an export, a .csv, .json or .ndjson file, or - for standard input")
    .option("--dry-run", "check the file and the ids, without importing")
    .option("--site <url>", "where the old site stood, for its addresses and links")
    .option("--with-paid", "import what only paying subscribers could read there, too")
    .option("--fetch-pictures", "fetch the pictures of an export, and store them here")
    .option("-y, --yes", "don't ask")
    .action(run(importFile));
}

async function importFile(context: CommandContext, path: string, options: ImportOptions) {
  const { site = null, withPaid = false } = options;
  if (site !== null && !/^https?:\/\/[^/\s]+$/.test(site)) {
    throw new CommandError("--site must be an address such as https://old.example.com.");
  }
  const how = { site, withPaid };
  const folder = context.resolvePath(path);
  if (path !== "-" && (await stat(folder).catch(() => null))?.isDirectory()) {
    const exported = await readSubstack(path, await openFolder(folder), how);
    return await importExportedPosts(context, exported, options);
  }
  const file = await readBytes(context, path, { maxBytes: importFileMaxBytes });
  const exported = await readExport(file, how);
  if (exported) return await importExportedPosts(context, exported, options);
  return await importRows(context, file, options);
}

async function importRows(
  context: CommandContext,
  { name, bytes }: GivenFile,
  { dryRun = false }: ImportOptions,
) {
  const refused = "Nothing was imported:";
  const { format, problems, records } = readAllRecords({ name, text: decodeText(name, bytes) });
  const issues = problems.length > 0 ? [] : readIssueRecords(name, records, problems);
  if (problems.length > 0) throw problemsError(problems, refused);
  return await context.withStore(async ({ db }) => {
    const all = issues.map(({ issue }) => issue);
    const { imported, taken } = await importIssues(db, all, { isDry: dryRun });
    const faults = issues.flatMap(({ line, issue: { id = 0 } }) => {
      const title = taken.get(id);
      const message = `id ${id} is taken by "${title}", which is there already.`;
      return title === undefined ? [] : [{ file: name, line, message }];
    });
    if (faults.length > 0) throw problemsError(faults, refused);
    if (dryRun) {
      const found = `${amount(issues.length, "issue")} in ${name} (${format.toUpperCase()})`;
      const text = `Nothing was imported (--dry-run). ${found}, all in order.`;
      return { json: { dryRun, found: issues.length, format }, text };
    }
    const text = `Imported ${amount(imported, "issue")} from ${name}.`;
    return { json: { imported, format }, text };
  });
}

type IssueRecord = { line: number; issue: ImportedIssue };

/** Reads issues from records with the columns of `final_newsletters`; the id may be missing. Adds every mistake. */
function readIssueRecords(file: string, records: FileRecord[], problems: Problem[]): IssueRecord[] {
  const issues: IssueRecord[] = [];
  const lineOfId = new Map<number, number>();
  for (const { line, fields } of records) {
    const { title, content_markdown: html, publish_date: date, id: given } = fields;
    const faults: string[] = [];
    if (typeof title !== "string" || title.trim() === "") faults.push("title is missing.");
    else if (title.trim().length > issueTitleMaxLength) {
      faults.push(`title is longer than ${issueTitleMaxLength} characters.`);
    }
    if (typeof html !== "string" || html.trim() === "") faults.push("content_markdown is missing.");
    else if (html.length > issueBodyMaxLength) {
      faults.push(`content_markdown is longer than ${issueBodyMaxLength} characters.`);
    }
    const publishDate = typeof date === "string" ? calendarDate(date) : null;
    if (publishDate === null) {
      const what = `publish_date ${shown(date)} is not a calendar date (YYYY-MM-DD).`;
      faults.push(date === null || date === undefined ? "publish_date is missing." : what);
    } else if (!isPublishDate(publishDate)) {
      faults.push(`publish_date ${shown(date)} is before 1990.`);
    }
    const id = given === null || given === undefined ? undefined : Number(given);
    if (id !== undefined && (!/^\d+$/.test(String(given)) || !Number.isSafeInteger(id) || id < 1)) {
      faults.push(`id ${shown(given)} is not a whole number from 1 up.`);
    }
    const earlier = lineOfId.get(id ?? 0);
    if (earlier !== undefined) faults.push(`id ${id} is on line ${earlier} already.`);
    if (id !== undefined) lineOfId.set(id, line);
    problems.push(...faults.map((message) => ({ file, line, message })));
    if (typeof title === "string" && typeof html === "string" && publishDate !== null) {
      issues.push({ line, issue: { id, title: title.trim(), html, publishDate } });
    }
  }
  return issues;
}

function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 40);
}
