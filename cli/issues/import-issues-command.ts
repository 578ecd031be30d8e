import { stat } from "node:fs/promises";
import { amount, formatBytes } from "#content/amounts.ts";
import { importIssues } from "#newsletter/issues.ts";
import { fetchPicture } from "#operator/exports/fetch-pictures.ts";
import { importPosts, planPosts } from "#operator/exports/import-posts.ts";
import {
  type IssueRow,
  type PostExport,
  readArchive,
  readArchiveFolder,
} from "#operator/exports/read-archive.ts";
import type { Problem, RecordFormat } from "#operator/records.ts";
import {
  type CommandContext,
  CommandError,
  confirmOrEnd,
  formatProblem,
  formatRows,
  problemsError,
  type Run,
  siteCommand,
} from "../command.ts";
import { readBytes } from "../files.ts";

/** In bytes. */
const fileMaxBytes = 200_000_000;

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
      `publish_date), and goes in whole or not at all. At most ${formatBytes(fileMaxBytes)}.`,
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
  const isFolder = path !== "-" && (await stat(folder).catch(() => null))?.isDirectory();
  const file = isFolder
    ? { name: path, bytes: Buffer.of() }
    : await readBytes(context, path, { maxBytes: fileMaxBytes });
  const read = isFolder ? await readArchiveFolder(path, folder, how) : await readArchive(file, how);
  if (!read.ok) {
    throw read.reason === "unreadable"
      ? new CommandError(read.message)
      : problemsError(read.problems, refused);
  }
  return read.of === "posts"
    ? await importExportedPosts(context, read.exported, options)
    : await importRows(context, file.name, read, options);
}

const refused = "Nothing was imported:";

async function importRows(
  context: CommandContext,
  name: string,
  { rows, format }: { rows: IssueRow[]; format: RecordFormat },
  { dryRun = false }: ImportOptions,
) {
  const { db } = await context.store();
  const all = rows.map(({ issue }) => issue);
  const { imported, taken } = await importIssues(db, all, { isDry: dryRun });
  const faults = rows.flatMap(({ line, issue: { id = 0 } }) => {
    const title = taken.get(id);
    const message = `id ${id} is taken by "${title}", which is there already, or in the desk's bin.`;
    return title === undefined ? [] : [{ file: name, line, message }];
  });
  if (faults.length > 0) throw problemsError(faults, refused);
  if (dryRun) {
    const found = `${amount(rows.length, "issue")} in ${name} (${format.toUpperCase()})`;
    const text = `Nothing was imported (--dry-run). ${found}, all in order.`;
    return { json: { dryRun, found: rows.length, format }, text };
  }
  const text = `Imported ${amount(imported, "issue")} from ${name}.`;
  return { json: { imported, format }, text };
}

/** Lists the export's posts and their outcomes, asks, and imports the new ones. */
async function importExportedPosts(
  context: CommandContext,
  exported: PostExport,
  { yes, dryRun = false, site = "", fetchPictures = false }: ImportOptions,
) {
  const { db } = await context.store();
  const say = (words: string) => context.json || context.io.stderr.write(`${words}\n`);
  const problems: Problem[] = [];
  function onProblem(problem: Problem): void {
    problems.push(problem);
    say(formatProblem(problem));
  }
  const { posts, program } = exported;
  const { present, wanted } = await planPosts(db, posts);
  exported.problems.forEach(onProblem);
  const rows = posts.map(({ publishDate, title, slug, omitted, source }) => ({
    Date: publishDate || "-",
    Becomes: omitted ?? (present.has(source) ? "there already" : "new"),
    Slug: slug,
    Title: title,
  }));
  say(`An export of ${program}: ${posts.length} posts.\n${formatRows(rows, "")}`);
  if (!dryRun && wanted.length > 0) {
    await confirmOrEnd(context, { yes }, `Publish ${amount(wanted.length, "issue")}?`);
  }

  const { imported, settled } = await importPosts(db, exported, {
    site: site || null,
    fetchPicture: fetchPictures ? fetchPicture : null,
    now: context.now,
    onProblem,
    isDry: dryRun,
  });
  const alreadyThere = posts.filter(({ source }) => present.has(source)).length;
  const omitted = posts.filter((post) => post.omitted !== null).length;
  const pictures = fetchPictures && settled ? settled.pictures : null;
  const { links = 0, oldHost = null, oldAddresses = [] } = settled ?? {};
  return {
    json: {
      dryRun,
      from: program,
      imported,
      alreadyThere,
      omitted,
      ...(settled && { ...settled, pictures }),
      problems,
    },
    text: [
      dryRun
        ? `Nothing was imported (--dry-run). ${amount(imported, "issue")} would be.`
        : `Imported ${amount(imported, "issue")} from ${program}.`,
      `  there already ${alreadyThere}`,
      `  left out      ${omitted}`,
      `  problems      ${problems.length}`,
      ...(settled ? [`  links changed ${links}, to lead from one issue to another here`] : []),
      ...(pictures ? [`  pictures      ${pictures.count}, ${formatBytes(pictures.bytes)}`] : []),
      ...(settled && oldHost === null
        ? ["Which address was the old site's, the posts don't show: --site says it."]
        : []),
      ...(oldAddresses.length > 0 ? [`Still leading to ${oldHost}:`] : []),
      ...oldAddresses.map(({ address, title }) => `  ${address}  in "${title}"`),
    ].join("\n"),
    failed: problems.length > 0,
  };
}
