import { Option } from "commander";
import { importSubscribers, previewImport } from "#newsletter/import-subscribers.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, formatProblem, type Problem, problemsError } from "../command-error.ts";
import { type FileRecord, readRecords } from "../records.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { withProgress } from "../terminal.ts";
import { formatBytes } from "../text-files.ts";
import { listMaxBytes, readListFiles, stateInName } from "./list-files.ts";
import { type ListedState, listedStates, listFormats, meanings } from "./list-formats.ts";
import {
  type ColumnMap,
  consentTextMaxLength,
  type DateOrder,
  dateOrders,
  findDateOrder,
  mapColumns,
  readList,
  skippedEndings,
} from "./read-list.ts";

/** Bad lines in the answer for programs; standard error has them all. */
const invalidKept = 1_000;

const endNames = "unsubscribed_at (a time, or yes and no)";
const programs = Object.values(listFormats).map(({ name }) => name);

const details = `FILE is an export of ${programs.slice(0, -1).join(", ")}
or ${programs.at(-1)} as it is downloaded, also zipped, recognised by its columns; or a list of
your own: CSV (commas, semicolons or tabs) with a heading line, a JSON array, or one JSON object
a line, with a column email, and where you have them status, consent_text, consent_page, consent_address, subscribed_at, confirmed_at,
unsubscribed_at and bounced_at (times as 2026-11-21T14:05:00Z). Other columns are passed
over, so a file of "subscribers export" can be read again. At most ${formatBytes(listMaxBytes)}.

What each column is taken for is shown first. Whom the other program mails counts as
confirmed; who left, complained, was cleaned or bounced there is never mailed from here.
--state says what rows are where the file itself doesn't.

Under CASL the burden of proof is yours: for each address you must be able to show who
consented, when, and to what wording. --consent is that wording, stored with every address
whose row has none of its own. Import only people who agreed to receive this newsletter;
a bought list is not consent.

A mailbox that is on the list already, in whatever spelling, stays as it is; somebody who has
unsubscribed stays unsubscribed, and somebody who asked to be erased is left out. One thing
changes: a subscriber who has left or bounced there since they confirmed is no longer mailed
from here either, and is counted as left now or bounced now. Where the file has no time for
that, it holds for subscribers who came with such a list, and not for those who have confirmed
here.

Each line that can't be imported is named with its number and the reason, and the others go in,
some hundreds at a time. An import that was interrupted can be run again; one that was finished
changes nothing the second time. No mail is sent, and the webhook hears only of subscribers who
have left now.`;

type ImportOptions = {
  consent?: string;
  from?: string;
  state?: ListedState;
  dates?: DateOrder;
  dryRun?: boolean;
};

export function importSubscribersCommand(run: Run) {
  return siteCommand("import", {
    summary: "Import addresses whose consent you can prove",
    details,
    examples: [
      [
        "subscribers import members_export.csv --dry-run",
        "See what would become of an export, and change nothing",
      ],
      [
        'subscribers import list.csv --consent "Newsletter sign-up card, spring show 2026: …"',
        "Import a list with the wording that people agreed to",
      ],
    ],
  })
    .argument("<file>", "a .csv, .json, .ndjson or .zip file, or - for standard input")
    .option("--consent <text>", "the wording that these people agreed to; needed to import")
    .addOption(
      new Option(
        "--from <program>",
        "whose export it is, where it isn't recognised; plain: a list of your own",
      ).choices(["plain", ...Object.keys(listFormats)]),
    )
    .addOption(
      new Option("--state <state>", "what rows are where the file doesn't say").choices(
        listedStates,
      ),
    )
    .addOption(
      new Option("--dates <order>", "how 5/1/2022 is meant, where the file doesn't show").choices(
        dateOrders,
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
  if (options.consent === undefined && !options.dryRun) {
    throw new CommandError("--consent is missing: the wording that these people agreed to.");
  }
  const consent = options.consent?.trim();
  if (consent === "" || (consent ?? "").length > consentTextMaxLength) {
    throw new CommandError(`--consent must be a text of 1 to ${consentTextMaxLength} characters.`);
  }
  const { files, leftOut } = await readListFiles(context, path);
  const lists = files.map((file) => openList(file, options));
  const { stderr } = context.io;
  const warnings = [
    ...leftOut,
    ...lists.flatMap(({ file, map }) =>
      skippedEndings(map).map(
        (column) =>
          `${file}: ${column} is passed over. If it says who has left, name it ${endNames}.`,
      ),
    ),
  ];
  if (!context.json) {
    for (const { file, map } of lists) stderr.write(`${describeMap(context, file, map)}\n`);
    for (const warning of warnings) stderr.write(`${warning}\n`);
  }

  const now = context.now();
  const list = readList(lists, { consent: consent ?? "", now });
  const { subscribers, states, repeated, problems: invalid } = list;
  if (!context.json) for (const problem of invalid) stderr.write(`${formatProblem(problem)}\n`);

  return await context.withStore(async ({ db }) => {
    const label = options.dryRun ? "Checking subscribers" : "Importing subscribers";
    const { newsletterWebhookUrl } = context.readSettings().config;
    const { added, erased, left, bounced } = await withProgress(context, label, (step) => {
      const onProgress = (done: number) => step(done, subscribers.length);
      return options.dryRun
        ? previewImport(db, subscribers, { onProgress })
        : importSubscribers(db, subscribers, { now, newsletterWebhookUrl, onProgress });
    });
    const duplicate = subscribers.length - added - erased - left - bounced + repeated;
    return {
      json: {
        dryRun: options.dryRun === true,
        ...describedMap(lists[0]),
        files: lists.map((one) => ({ file: one.file, ...describedMap(one) })),
        warnings,
        states,
        ...{ new: added, duplicate, erased, leftNow: left, bouncedNow: bounced },
        invalidCount: invalid.length,
        invalid: invalid.slice(0, invalidKept),
      },
      text: [
        "In the file:",
        ...Object.entries(states).map(([state, count]) => `  ${state.padEnd(13)} ${count}`),
        options.dryRun
          ? "Nothing was imported (--dry-run). It would be:"
          : "Imported. No mail was sent.",
        `  new           ${added}`,
        `  duplicate     ${duplicate}`,
        ...(left > 0 ? [`  left now      ${left}, subscribers here until now`] : []),
        ...(bounced > 0 ? [`  bounced now   ${bounced}, subscribers here until now`] : []),
        ...(erased > 0 ? [`  erased        ${erased}, left out: their holders asked for it`] : []),
        `  invalid       ${invalid.length}`,
      ].join("\n"),
      exitCode: invalid.length > 0 ? 1 : 0,
    };
  });
}

type OpenedList = { file: string; rows: Iterable<FileRecord | Problem>; map: ColumnMap };

/** Recognises a file and its dates; ends the command where either isn't possible. */
function openList(file: { name: string; text: string }, options: ImportOptions): OpenedList {
  const { names, rows } = readRecords(file);
  if (names.length === 0) {
    const problems = [...rows].flatMap((row) => ("fields" in row ? [] : row));
    throw problemsError(problems, "Nothing was imported:");
  }
  const state = options.state ?? stateInName(file.name);
  const map = mapColumns(names, { from: options.from, state });
  if (map === null) {
    const shown = JSON.stringify(names).slice(1, -1).slice(0, 300);
    throw new CommandError(
      `${file.name}:1: there is no column of email addresses, such as email, among ${shown}. Call the column email, or begin a bare list with a line that says email.`,
    );
  }
  // Only a spreadsheet writes such dates, and the rows are then read once more for it.
  const order =
    options.dates ??
    (/\d[/-]\d{1,2}[/-]\d{4}/.test(file.text) ? findDateOrder(readRecords(file).rows, map) : null);
  if (order !== null && typeof order === "object") {
    throw new CommandError(
      `${file.name}: ${order.unclear} can be read in two ways. Say which comes first: --dates month-first or --dates day-first.`,
    );
  }
  return { file: file.name, rows, map: { ...map, ...(order ? { dates: order } : {}) } };
}

function describedMap(list: OpenedList | undefined) {
  const columns = list?.map.columns.map(({ name, meaning }) => [name, meaning]) ?? [];
  return { from: list?.map.format.name, columns: Object.fromEntries(columns) };
}

function describeMap(
  context: CommandContext,
  file: string,
  { format, columns, states, unsaid }: ColumnMap,
): string {
  const words = [...states].map(([word, state]) => `${word} = ${state}`).join(", ");
  const table = context.table<ColumnMap["columns"][number]>(
    [
      { title: "Column", value: ({ name }) => name },
      {
        title: "Meaning",
        value: ({ meaning }) =>
          meaning === "state" ? `state: ${words}` : meaning === null ? "" : meanings[meaning],
        flexible: true,
      },
    ],
    columns.filter(({ meaning }) => meaning !== null),
    "",
  );
  const skipped = columns.filter(({ meaning }) => meaning === null).map(({ name }) => name);
  const saysState = columns.some(({ meaning }) => meaning === "state");
  const isOpen = !saysState || format.states?.unsaid !== undefined;
  const rows = unsaid === "times" ? "whatever the times in the row say" : `${unsaid}, throughout`;
  return [
    `${file} is read as: ${format.name}`,
    table,
    ...(skipped.length > 0 ? [`Passed over: ${skipped.join(", ")}`] : []),
    ...(isOpen ? [`Where the file doesn't say, rows are ${rows}.`] : []),
    ...(isOpen && format.note ? [format.note] : []),
    "",
  ].join("\n");
}
