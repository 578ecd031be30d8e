import { findMessage, releaseMessage } from "#contact/messages.ts";
import { torontoTime } from "#content/toronto-time.ts";
import { contactSubjectLabel } from "#contracts/contact-message.ts";
import { printableText } from "#contracts/text.ts";
import type { QuarantineReason } from "#db/tables.ts";
import { exportMessages, messagesSince } from "#operator/export.ts";
import {
  type CommandContext,
  commandGroup,
  failure,
  formatFields,
  formatRows,
  parseDay,
  parseId,
  parseIds,
  type Run,
  siteCommand,
  tryEach,
  withLimit,
} from "./command.ts";
import { type ExportOptions, exportRecords, withExportOptions } from "./files.ts";

const since = ["--since <date>", "only those received on that day (Toronto) or later"] as const;

export function messagesCommands(run: Run) {
  return commandGroup("messages", "What visitors wrote through the contact form", [
    withLimit(
      siteCommand("list", "List the messages of the contact form, newest first")
        .option(...since, parseDay)
        .option("--held", "only those quarantined as suspected spam"),
      30,
    ).action(run(list)),
    siteCommand("show", "Show one message in full")
      .argument("<id>", "the message's id, as the list shows it", parseId)
      .action(run(show)),
    siteCommand("release", "Release quarantined messages: mail them as if they had just come in")
      .argument("<ids...>", "ids, as the list shows them", parseIds)
      .action(run(release)),
    withExportOptions(siteCommand("export", "Export the messages as CSV, JSON or NDJSON"))
      .option(...since, parseDay)
      .action(run(exportThem)),
  ]);
}

/** Why something is quarantined, or that it was; empty where it never was. */
export function quarantineWords(found: {
  heldAt: string | null;
  heldReason: QuarantineReason | null;
}) {
  if (found.heldReason === null) return "";
  return found.heldAt === null ? "released" : "hidden field filled in";
}

type MessageFilter = { since?: string; held?: boolean };

async function list(context: CommandContext, options: MessageFilter & { limit: number }) {
  const { db } = await context.store();
  const filter = { since: options.since, quarantined: options.held };
  const messages = await Array.fromAsync(messagesSince(db, filter, options.limit));
  const rows = messages.map((message) => ({
    Id: message.id,
    Received: torontoTime(message.receivedAt),
    Quarantine: quarantineWords(message),
    From: `${message.firstName} ${message.lastName}`,
    Subject: contactSubjectLabel(message.subject),
    Message: message.message.slice(0, 60),
  }));
  const none = options.held ? "No message is quarantined." : "No messages.";
  return { json: { messages }, text: formatRows(rows, none) };
}

async function show(context: CommandContext, id: number) {
  const { db } = await context.store();
  const message = await findMessage(db, id);
  if (!message) throw failure(`There is no message with id ${id}.`);
  const fields = formatFields([
    ["Id", String(message.id)],
    ["Received", `${torontoTime(message.receivedAt)} (Toronto)`],
    ["From", `${message.firstName} ${message.lastName}`],
    ["Email", message.email],
    ["Company", message.company],
    ["Phone", message.phone],
    ["Subject", contactSubjectLabel(message.subject)],
    ["Sent from", message.senderAddress],
    ["Quarantine", quarantineWords(message)],
  ]);
  return { json: { message }, text: `${fields}\n\n${printableText(message.message)}` };
}

const refusals = {
  unknown_message: "there is no such message",
  not_held: "it is not quarantined",
};

async function release(context: CommandContext, ids: number[]) {
  const { db } = await context.store();
  const now = context.now();
  const { done, refused, lines, failed } = await tryEach("id", ids, async (id) => {
    const result = await releaseMessage({ db, now }, { id });
    return result.ok ? null : refusals[result.reason];
  });
  const text = [...(done.length > 0 ? [`Released: ${done.join(", ")}.`] : []), ...lines];
  return { json: { released: done, refused }, text: text.join("\n"), failed };
}

function exportThem(context: CommandContext, options: ExportOptions & MessageFilter) {
  const filter = { since: options.since, quarantined: options.held };
  return exportRecords(context, (db) => exportMessages(db, filter), options);
}
