import { InvalidArgumentError, Option } from "commander";
import type { Problem } from "#newsletter/text-files.ts";
import { type ImportOutcome, importList, lookAtList } from "#operator/import-list.ts";
import { listMaxBytes, neverSubscribed, unpackLists } from "#operator/list-files.ts";
import { listFormats, type Meaning, meanings } from "#operator/list-formats.ts";
import {
  type Columns,
  consentTextMaxLength,
  dateOrders,
  type ListFault,
  type ListOptions,
  type ListWarning,
  type ReadAs,
  type RowProblem,
  readLists,
} from "#operator/read-list.ts";
import {
  type CommandContext,
  CommandError,
  formatProblem,
  formatRows,
  problemsError,
  type Run,
  siteCommand,
} from "../command.ts";
import { readBytes } from "../files.ts";

/** Bad lines in the answer for programs; standard error has them all. */
const invalidKept = 1_000;

type ImportOptions = Omit<ListOptions, "columns"> & {
  column?: Columns;
  consent?: string;
  dryRun?: boolean;
};

export function importSubscribersCommand(run: Run) {
  const programs = Object.values(listFormats).map(({ name }) => name);
  return siteCommand(
    "import",
    "Import addresses whose consent you can prove",
    `FILE is an export of ${programs.join(", ")} as it is downloaded, or a list of your own: CSV with a heading line, ` +
      "JSON or NDJSON, with a column email and those that subscribers export writes. The command shows what it takes each " +
      "column for. Nobody who left, bounced or was erased is mailed again, and no mail is sent; an import can be run again.",
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
      new Option("--state <state>", "what rows are where the file doesn't say").choices([
        "confirmed",
        "unconfirmed",
        "bounced",
        "unsubscribed",
      ]),
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

function parseColumn(text: string, given: Columns = {}): Columns {
  const [, name = "", meaning = ""] = /^(.*)=(\w+)$/s.exec(text) ?? [];
  if (meaning === "none") return { ...given, [name]: null };
  if (meaning in meanings) return { ...given, [name]: meaning as Meaning };
  throw new InvalidArgumentError('Give the column and its meaning, such as "Contact=email".');
}

async function importFile(context: CommandContext, path: string, options: ImportOptions) {
  const { dryRun = false, column: columns, ...read } = options;
  if (options.consent === undefined && !dryRun) {
    throw new CommandError("--consent is missing: the wording that these people agreed to.");
  }
  const consent = options.consent?.trim();
  if (consent === "" || (consent ?? "").length > consentTextMaxLength) {
    throw new CommandError(`--consent must be a text of 1 to ${consentTextMaxLength} characters.`);
  }
  const { name, bytes } = await readBytes(context, path, { maxBytes: listMaxBytes });
  const unpacked = await unpackLists(name, bytes);
  if (!unpacked.ok) throw new CommandError(unpacked.problem);
  const now = context.now();
  const list = await readLists(
    unpacked.files,
    { ...read, columns },
    { consent: consent ?? "", now },
  );
  if (!list.ok) throw listError(list);
  const leftOut = unpacked.leftOut.map((file) => `${file}: ${neverSubscribed}`);
  const warnings = [...leftOut, ...list.warnings.map(warningWords)];
  const invalid = list.problems.map(withHint);
  if (!context.json) {
    const said = [...list.lists.map(describeList), ...warnings, ...invalid.map(formatProblem)];
    context.io.stderr.write(said.map((words) => `${words}\n`).join(""));
  }

  const { db, config } = await context.store();
  const { newsletterWebhookUrl } = config;
  const outcome = dryRun
    ? await lookAtList(db, list)
    : await importList(db, list, { now, newsletterWebhookUrl });
  const [first] = outcome.lists;
  return {
    json: {
      dryRun,
      from: first?.from,
      columns: first?.columns ?? {},
      files: outcome.lists,
      warnings,
      states: outcome.states,
      new: outcome.new,
      duplicate: outcome.duplicate,
      erased: outcome.erased,
      leftNow: outcome.leftNow,
      bouncedNow: outcome.bouncedNow,
      invalidCount: invalid.length,
      invalid: invalid.slice(0, invalidKept),
    },
    text: outcomeWords(outcome, dryRun),
    failed: invalid.length > 0,
  };
}

function outcomeWords(outcome: ImportOutcome, dryRun: boolean): string {
  const { leftNow, bouncedNow, erased } = outcome;
  return [
    "In the file:",
    ...Object.entries(outcome.states).map(([state, count]) => `  ${state.padEnd(13)} ${count}`),
    dryRun ? "Nothing was imported (--dry-run). It would be:" : "Imported. No mail was sent.",
    `  new           ${outcome.new}`,
    `  duplicate     ${outcome.duplicate}`,
    ...(leftNow > 0 ? [`  left now      ${leftNow}, subscribers here until now`] : []),
    ...(bouncedNow > 0 ? [`  bounced now   ${bouncedNow}, subscribers here until now`] : []),
    ...(erased > 0 ? [`  erased        ${erased}, left out: their holders asked for it`] : []),
    `  invalid       ${outcome.invalidCount}`,
  ].join("\n");
}

function listError(fault: ListFault): CommandError {
  switch (fault.reason) {
    case "unreadable":
      return problemsError(fault.problems, "Nothing was imported:");
    case "no_addresses": {
      const { file, columns } = fault;
      const shown = JSON.stringify(Object.keys(columns)).slice(1, -1).slice(0, 300);
      return new CommandError(
        `${file}:1: there is no column of email addresses, such as email, among ${shown}. Call the column email, or begin a bare list with a line that says email.`,
        { columns },
      );
    }
    case "unclear_date":
      return new CommandError(
        `${fault.file}: ${fault.date} can be read in two ways. Say which comes first: --dates month-first or --dates day-first.`,
        { columns: fault.columns },
      );
    case "unknown_column":
      return new CommandError(`--column: there is no column "${fault.column}".`);
  }
}

function withHint({ plainMayHelp, message, ...place }: RowProblem): Problem {
  const hint = plainMayHelp ? " --from plain reads a list of your own." : "";
  return { ...place, message: message + hint };
}

function warningWords(warning: ListWarning): string {
  const { file } = warning;
  if (warning.kind === "column_passed_over") {
    return `${file}: ${warning.column} is ignored. If it says who has left, name it unsubscribed_at (a time, or yes and no).`;
  }
  const words = warning.words.map((word) => JSON.stringify(word)).join(", ");
  return `${file}: what ${words} mean of somebody's state isn't known, so these rows are unconfirmed, and nobody in them is mailed. Where it says something else, ignore the column: --column NAME=none.`;
}

/** Words for what a program's export leaves open. */
const notes: Record<string, string> = {
  Substack:
    "Without the column email_disabled the file doesn't tell who has turned the mail off: take the email_list file of Substack's full export.",
  listmonk:
    "listmonk's export doesn't tell who has left a list. Export one list by the subscription's status: the confirmed with --state confirmed, the unsubscribed with --state unsubscribed.",
  "Kit (ConvertKit)":
    "Without a column state the file doesn't tell who has left: export Kit's states one by one, and say with --state which it is.",
};

function describeList({ file, format, columns, words, unsaid }: ReadAs): string {
  const known = Object.entries(words).filter(([, said]) => said !== null);
  const states = known.map(([word, said]) => `${word} = ${said}`).join(", ");
  const taken = columns.flatMap(({ name, meaning }) =>
    meaning === null
      ? []
      : { Column: name, Meaning: meaning === "state" ? `state: ${states}` : meanings[meaning] },
  );
  const passedOver = columns.filter(({ meaning }) => meaning === null).map(({ name }) => name);
  const isOpen = columns.every(({ meaning }) => meaning !== "state") || format.states?.unsaid;
  const rows = unsaid === "times" ? "whatever the times in the row say" : `${unsaid}, throughout`;
  return [
    `${file} is read as: ${format.name}`,
    formatRows(taken, ""),
    ...(passedOver.length > 0 ? [`Passed over: ${passedOver.join(", ")}`] : []),
    ...(isOpen ? [`Where the file doesn't say, rows are ${rows}.`] : []),
    ...(isOpen && notes[format.name] ? [notes[format.name]] : []),
    "",
  ].join("\n");
}
