import { siteSettings } from "#server/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { countUpTo } from "../option-values.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { torontoDate } from "../terminal.ts";
import { refuseUnusable, writeNewFile } from "../text-files.ts";
import { collectReport, reportPeriod } from "./report-data.ts";
import { reportPage } from "./report-page.ts";

const defaultMonths = 12;
const monthsMax = 240;

const details = `One page that opens in any browser and needs nothing else: readers over time, each issue
that went out, messages by subject, visits, and what waits in the outbox; by months, or by weeks
where there are three months or fewer. Printed, it is a sheet for the month. It holds sums and no personal information.

What was erased or has been deleted by age is in none of the sums.`;

type ReportOptions = { out?: string; months: number; force?: boolean };

export function reportCommand(run: Run) {
  return siteCommand("report", {
    summary: "Draw what has happened as one page to read or print",
    details,
    examples: [
      ["report", "Write report-2026-11-22.html, or whatever today is, of the last twelve months"],
      ["report --months 3 --out autumn.html", "Of three months, into another file"],
    ],
  })
    .option("--out <file>", "the file to write (default: report-DATE.html)")
    .option(
      "--months <n>",
      "how many months, this one among them",
      countUpTo(monthsMax),
      defaultMonths,
    )
    .option("--force", "replace a file that is there")
    .action(run(writeReport));
}

async function writeReport(
  context: CommandContext,
  options: ReportOptions,
): Promise<CommandResult> {
  const now = context.now();
  const file = options.out ?? `report-${torontoDate(now)}.html`;
  const target = context.resolvePath(file);
  // Before the work, so that nobody waits for a refusal.
  await refuseUnusable(target, options);
  const period = reportPeriod(now, options.months);
  const { config } = context.readSettings();
  const report = await context.withStore(({ db }) => collectReport(db, period));
  const page = reportPage({ report, period, site: siteSettings(config) });
  await writeNewFile(target, [page], options);
  return {
    json: { file, months: options.months, bytes: Buffer.byteLength(page) },
    text: `Wrote ${file}: ${period.label}. Open it in any browser; it needs nothing else.`,
  };
}
