import { InvalidArgumentError, Option } from "commander";
import * as v from "valibot";
import { emailAddress, printableText } from "#content/text.ts";
import { torontoTime } from "#content/toronto-time.ts";
import { exportSubscribers, subscriberRecord } from "#newsletter/subscribers/export.ts";
import { importList } from "#newsletter/subscribers/import-list.ts";
import {
  type Columns,
  isMeaning,
  listedStates,
  meanings,
} from "#newsletter/subscribers/list-columns.ts";
import { listSubscribers } from "#newsletter/subscribers/list-subscribers.ts";
import {
  countStoredAbout,
  describeErased,
  erasePerson,
  exportPerson,
  placesOutOfReach,
} from "#newsletter/subscribers/person.ts";
import { dateOrders, type ListOptions } from "#newsletter/subscribers/read-list.ts";
import {
  type CommandContext,
  CommandError,
  commandGroup,
  confirmOrEnd,
  type ExportOptions,
  exportRecords,
  formatProblem,
  formatRows,
  parseId,
  type Run,
  readBytes,
  siteCommand,
  withExportOptions,
  writeNewFile,
} from "./command.ts";

const shownStates = ["unconfirmed", "confirmed", "unsubscribed", "bounced", "quarantined"] as const;

/** Commander would take it for an option. */
const hyphens = "Put -- before an address that begins with a hyphen.";

export function subscribersCommands(run: Run) {
  const list = siteCommand(
    "list",
    "List the subscribers and their states, the latest sign-up first",
    'unconfirmed: has not confirmed yet ("subscribed" in JSON and exports). bounced: the address refused mail for good, ' +
      "or its owner complained.",
  )
    .addOption(new Option("--state <state>", "only those in this state").choices(shownStates))
    .option("--find <text>", "only those whose address holds this text")
    .option("--limit <n>", "show at most this many", parseId, 100);
  const exporting = siteCommand(
    "export",
    "Export the subscribers with their consent, or everything that is stored about one person",
    `Write only to confirmed ones. With EMAIL, for a person who asks what is stored: all of it, as JSON. ${hyphens}`,
  );
  return commandGroup("subscribers", "Who has asked for the newsletter", [
    list.action(run(listThem)),
    withExportOptions(exporting)
      .argument("[email]", "the address of the one person")
      .option("--confirmed", "only those who have confirmed and not unsubscribed")
      .option("--links", "with each subscriber's own link to leave, for another mailing tool")
      .action(
        run((context, email: string | undefined, options: SubscriberExportOptions) =>
          email === undefined ? exportAll(context, options) : exportOne(context, email, options),
        ),
      ),
    siteCommand(
      "import",
      "Import addresses whose consent you can prove",
      "FILE is CSV with a heading line, as Mailchimp, Ghost, Substack, Buttondown, Excel and subscribers export save it. It goes " +
        "in whole or not at all. Nobody who left, bounced or was erased is mailed again, and no mail is sent.",
    )
      .argument("<file>", "a .csv file, or - for standard input")
      .option("--consent <text>", "the wording that these people agreed to; needed to import")
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
      .option("--dry-run", "say what would become of the list, without importing")
      .action(run(importFile)),
    siteCommand(
      "erase",
      "Delete everything that is stored about a person",
      "In every spelling of the mailbox: subscription with its proof of consent, messages, mails and webhook calls, mail " +
        `files. A hash stays, so that no import or restored backup brings the person back. ${hyphens}`,
    )
      .argument("<email>", "the address")
      .option("-y, --yes", "don't ask")
      .action(run(erase)),
  ]);
}

type ShownOptions = { state?: (typeof shownStates)[number]; find?: string; limit: number };

async function listThem(context: CommandContext, { state, find, limit }: ShownOptions) {
  const { db } = await context.store();
  const filter = state === "quarantined" ? { quarantined: true, find } : { state, find };
  // One more than is shown, to know whether there are more.
  const found = await listSubscribers(db, { ...filter, newestFirst: true, limit: limit + 1 });
  const subscribers = found.slice(0, limit);
  const more = found.length > limit;
  const rows = subscribers.map((subscriber) => ({
    Email: subscriber.email,
    State: subscriber.heldAt ? "quarantined" : subscriber.state,
    Since: torontoTime(
      subscriber.unsubscribedAt ??
        subscriber.bouncedAt ??
        subscriber.confirmedAt ??
        subscriber.subscribedAt,
    ),
    Answer: subscriber.bounce?.answer ?? "",
  }));
  const text = formatRows(rows, "There are none.");
  return {
    json: { subscribers: subscribers.map(subscriberRecord), more },
    text: more ? `${text}\n\nThere are more: raise --limit.` : text,
  };
}

/** An address as somebody stored may have it; ends the command where the text is none. */
function parseAddress(text: string): string {
  const parsed = v.safeParse(emailAddress("email"), text);
  if (parsed.success) return parsed.output;
  throw new CommandError(`${text} is not an email address.`);
}

type SubscriberExportOptions = ExportOptions & { confirmed?: boolean; links?: boolean };

function exportAll(context: CommandContext, options: SubscriberExportOptions) {
  const { confirmed, links } = options;
  const linksTo = links ? context.site().url : undefined;
  return exportRecords(context, (db) => exportSubscribers(db, { confirmed, linksTo }), options);
}

async function exportOne(
  context: CommandContext,
  address: string,
  { output, force }: SubscriberExportOptions,
) {
  const email = parseAddress(address);
  const { db, config } = await context.store();
  const exported = await exportPerson({ db, config, now: context.now() }, email);
  const text = `${JSON.stringify(exported, null, 2)}\n`;
  if (output === undefined) return { stream: [text] };
  await writeNewFile(context.resolvePath(output), [text], { force });
  return {
    json: { output, format: "json" },
    text: `Wrote what is stored about ${email} to ${output}. Only your user can read it.`,
  };
}

async function erase(context: CommandContext, address: string, options: { yes?: boolean }) {
  const { db, config } = await context.store();
  const email = parseAddress(address);
  const deps = { db, config, now: context.now() };
  const stored = { ...(await countStoredAbout(deps, email)), webhookTold: false };
  const found = describeErased(stored);
  if (found.length === 0) {
    const json = { erased: email, ...stored, mailFiles: [] };
    return { json, text: `Nothing is stored about ${email}.` };
  }
  await confirmOrEnd(context, options, `Erase ${email} for good? ${found.join("; ")}.`);
  const { ok, ...erased } = await erasePerson({ ...deps, now: context.now() }, email);
  const mayAlsoBeIn = placesOutOfReach(config);
  return {
    json: { erased: email, ...erased, mayAlsoBeIn },
    text: [
      `Erased ${email}. A hash of the mailbox stays, so that no import or restored backup brings it back.`,
      ...describeErased({ ...erased, mailFiles: erased.mailFiles.length }),
      "",
      "Out of reach from here:",
      ...mayAlsoBeIn.map((line) => `  - ${line}`),
    ].join("\n"),
  };
}

/** Bad lines in the answer for programs; standard error has them all. */
const invalidKept = 1_000;

type ImportOptions = Omit<ListOptions, "columns"> & {
  column?: Columns;
  consent?: string;
  dryRun?: boolean;
};

function parseColumn(text: string, given: Columns = {}): Columns {
  const [, name = "", meaning = ""] = /^(.*)=(\w+)$/s.exec(text) ?? [];
  if (meaning === "none") return { ...given, [name]: null };
  if (isMeaning(meaning)) return { ...given, [name]: meaning };
  throw new InvalidArgumentError('Give the column and its meaning, such as "Contact=email".');
}

async function importFile(
  context: CommandContext,
  path: string,
  { dryRun = false, column: columns, ...options }: ImportOptions,
) {
  const file = await readBytes(context, path, { maxBytes: 100_000_000 });
  const { db, config } = await context.store();
  const deps = { db, newsletterWebhookUrl: config.newsletterWebhookUrl, now: context.now() };
  const imported = await importList(deps, file, { ...options, columns, isDry: dryRun });
  if (!imported.ok) {
    throw new CommandError(`${file.name}: ${imported.problem}`, { columns: imported.columns });
  }
  const { said, states, added, duplicate, erased, left, bounced, problems } = imported;
  for (const { line, message, words } of context.json ? [] : problems) {
    const problem = formatProblem({ file: file.name, line, message: `${message} ${words}` });
    context.io.stderr.write(`${printableText(problem)}\n`);
  }
  const invalid = problems.slice(0, invalidKept);
  return {
    json: {
      ...{ dryRun, said, columns: imported.columns, states, new: added, duplicate, erased },
      ...{ leftNow: left, bouncedNow: bounced, invalidCount: problems.length, invalid },
    },
    text: printableText(said.join("\n")),
    failed: problems.length > 0,
  };
}
