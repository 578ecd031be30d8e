import { contactSubjectLabel } from "#contracts/contact-form.ts";
import { heldWords } from "../held-words.ts";
import { parseDay, parseLimit } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { torontoTime } from "../terminal/toronto-time.ts";
import { messagesSince } from "./messages-since.ts";

const defaultRows = 30;

export function listMessagesCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the messages of the contact form, newest first",
    details: `The whole of a message, with address and telephone, is in: messages show ID. One that is
marked as held looks like spam and has not been mailed: messages release ID mails it.`,
    examples: [
      ["messages list", `List the latest ${defaultRows}`],
      ["messages list --since 2026-11-01 --limit 200", "List those of a month"],
      ["messages list --held", "List those held as suspected spam"],
    ],
  })
    .option("--since <date>", "only those received on that day (Toronto) or later", parseDay)
    .option("--held", "only those held as suspected spam")
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
              ...(messages.some((message) => heldWords(message) !== "")
                ? [{ title: "Held", value: heldWords }]
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
  if (held) return "No message is held.";
  return since
    ? `No messages since ${since}.`
    : "No messages yet. They arrive through the contact page.";
}
