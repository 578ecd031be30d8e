import { InvalidArgumentError, Option } from "commander";
import { importSubscribers } from "#newsletter/import-subscribers.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, formatProblem } from "../command-error.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { formatRows } from "../terminal.ts";
import { readListFiles } from "./list-files.ts";
import { listedStates, listFormats, meanings } from "./list-formats.ts";
import {
  columnsOf,
  consentTextMaxLength,
  dateOrders,
  type GivenColumns,
  type ListOptions,
  type OpenedList,
  openList,
  readList,
  skippedEndings,
} from "./read-list.ts";

/** Bad lines in the answer for programs; standard error has them all. */
const invalidKept = 1_000;

type ImportOptions = ListOptions & { consent?: string; dryRun?: boolean };

export function importSubscribersCommand(run: Run) {
  const programs = Object.values(listFormats).map(({ name }) => name);
  return siteCommand(
    "import",
    "Import addresses whose consent you can prove",
    `FILE is an export of ${programs.join(", ")} as it is downloaded, or a list of your own: CSV with a heading line, ` +
      "JSON or NDJSON, with a column email and those that subscribers export writes. What each column is taken for is " +
      "shown first. Nobody who left, bounced or was erased is mailed again, and no mail is sent; an import can be run again.",
  )
    .argument("<file>", "a .csv, .json, .ndjson or .zip file, or - for standard input")
    .option("--consent <text>", "the wording that these people agreed to; needed to import")
    .addOption(
      new Option("--from <program>", "whose export it is; plain: a list of your own").choices([
        "plain",
        ...Object.keys(listFormats),
      ]),
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
    .option(
      "--column <name=meaning>",
      `what a column is, where that is read wrongly: ${Object.keys(meanings).join(", ")} or none`,
      parseColumn,
    )
    .option("--dry-run", "read the file and count, without importing")
    .action(run(importFile));
}

function parseColumn(text: string, given: GivenColumns = new Map()): GivenColumns {
  const [, name = "", meaning = ""] = /^(.*)=(\w+)$/s.exec(text) ?? [];
  if (meaning === "none") return new Map([...given, [name, null]]);
  if (meaning in meanings) return new Map([...given, [name, meaning as keyof typeof meanings]]);
  throw new InvalidArgumentError('Give the column and its meaning, such as "Contact=email".');
}

async function importFile(context: CommandContext, path: string, options: ImportOptions) {
  if (options.consent === undefined && !options.dryRun) {
    throw new CommandError("--consent is missing: the wording that these people agreed to.");
  }
  const consent = options.consent?.trim();
  if (consent === "" || (consent ?? "").length > consentTextMaxLength) {
    throw new CommandError(`--consent must be a text of 1 to ${consentTextMaxLength} characters.`);
  }
  const { files, leftOut } = await readListFiles(context, path);
  const lists = files.map((file) => openList(file, options));
  const known = new Set(lists.flatMap(({ map }) => map.columns.map(({ name }) => name)));
  const unknown = [...(options.column?.keys() ?? [])].find((name) => !known.has(name));
  if (unknown !== undefined) throw new CommandError(`--column: there is no column "${unknown}".`);
  const now = context.now();
  const list = readList(lists, { consent: consent ?? "", now });
  const warnings = [...leftOut, ...lists.flatMap(warningsOf)];
  const { subscribers, states, repeated, problems: invalid } = list;
  if (!context.json) {
    const said = [...lists.map(describeList), ...warnings, ...invalid.map(formatProblem)];
    context.io.stderr.write(said.map((words) => `${words}\n`).join(""));
  }

  return await context.withStore(async ({ db }) => {
    const { newsletterWebhookUrl } = context.readOwnSettings();
    const { added, erased, left, bounced } = await importSubscribers(db, subscribers, {
      ...{ now, newsletterWebhookUrl, isDry: options.dryRun },
      onProgress: (done) => context.io.progress?.(done, subscribers.length),
    });
    const duplicate = subscribers.length - added - erased - left - bounced + repeated;
    const counts = { new: added, duplicate, erased, leftNow: left, bouncedNow: bounced };
    return {
      json: {
        dryRun: options.dryRun === true,
        ...describedMap(lists[0]),
        files: lists.map((one) => ({ file: one.file, ...describedMap(one) })),
        ...{ warnings, states, ...counts },
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
      failed: invalid.length > 0,
    };
  });
}

/** What may say who has left, and isn't understood. */
function warningsOf({ file, map }: OpenedList): string[] {
  const unknown = [...map.found].flatMap(([word, said]) => (said === null ? word : []));
  const words = unknown.slice(0, 10).map((word) => JSON.stringify(word.slice(0, 40)));
  return [
    ...skippedEndings(map).map(
      (column) =>
        `${file}: ${column} is passed over. If it says who has left, name it unsubscribed_at (a time, or yes and no).`,
    ),
    ...(words.length > 0
      ? [
          `${file}: what ${words.join(", ")} mean of somebody's state isn't known, and nobody is left out for it. If some have left, write unsubscribed there.`,
        ]
      : []),
  ];
}

function describedMap(list: OpenedList | undefined) {
  return { from: list?.map.format.name, columns: list ? columnsOf(list.map) : {} };
}

function describeList({ file, map }: OpenedList): string {
  const { format, columns, found, unsaid } = map;
  const known = [...found].filter(([, said]) => said !== null);
  const words = known.map(([word, said]) => `${word} = ${said}`).join(", ");
  const taken = columns.flatMap(({ name, meaning }) =>
    meaning === null
      ? []
      : { Column: name, Meaning: meaning === "state" ? `state: ${words}` : meanings[meaning] },
  );
  const skipped = columns.filter(({ meaning }) => meaning === null).map(({ name }) => name);
  const isOpen =
    taken.every(({ Meaning }) => !Meaning.startsWith("state")) ||
    format.states?.unsaid !== undefined;
  const rows = unsaid === "times" ? "whatever the times in the row say" : `${unsaid}, throughout`;
  return [
    `${file} is read as: ${format.name}`,
    formatRows(taken, ""),
    ...(skipped.length > 0 ? [`Passed over: ${skipped.join(", ")}`] : []),
    ...(isOpen ? [`Where the file doesn't say, rows are ${rows}.`] : []),
    ...(isOpen && format.note ? [format.note] : []),
    "",
  ].join("\n");
}
