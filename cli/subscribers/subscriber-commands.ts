import { Option } from "commander";
import * as v from "valibot";
import { amount } from "#content/amounts.ts";
import { torontoTime } from "#content/toronto-time.ts";
import { emailAddress } from "#contracts/text.ts";
import { listSubscribers, type SubscriberListing } from "#newsletter/list-subscribers.ts";
import { releaseSubscriber, unsubscribe } from "#newsletter/subscribe.ts";
import { exportSubscribers, subscriberRecord } from "#operator/export.ts";
import {
  countStoredAbout,
  erasePerson,
  exportPerson,
  placesOutOfReach,
  removePerson,
  writeProof,
} from "#operator/person.ts";
import { inPages } from "#operator/records.ts";
import {
  type CommandContext,
  CommandError,
  commandGroup,
  confirmOrEnd,
  failure,
  formatRows,
  parseDay,
  type Run,
  siteCommand,
  tryEach,
  withLimit,
} from "../command.ts";
import { type ExportOptions, exportRecords, withExportOptions, writeNewFile } from "../files.ts";
import { quarantineWords } from "../messages.ts";
import { importSubscribersCommand } from "./import-subscribers-command.ts";

export function subscribersCommands(run: Run) {
  const one = (name: string, summary: string, details: string) =>
    siteCommand(name, summary, details).argument("<email>", "the address");
  const list = siteCommand(
    "list",
    "List the subscribers and their states, the latest sign-up first",
    'unconfirmed: has not confirmed yet ("subscribed" in JSON and exports). bounced: the address refused mail for good, ' +
      "or its owner complained.",
  )
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .addOption(
      new Option("--left", "only those who have unsubscribed").conflicts(["confirmed", "bounced"]),
    )
    .addOption(
      new Option("--bounced", "only those whose address takes no mail").conflicts("confirmed"),
    )
    .addOption(
      new Option("--held", "only quarantined sign-ups").conflicts(["confirmed", "bounced", "left"]),
    )
    .option(
      "--since <date>",
      "only those who signed up, or with --left who left, on that day (Toronto) or later",
      parseDay,
    )
    .option("--find <text>", "only those whose address holds this text");
  const exporting = siteCommand(
    "export",
    "Export the subscribers with their consent, or everything that is stored about one person",
    "Write only to confirmed ones. With EMAIL, for a person who asks what is stored: all of it, as JSON.",
  );
  return commandGroup("subscribers", "Who has asked for the newsletter", [
    withLimit(list, 100).action(run(listThem)),
    siteCommand(
      "release",
      "Release quarantined sign-ups, and mail bounced addresses again",
      "A released sign-up is mailed for confirmation, at most once an hour a mailbox. A released bounced address gets issues again.",
    )
      .argument("<emails...>", "the addresses")
      .action(run(release)),
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
    one(
      "prove",
      "Write the proof of one person's consent",
      "The whole history of one mailbox as readable text: wording, page, time and network address of each sign-up, and all after it.",
    )
      .option("-o, --output <file>", "write it into this file, which only your user can read")
      .option("--force", "write over the file where there is one")
      .action(run(prove)),
    one(
      "unsubscribe",
      "Unsubscribe somebody who asked you to",
      "It does what the link in every issue does; the proof of consent stays.",
    ).action(run(unsubscribeOne)),
    one(
      "remove",
      "Delete a subscriber",
      "For an address that should not have been on the list: the consent record goes too, and contact messages stay. " +
        '"subscribers erase" is for a person who asks to be deleted.',
    )
      .option("-y, --yes", "don't ask")
      .action(run(remove)),
    one(
      "erase",
      "Delete everything that is stored about a person",
      "In every spelling of the mailbox: subscription with its proof of consent, messages, mails and webhook calls, mail " +
        "files, lists uploaded at the desk. A hash stays, so that no import or restored backup brings the person back. Lists what it can't reach.",
    )
      .option("-y, --yes", "don't ask")
      .action(run(erase)),
  ]);
}

type ListOptions = {
  since?: string;
  find?: string;
  limit: number;
} & Partial<Record<"confirmed" | "bounced" | "left" | "held", boolean>>;

async function listThem(context: CommandContext, options: ListOptions) {
  const { db } = await context.store();
  const { confirmed, bounced, left, held, since, find, limit } = options;
  const state = confirmed ? "confirmed" : bounced ? "bounced" : left ? "unsubscribed" : undefined;
  const filter = { state, quarantined: held, since, find, newestFirst: true } as const;
  const read = (limit: number, afterId?: number) =>
    listSubscribers(db, { ...filter, limit, afterId });
  // One more than is shown, to know whether there are more.
  const found = await Array.fromAsync(inPages(read, limit + 1));
  const subscribers = found.slice(0, limit);
  const more = found.length > limit;
  const rows = subscribers.map((subscriber) => ({
    Email: subscriber.email,
    ...(bounced ? {} : { State: subscriber.state }),
    Since: torontoTime(
      subscriber.unsubscribedAt ??
        subscriber.bouncedAt ??
        subscriber.confirmedAt ??
        subscriber.subscribedAt,
    ),
    ...(bounced ? bounceCells(subscriber) : { Quarantine: quarantineWords(subscriber) }),
  }));
  const text = formatRows(rows, "There are none.");
  return {
    json: { subscribers: subscribers.map(subscriberRecord), more },
    text: more ? `${text}\n\nThere are more: raise --limit.` : text,
  };
}

const bounceKinds = { hard: "hard bounce", soft: "soft bounces", complaint: "complaint" };

function bounceCells({ bounce }: SubscriberListing) {
  return {
    By: bounce ? bounceKinds[bounce.kind] : "came so with a list",
    Code: bounce?.statusCode ?? "",
    Answer: bounce?.answer ?? "",
  };
}

/** An address as somebody stored may have it; ends the command where the text is none. */
function parseAddress(text: string): string {
  const parsed = v.safeParse(emailAddress("email"), text);
  if (parsed.success) return parsed.output;
  throw new CommandError(`${text} is not an email address.`);
}

function notASubscriber(email: string): CommandError {
  return failure(`${email} is not among the subscribers.`);
}

const refusals = {
  unknown_subscriber: "it is not among the subscribers",
  not_quarantined: "it is neither quarantined nor bounced",
};

async function release(context: CommandContext, emails: string[]) {
  const { db, config } = await context.store();
  const { newsletterWebhookUrl } = config;
  const now = context.now();
  const released: { email: string; mail_at: string | null }[] = [];
  const names = emails.map((email) => email.trim());
  const { refused, lines, failed } = await tryEach("email", names, async (email) => {
    const result = await releaseSubscriber({ db, newsletterWebhookUrl, now }, { email });
    if (!result.ok) return refusals[result.reason];
    released.push({ email: result.email, mail_at: result.mailAt?.toISOString() ?? null });
    return null;
  });
  const said = released.map(({ email, mail_at }) => {
    const isLater = mail_at !== null && Date.parse(mail_at) > now.getTime();
    return `Released ${email}${isLater ? `; its mail goes out at ${torontoTime(mail_at)}` : ""}.`;
  });
  return { json: { released, refused }, text: [...said, ...lines].join("\n"), failed };
}

async function unsubscribeOne(context: CommandContext, address: string) {
  const { db, config } = await context.store();
  const { newsletterWebhookUrl } = config;
  const email = parseAddress(address);
  const deps = { db, newsletterWebhookUrl, wakeOutbox() {}, clock: context.now };
  if (!(await unsubscribe(deps, { email })).ok) throw notASubscriber(email);
  return { json: { unsubscribed: email }, text: `${email} is off the list.` };
}

async function remove(context: CommandContext, email: string, options: { yes?: boolean }) {
  const { db, config } = await context.store();
  await confirmOrEnd(context, options, `Delete ${email} and the proof of consent?`);
  const deps = { db, config, now: context.now() };
  const removed = await removePerson(deps, email.trim());
  if (!removed.ok) throw notASubscriber(email);
  return { json: { removed: removed.email }, text: `Deleted ${removed.email}.` };
}

async function prove(
  context: CommandContext,
  address: string,
  { output, force }: { output?: string; force?: boolean },
) {
  const { db, config } = await context.store();
  const email = parseAddress(address);
  const deps = { db, config, now: context.now() };
  const written = await writeProof(deps, email);
  if (!written.ok) throw notASubscriber(email);
  const { proof, document } = written;
  if (output !== undefined) await writeNewFile(context.resolvePath(output), [document], { force });
  return {
    json: { ok: true, ...proof },
    text: output === undefined ? document.trimEnd() : `Wrote ${output}.`,
  };
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
  { format, output, force, confirmed }: SubscriberExportOptions,
) {
  const email = parseAddress(address);
  if (confirmed || (format !== undefined && format !== "json")) {
    throw new CommandError("With an address, everything is exported, as JSON: leave the options.");
  }
  const { db, config } = await context.store();
  const exported = await exportPerson({ db, config, now: context.now() }, email);
  const text = `${JSON.stringify(exported, null, 2)}\n`;
  if (output === undefined) return { stream: [text] };
  await writeNewFile(context.resolvePath(output), [text], { force });
  return {
    json: {
      output,
      format: "json",
      subscriptions: exported.subscriptions.length,
      messages: exported.messages.length,
      deliveries: exported.deliveries.length,
    },
    text: `Wrote what is stored about ${email} to ${output}. Only your user can read it.`,
  };
}

async function erase(context: CommandContext, address: string, options: { yes?: boolean }) {
  const { db, config } = await context.store();
  const email = parseAddress(address);
  const deps = { db, config, now: context.now() };
  const stored = await countStoredAbout(deps, email);
  const found = [
    amount(stored.subscriptions, "subscription"),
    amount(stored.messages, "message"),
    amount(stored.deliveries, "mail or webhook call", "mails and webhook calls"),
    amount(stored.mailFiles, "mail file"),
    amount(stored.lists, "uploaded list"),
  ].filter((words) => !words.startsWith("0 "));
  if (found.length === 0) {
    const json = { erased: email, ...stored, mailFiles: [], webhookTold: false };
    return { json, text: `Nothing is stored about ${email}.` };
  }
  await confirmOrEnd(context, options, `Erase ${found.join(", ")} of ${email} for good?`);
  const { ok, ...erased } = await erasePerson({ ...deps, now: context.now() }, email);
  const mayAlsoBeIn = placesOutOfReach(deps.config);
  return {
    json: { erased: email, ...erased, mayAlsoBeIn },
    text: [
      `Erased ${found.join(", ")} of ${email}.`,
      ...erased.mailFiles.map((name) => `  mail/${name}`),
      ...(erased.webhookTold ? ["The webhook is being told that the subscription has ended."] : []),
      "A hash of the mailbox stays, so that no import or restored backup brings it back.",
      "",
      "Out of reach from here:",
      ...mayAlsoBeIn.map((line) => `  - ${line}`),
    ].join("\n"),
  };
}
