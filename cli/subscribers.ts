import { type Command, InvalidArgumentError, Option } from "commander";
import * as v from "valibot";
import { emailAddress, printableText } from "#content/text.ts";
import { torontoTime } from "#content/toronto-time.ts";
import { importList } from "#newsletter/subscribers/import-list.ts";
import {
  exportSubscribers,
  listSubscribers,
  subscriberRecord,
} from "#newsletter/subscribers/list-subscribers.ts";
import {
  describeErased,
  erasePerson,
  exportPerson,
  placesOutOfReach,
} from "#newsletter/subscribers/person.ts";
import {
  type Columns,
  isMeaning,
  type ListOptions,
  listedStates,
  meanings,
} from "#newsletter/subscribers/read-list.ts";
import { siteSettings } from "#settings/settings.ts";
import {
  addGroup,
  type CommandContext,
  CommandError,
  formatProblem,
  formatRows,
  parseId,
  type Run,
} from "./command.ts";

const shownStates = ["unconfirmed", "confirmed", "unsubscribed", "bounced", "quarantined"] as const;

/** Commander would take it for an option. */
const hyphens = "Put -- before an address that begins with a hyphen.";

export function addSubscribersCommands(program: Command, run: Run): void {
  const add = addGroup(program, "subscribers", "Who has asked for the newsletter");
  const choice = (flags: string, description: string, choices: readonly string[]) =>
    new Option(flags, description).choices(choices);
  add(
    "list",
    "List the subscribers and their states, the latest sign-up first",
    'unconfirmed: has not confirmed yet ("subscribed" in JSON and exports). bounced: the address refused mail for good, ' +
      "or its owner complained.",
  )
    .addOption(choice("--state <state>", "only those in this state", shownStates))
    .option("--find <text>", "only those whose address holds this text")
    .option("--limit <n>", "show at most this many", parseId, 100)
    .action(run(list));
  add(
    "export",
    "Export the subscribers with their consent, or everything that is stored about one person",
    `Write only to confirmed ones. With EMAIL, for a person who asks what is stored: all of it, as JSON. ${hyphens}`,
  )
    .argument("[email]", "the address of the one person")
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .option("--links", "with each subscriber's own link to leave, for another mailing tool")
    .action(run(exportThem));
  add(
    "import",
    "Import addresses whose consent you can prove",
    "FILE is CSV, as Mailchimp, Ghost, Substack, Buttondown, Excel and subscribers export save it. It goes " +
      "in whole or not at all. Nobody who left, bounced or was erased is mailed again.",
  )
    .argument("<file>", "a .csv file, or - for standard input")
    .option("--consent <text>", "the wording that these people agreed to; needed to import")
    .addOption(choice("--state <state>", "what rows are where the file doesn't say", listedStates))
    .option(
      "--column <name=meaning>",
      `what a column is, where that is read wrongly: ${Object.keys(meanings).join(", ")} or none`,
      parseColumn,
    )
    .option("--ask", "ask each of those of whom the file doesn't say that they agreed, by a mail")
    .option("--dry-run", "say what would become of the list, without importing")
    .action(run(importFile));
  add(
    "erase",
    "Delete everything that is stored about a person",
    "In every spelling of the mailbox: subscription with its proof of consent, messages, mails and webhook calls, mail " +
      `files. A hash stays, so that no import or restored backup brings the person back. ${hyphens}`,
  )
    .argument("<email>", "the address")
    .option("-y, --yes", "don't ask")
    .action(run(erase));
}

type ShownOptions = { state?: (typeof shownStates)[number]; find?: string; limit: number };

async function list(context: CommandContext, { state, find, limit }: ShownOptions) {
  const { db } = await context.store();
  const filter = { state: state === "quarantined" ? ("held" as const) : state, find };
  // One more than is shown, to know whether there are more.
  const found = await listSubscribers(db, { ...filter, newestFirst: true, limit: limit + 1 });
  const subscribers = found.slice(0, limit);
  const more = found.length > limit;
  const rows = subscribers.map((one) => ({
    Email: one.email,
    State: one.heldAt ? "quarantined" : one.state,
    Since: torontoTime(one.unsubscribedAt ?? one.bouncedAt ?? one.confirmedAt ?? one.subscribedAt),
    Answer: one.bounce?.answer ?? "",
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

async function exportThem(
  context: CommandContext,
  address: string | undefined,
  { confirmed, links }: { confirmed?: boolean; links?: boolean },
) {
  const { db, config } = await context.store();
  if (address === undefined) {
    const linksTo = links ? siteSettings(config).url : undefined;
    return context.export(exportSubscribers(db, { confirmed, linksTo }));
  }
  const email = parseAddress(address);
  const exported = await exportPerson({ db, config, now: new Date() }, email);
  return { stream: [`${JSON.stringify(exported, null, 2)}\n`] };
}

async function erase(context: CommandContext, address: string, options: { yes?: boolean }) {
  const { db, config } = await context.store();
  const email = parseAddress(address);
  await context.confirm(`Erase all that is stored about ${email}, for good?`, options);
  const { ok, ...erased } = await erasePerson({ db, config, now: new Date() }, email);
  const lines = describeErased({ ...erased, mailFiles: erased.mailFiles.length });
  if (lines.length === 0) {
    return { json: { erased: email, ...erased }, text: `Nothing is stored about ${email}.` };
  }
  const mayAlsoBeIn = placesOutOfReach(config);
  return {
    json: { erased: email, ...erased, mayAlsoBeIn },
    text: [
      `Erased ${email}. A hash of the mailbox stays, so that no import or restored backup brings it back.`,
      ...lines,
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
  ask?: boolean;
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
  const file = await context.read(path, 100_000_000);
  const { db, config } = await context.store();
  const deps = { db, newsletterWebhookUrl: config.newsletterWebhookUrl, now: new Date() };
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
