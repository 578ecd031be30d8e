import { importSubscribers, previewImport } from "#backend/newsletter/import-subscribers.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, formatProblem, problemsError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { readRecords } from "../files/read-records.ts";
import { formatBytes, readTextFile } from "../files/read-text-file.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { startProgress } from "../terminal/progress.ts";
import { consentTextMaxLength, readSubscriberRecords } from "./read-subscriber-records.ts";

const fileMaxBytes = 50_000_000;
/** Rows that can't be taken are shown up to this many; the rest is counted. */
const invalidShown = 20;

const details = `FILE is CSV with a heading line, a JSON array, or one JSON object a line. Columns: email,
and where you have them consent_text, consent_page, consent_address, subscribed_at,
confirmed_at, unsubscribed_at (times as 2026-11-21T14:05:00Z). Other columns are passed
over, so a file of "subscribers export" can be read again.

Under CASL the burden of proof is yours: for each address you must be able to show who
consented, when, and to what wording. --consent is that wording, kept with every address
whose row has none of its own. Import only people who agreed to receive this newsletter;
a bought list is not consent.

An address without confirmed_at counts as not confirmed. A mailbox that is there already,
in whatever spelling, stays as it is, and whoever has unsubscribed stays unsubscribed; who
asked to be erased is left out. Rows that can't be taken are listed with their lines and the
others go in, some hundreds at a time; an import that was interrupted can be run again. No
mail is sent and no webhook is called. At most ${formatBytes(fileMaxBytes)} a file.`;

export function importSubscribersCommand(run: Run) {
  return siteCommand("import", {
    summary: "Import addresses whose consent you can prove",
    details,
    examples: [
      [
        'subscribers import list.csv --consent "Newsletter sign-up card, spring show 2026: …"',
        "Import a list with the wording that people agreed to",
      ],
      ['subscribers import list.csv --consent "…" --dry-run', "Check a file and change nothing"],
    ],
  })
    .argument("<file>", "a .csv, .json or .ndjson file, or - for standard input")
    .requiredOption("--consent <text>", "the wording that these people agreed to")
    .option("--dry-run", "check the file, without importing")
    .action(run(importFile));
}

async function importFile(
  context: CommandContext,
  path: string,
  options: { consent: string; dryRun?: boolean },
): Promise<CommandResult> {
  const consent = options.consent.trim();
  if (consent === "" || consent.length > consentTextMaxLength) {
    throw new CommandError(`--consent must be a text of 1 to ${consentTextMaxLength} characters.`);
  }
  const { stderr } = context.io;
  const file = await readTextFile(context, path, { maxBytes: fileMaxBytes });
  const read = readRecords(file);
  if (!read.ok) throw problemsError(read.problems, "Nothing was imported:");
  if (!read.records.some(({ fields }) => "email" in fields)) {
    throw new CommandError(`${file.name}:1: there is no column named email.`);
  }
  const now = context.now();
  const { subscribers, invalid, repeated } = readSubscriberRecords(file.name, read.records, {
    consent,
    now,
  });

  return await context.withStore(async ({ db }) => {
    const progress = startProgress(
      stderr,
      options.dryRun ? "Checking subscribers" : "Importing subscribers",
    );
    const onProgress = (done: number) => progress.step(done, subscribers.length);
    const { added, erased } = await (options.dryRun
      ? previewImport(db, subscribers, onProgress)
      : importSubscribers(db, subscribers, { now, onProgress })
    ).finally(progress.end);
    const duplicate = subscribers.length - added - erased + repeated;
    const shown = invalid.slice(0, invalidShown).map((problem) => `  ${formatProblem(problem)}`);
    if (invalid.length > shown.length) shown.push(`  … and ${invalid.length - shown.length} more.`);
    const heading = options.dryRun
      ? "Nothing was imported (--dry-run). It would be:"
      : "Imported. No mail was sent.";
    return {
      json: { dryRun: options.dryRun === true, new: added, duplicate, erased, invalid },
      text: [
        heading,
        `  new        ${added}`,
        `  duplicate  ${duplicate}`,
        ...(erased > 0 ? [`  erased     ${erased}, left out: their holders asked for it`] : []),
        `  invalid    ${invalid.length}`,
        ...shown,
      ].join("\n"),
      exitCode: invalid.length > 0 ? 1 : 0,
    };
  });
}
