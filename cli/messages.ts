import {
  type ContactListing,
  findMessage,
  listMessages,
  releaseMessage,
} from "#contact/messages.ts";
import { contactSubjectLabel } from "#contracts/contact-message.ts";
import type { HeldReason } from "#db/tables.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "./command-context.ts";
import { failure } from "./command-error.ts";
import { parseDay, parseId, parseIds, parseLimit } from "./option-values.ts";
import { csvNotes, type ExportOptions, exportRecords, withExportOptions } from "./records.ts";
import { type CommandResult, commandGroup, type Run, siteCommand } from "./site-command.ts";
import { formatFields, printableText, torontoDate, torontoTime } from "./terminal.ts";

export function messagesCommands(run: Run) {
  return commandGroup("messages", "What visitors wrote through the contact form", [
    listMessagesCommand(run),
    showMessageCommand(run),
    releaseMessagesCommand(run),
    exportMessagesCommand(run),
  ]);
}

const words: Record<HeldReason, string> = { hidden_field: "hidden field filled in" };

/** Why something is quarantined, or that it was; empty where it never was. */
export function quarantineWords({
  heldAt,
  heldReason,
}: {
  heldAt: string | null;
  heldReason: HeldReason | null;
}): string {
  if (heldReason === null) return "";
  return heldAt === null ? "released" : words[heldReason];
}

const pageRows = 500;

/** Messages, newest first, read page by page; `since` is a day in Toronto, `held` means the quarantined alone. */
export async function* messagesSince(
  { db }: OpenStore,
  {
    since,
    held = false,
    limit = Number.POSITIVE_INFINITY,
  }: { since?: string; held?: boolean; limit?: number },
): AsyncGenerator<ContactListing> {
  let beforeId: number | undefined;
  let left = limit;
  while (left > 0) {
    const page = await listMessages(db, { limit: Math.min(pageRows, left), beforeId, held });
    for (const message of page) {
      if (since !== undefined && torontoDate(new Date(message.receivedAt)) < since) return;
      yield message;
    }
    left -= page.length;
    beforeId = page.at(-1)?.id;
    if (page.length < pageRows) return;
  }
}

const defaultRows = 30;

function listMessagesCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the messages of the contact form, newest first",
    details: `"messages show ID" has the whole message, with address and telephone. A quarantined message
looks like spam and has not been mailed; "messages release ID" mails it.`,
    examples: [
      ["messages list", `List the latest ${defaultRows}`],
      ["messages list --since 2026-11-01 --limit 200", "List those of a month"],
      ["messages list --held", "List the quarantined"],
    ],
  })
    .option("--since <date>", "only those received on that day (Toronto) or later", parseDay)
    .option("--held", "only those quarantined as suspected spam")
    .option("--limit <n>", "show at most this many", parseLimit, defaultRows)
    .action(
      run((context, options: { since?: string; held?: boolean; limit: number }) =>
        context.withStore(async (store) => {
          const messages = await Array.fromAsync(messagesSince(store, options));
          const text = context.table(
            [
              { title: "Id", value: ({ id }) => String(id), align: "right" },
              { title: "Received", value: ({ receivedAt }) => torontoTime(receivedAt) },
              { title: "From", value: (m) => `${m.firstName} ${m.lastName}`, flexible: true },
              ...(messages.some((message) => quarantineWords(message) !== "")
                ? [{ title: "Quarantine", value: quarantineWords }]
                : []),
              { title: "Subject", value: (m) => contactSubjectLabel(m.subject), flexible: true },
              { title: "Message", value: ({ message }) => message.slice(0, 80), flexible: true },
            ],
            messages,
            whenEmpty(options),
          );
          return { json: { messages }, text };
        }),
      ),
    );
}

function whenEmpty({ since, held }: { since?: string; held?: boolean }): string {
  if (held) return "No message is quarantined.";
  return since
    ? `No messages since ${since}.`
    : "No messages yet. They arrive through the contact page.";
}

function showMessageCommand(run: Run) {
  return siteCommand("show", {
    summary: "Show one message in full",
    examples: [["messages show 12", "Show the message with id 12"]],
  })
    .argument("<id>", "the message's id, as the list shows it", parseId)
    .action(
      run((context, id: number) =>
        context.withStore(async ({ db }) => {
          const found = await findMessage(db, { id });
          if (!found.ok) {
            throw failure(`There is no message with id ${id}.`);
          }
          const { message } = found;
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
        }),
      ),
    );
}

function releaseMessagesCommand(run: Run) {
  return siteCommand("release", {
    summary: "Release quarantined messages: mail them as if they had just come in",
    details: `A message that looks like a program's is quarantined: stored with all its words, and not
mailed. The running site mails released messages within a second, a stopped site when it starts.
Quarantined messages are deleted after the same time as others.`,
    examples: [
      ["messages list --held", "List the quarantined, with their ids"],
      ["messages release 12 15", "Release two"],
    ],
  })
    .argument("<ids...>", "ids, as the list shows them", parseIds)
    .action(run(release));
}

const refusals = {
  unknown_message: "there is no such message",
  not_held: "it is not quarantined",
};

async function release(context: CommandContext, ids: number[]): Promise<CommandResult> {
  return await context.withStore(async ({ db }) => {
    const released: number[] = [];
    const refused: { id: number; reason: string }[] = [];
    for (const id of new Set(ids)) {
      const result = await releaseMessage({ db, now: context.now() }, { id });
      if (result.ok) released.push(id);
      else refused.push({ id, reason: refusals[result.reason] });
    }
    const text = [
      ...(released.length > 0 ? [`Released: ${released.join(", ")}.`] : []),
      ...refused.map(({ id, reason }) => `Not ${id}: ${reason}.`),
    ].join("\n");
    return { json: { released, refused }, text, exitCode: refused.length > 0 ? 1 : 0 };
  });
}

/** A message as exports name its fields, in the order of the columns. */
function messageRecord(message: ContactListing) {
  return {
    id: message.id,
    received_at: message.receivedAt,
    first_name: message.firstName,
    last_name: message.lastName,
    email: message.email,
    company: message.company,
    phone: message.phone,
    subject: message.subject,
    message: message.message,
    sender_address: message.senderAddress,
    held_at: message.heldAt,
    held_reason: message.heldReason,
    released_at: message.releasedAt,
  };
}

const messageColumns: (keyof ReturnType<typeof messageRecord>)[] = [
  "id",
  "received_at",
  "first_name",
  "last_name",
  "email",
  "company",
  "phone",
  "subject",
  "message",
  "sender_address",
  "held_at",
  "held_reason",
  "released_at",
];

function exportMessagesCommand(run: Run) {
  const command = siteCommand("export", {
    summary: "Export the messages as CSV, JSON or NDJSON",
    details: `${csvNotes}\nTimes are ISO 8601 in UTC. --json means --format json.`,
    examples: [
      ["messages export --output messages.csv", "Write a file for a spreadsheet"],
      ["messages export --since 2026-11-01 --format ndjson", "Print one JSON object a line"],
    ],
  });
  return withExportOptions(command, ["csv", "json", "ndjson"])
    .option("--since <date>", "only those received on that day (Toronto) or later", parseDay)
    .action(
      run((context, options: ExportOptions & { since?: string }) => {
        async function* read(store: OpenStore) {
          for await (const message of messagesSince(store, options)) yield messageRecord(message);
        }
        return exportRecords(context, { columns: messageColumns, read }, options);
      }),
    );
}
