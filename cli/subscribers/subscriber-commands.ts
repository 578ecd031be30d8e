import { Option } from "commander";
import * as v from "valibot";
import { torontoTime } from "#content/toronto-time.ts";
import { emailAddress } from "#contracts/text.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { exportSubscribers, subscriberRecord } from "#operator/export.ts";
import {
  countStoredAbout,
  describeErased,
  erasePerson,
  exportPerson,
  placesOutOfReach,
} from "#operator/person.ts";
import {
  type CommandContext,
  CommandError,
  commandGroup,
  confirmOrEnd,
  formatRows,
  type Run,
  siteCommand,
  withLimit,
} from "../command.ts";
import { type ExportOptions, exportRecords, withExportOptions, writeNewFile } from "../files.ts";
import { importSubscribersCommand } from "./import-subscribers-command.ts";

/** Commander would take it for an option. */
const hyphens = "Put -- before an address that begins with a hyphen.";

export function subscribersCommands(run: Run) {
  const only = (flag: string, whom: string, ...others: string[]) =>
    new Option(flag, `only ${whom}`).conflicts(others);
  const list = siteCommand(
    "list",
    "List the subscribers and their states, the latest sign-up first",
    'unconfirmed: has not confirmed yet ("subscribed" in JSON and exports). bounced: the address refused mail for good, ' +
      "or its owner complained.",
  )
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .addOption(only("--left", "those who have unsubscribed", "confirmed"))
    .addOption(only("--bounced", "those whose address takes no mail", "confirmed", "left"))
    .addOption(only("--held", "quarantined sign-ups", "confirmed", "left", "bounced"))
    .option("--find <text>", "only those whose address holds this text");
  const exporting = siteCommand(
    "export",
    "Export the subscribers with their consent, or everything that is stored about one person",
    `Write only to confirmed ones. With EMAIL, for a person who asks what is stored: all of it, as JSON. ${hyphens}`,
  );
  return commandGroup("subscribers", "Who has asked for the newsletter", [
    withLimit(list, 100).action(run(listThem)),
    withExportOptions(exporting)
      .argument("[email]", "the address of the one person")
      .option("--confirmed", "only those who have confirmed and not unsubscribed")
      .option("--links", "with each subscriber's own link to leave, for another mailing tool")
      .action(
        run((context, email: string | undefined, options: SubscriberExportOptions) =>
          email === undefined ? exportAll(context, options) : exportOne(context, email, options),
        ),
      ),
    importSubscribersCommand(run),
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

type ListOptions = { find?: string; limit: number } & Partial<
  Record<"confirmed" | "bounced" | "left" | "held", boolean>
>;

async function listThem(
  context: CommandContext,
  { confirmed, bounced, left, held, find, limit }: ListOptions,
) {
  const { db } = await context.store();
  const state = confirmed ? "confirmed" : bounced ? "bounced" : left ? "unsubscribed" : undefined;
  const filter = { state, quarantined: held, find, newestFirst: true } as const;
  // One more than is shown, to know whether there are more.
  const found = await listSubscribers(db, { ...filter, limit: limit + 1 });
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
  const linksTo = links ? context.siteUrl() : undefined;
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
