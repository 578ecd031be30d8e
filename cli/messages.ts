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
import {
  csvNotes,
  type ExportOptions,
  exportRecords,
  recordOf,
  withExportOptions,
} from "./records.ts";
import {
  type CommandResult,
  commandGroup,
  type Run,
  siteCommand,
  tryEach,
} from "./site-command.ts";
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
            options.held
              ? "No message is quarantined."
              : `No messages ${options.since ? `since ${options.since}` : "yet"}.`,
          );
          return { json: { messages }, text };
        }),
      ),
    );
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

function release(context: CommandContext, ids: number[]): Promise<CommandResult> {
  return context.withStore(async ({ db }) => {
    const {
      done: released,
      refused,
      text,
    } = await tryEach(ids, async (id) => {
      const result = await releaseMessage({ db, now: context.now() }, { id });
      return result.ok ? null : refusals[result.reason];
    });
    const lines = released.length > 0 ? [`Released: ${released.join(", ")}.`, ...text] : text;
    const exitCode = refused.length > 0 ? 1 : 0;
    return { json: { released, refused }, text: lines.join("\n"), exitCode };
  });
}

const fields: Record<string, (message: ContactListing) => string | number | null> = {
  id: ({ id }) => id,
  received_at: ({ receivedAt }) => receivedAt,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  email: ({ email }) => email,
  company: ({ company }) => company,
  phone: ({ phone }) => phone,
  subject: ({ subject }) => subject,
  message: ({ message }) => message,
  sender_address: ({ senderAddress }) => senderAddress,
  held_at: ({ heldAt }) => heldAt,
  held_reason: ({ heldReason }) => heldReason,
  released_at: ({ releasedAt }) => releasedAt,
};

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
          for await (const message of messagesSince(store, options))
            yield recordOf(fields, message);
        }
        return exportRecords(context, { columns: Object.keys(fields), read }, options);
      }),
    );
}
