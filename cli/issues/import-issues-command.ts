import { amount, formatBytes } from "#content/amounts.ts";
import { importIssuesFile } from "#newsletter/import-issues.ts";
import { type CommandContext, problemsError, type Run, siteCommand } from "../command.ts";
import { readBytes } from "../files.ts";

const fileMaxBytes = 200_000_000;

export function importIssuesCommand(run: Run) {
  return siteCommand(
    "import",
    "Import issues as CSV or JSON",
    "The file holds rows of final_newsletters as a hosted project exports them (id, title, content_markdown, " +
      `publish_date), and goes in whole or not at all. At most ${formatBytes(fileMaxBytes)}.`,
  )
    .argument("<file>", "a .csv or .json file, or - for standard input")
    .option("--dry-run", "check the file and the ids, without importing")
    .action(run(importFile));
}

async function importFile(
  context: CommandContext,
  path: string,
  { dryRun = false }: { dryRun?: boolean },
) {
  const file = await readBytes(context, path, { maxBytes: fileMaxBytes });
  const { db } = await context.store();
  const read = await importIssuesFile(db, file, { isDry: dryRun, now: context.now() });
  if (!read.ok) throw problemsError(read.problems, "Nothing was imported:");
  const issues = amount(read.found, "issue");
  if (dryRun) {
    const text = `Nothing was imported (--dry-run). ${issues} in ${file.name}, all in order.`;
    return { json: { dryRun, found: read.found }, text };
  }
  return { json: { imported: read.found }, text: `Imported ${issues} from ${file.name}.` };
}
