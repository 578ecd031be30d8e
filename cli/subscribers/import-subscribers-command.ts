import { Option } from "commander";
import { importSubscribers, previewImport } from "#newsletter/import-subscribers.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, formatProblem, type Problem } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { formatBytes, streamTextFile } from "../files/read-text-file.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { startProgress } from "../terminal/progress.ts";
import { type ListedState, listedStates } from "./lists/list-format.ts";
import { listFormats } from "./lists/list-formats.ts";
import { openList } from "./lists/list-rows.ts";
import { type ColumnMap, describeColumn, mapColumns } from "./lists/map-columns.ts";
import { consentTextMaxLength } from "./lists/read-listed-subscriber.ts";
import { stageList } from "./lists/stage-list.ts";
import { StagedList } from "./lists/staged-list.ts";

const fileMaxBytes = 2_000_000_000;
const namesShownMax = 300;
/** Bad lines that the answer for programs holds; standard error has them all. */
const invalidKept = 1_000;

const programs = Object.values(listFormats).map(({ name }) => name);

const details = `FILE is an export of ${programs.slice(0, -1).join(", ")}
or ${programs.at(-1)} as it is, recognised by its columns; or a list of your own: CSV with a
heading line, a JSON array, or one JSON object a line, with a column email, and where you
have them consent_text, consent_page, consent_address, subscribed_at, confirmed_at,
unsubscribed_at and bounced_at (times as 2026-11-21T14:05:00Z). Other columns are passed
over, so a file of "subscribers export" can be read again.

What each column is taken for is shown first. Whom the other program mails counts as
confirmed; who left, complained, was cleaned or bounced there is never mailed from here.
--state says what rows are where the file itself doesn't.

Under CASL the burden of proof is yours: for each address you must be able to show who
consented, when, and to what wording. --consent is that wording, kept with every address
whose row has none of its own. Import only people who agreed to receive this newsletter;
a bought list is not consent.

A mailbox that is on the list already, in whatever spelling, stays as it is; somebody who has
unsubscribed stays unsubscribed, and somebody who asked to be erased is left out. One thing
changes: a reader who has left or bounced there since they confirmed is no longer mailed from
here either, and is counted as left now or bounced now. Where the file has no time for that, it
holds for readers who came with such a list, and not for those who have confirmed here.

Each line that can't be taken is named with its number and the reason, and the others go in,
some hundreds at a time. An import that was interrupted can be run again; one that was finished
changes nothing the second time. No mail is sent, and the webhook hears only of readers who have
left now. CSV of up to ${formatBytes(fileMaxBytes)} is read in bounded memory.`;

type ImportOptions = {
  consent: string;
  from?: string;
  state?: ListedState;
  dryRun?: boolean;
};

export function importSubscribersCommand(run: Run) {
  return siteCommand("import", {
    summary: "Import addresses whose consent you can prove",
    details,
    examples: [
      [
        'subscribers import members_export.csv --consent "…" --dry-run',
        "See what would become of an export, and change nothing",
      ],
      [
        'subscribers import list.csv --consent "Newsletter sign-up card, spring show 2026: …"',
        "Import a list with the wording that people agreed to",
      ],
    ],
  })
    .argument("<file>", "a .csv, .json or .ndjson file, or - for standard input")
    .requiredOption("--consent <text>", "the wording that these people agreed to")
    .addOption(
      new Option("--from <program>", "whose export it is, where it isn't recognised").choices(
        Object.keys(listFormats),
      ),
    )
    .addOption(
      new Option("--state <state>", "what rows are where the file doesn't say").choices(
        listedStates,
      ),
    )
    .option("--dry-run", "read the file and count, without importing")
    .action(run(importFile));
}

async function importFile(
  context: CommandContext,
  path: string,
  options: ImportOptions,
): Promise<CommandResult> {
  const consent = options.consent.trim();
  if (consent === "" || consent.length > consentTextMaxLength) {
    throw new CommandError(`--consent must be a text of 1 to ${consentTextMaxLength} characters.`);
  }
  const file = await streamTextFile(context, path, { maxBytes: fileMaxBytes });
  const list = await openList(file);
  const map = mapColumns(list.names, options);
  if (map === null) {
    // Seen at once: another spelling, or a list whose columns are separated by semicolons.
    const names = JSON.stringify(list.names).slice(1, -1).slice(0, namesShownMax);
    throw new CommandError(
      `${file.name}:1: there is no column of email addresses, such as email, among ${names}.`,
    );
  }
  const { stderr } = context.io;
  if (!context.json) stderr.write(`${describeMap(context, file.name, map)}\n`);

  const now = context.now();
  using staged = new StagedList();
  const invalid: Problem[] = [];
  const invalidCount = await stageList(
    staged,
    { file, list, map, consent, now, stderr },
    (problem) => {
      if (invalid.length < invalidKept) invalid.push(problem);
      if (!context.json) stderr.write(`${formatProblem(problem)}\n`);
    },
  );
  const { mailboxes, repeated, states } = staged.count();

  return await context.withStore(async ({ db }) => {
    const label = options.dryRun ? "Checking subscribers" : "Importing subscribers";
    const progress = startProgress(stderr, label);
    const onProgress = (done: number) => progress.step(done, mailboxes);
    const { newsletterWebhookUrl } = context.readSettings().config;
    const { added, erased, left, bounced } = await (options.dryRun
      ? previewImport(db, staged.subscribers(), onProgress)
      : importSubscribers(db, staged.subscribers(), { now, newsletterWebhookUrl, onProgress })
    ).finally(progress.end);
    const duplicate = mailboxes - added - erased - left - bounced + repeated;
    const from = map.format.name;
    const heading = options.dryRun
      ? "Nothing was imported (--dry-run). It would be:"
      : "Imported. No mail was sent.";
    const counts = { new: added, duplicate, erased, leftNow: left, bouncedNow: bounced };
    return {
      json: {
        dryRun: options.dryRun === true,
        from,
        columns: Object.fromEntries(map.columns.map(({ name, meaning }) => [name, meaning])),
        states,
        ...counts,
        invalidCount,
        invalid,
      },
      text: [
        "In the file:",
        ...Object.entries(states).map(([state, count]) => `  ${state.padEnd(13)} ${count}`),
        heading,
        `  new           ${added}`,
        `  duplicate     ${duplicate}`,
        ...(left > 0 ? [`  left now      ${left}, readers here until now`] : []),
        ...(bounced > 0 ? [`  bounced now   ${bounced}, readers here until now`] : []),
        ...(erased > 0 ? [`  erased        ${erased}, left out: their holders asked for it`] : []),
        `  invalid       ${invalidCount}`,
      ].join("\n"),
      exitCode: invalidCount > 0 ? 1 : 0,
    };
  });
}

function describeMap(context: CommandContext, name: string, map: ColumnMap): string {
  const table = context.table(
    [
      { title: "Column", value: (column: { name: string; meaning: string }) => column.name },
      { title: "Meaning", value: ({ meaning }) => meaning, flexible: true },
    ],
    describeColumn(map),
    "",
  );
  const saysState = map.columns.some(({ meaning }) => meaning === "state");
  const isOpen = !saysState || Object.values(map.format.states ?? {}).includes(null);
  const unsaid =
    map.unsaid === "times" ? "whatever the times in the row say" : `${map.unsaid}, throughout`;
  return [
    `${name} is read as: ${map.format.name}`,
    table,
    ...(isOpen ? [`Where the file doesn't say, rows are ${unsaid}.`] : []),
    ...(isOpen && map.format.note ? [map.format.note] : []),
    "",
  ].join("\n");
}
