import { findMessage } from "#contact/messages.ts";
import { contactSubjectLabel } from "#contracts/contact-form.ts";
import { CommandError } from "../command-error.ts";
import { heldWords } from "../held-words.ts";
import { parseId } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { formatFields } from "../terminal/field-list.ts";
import { printableText } from "../terminal/printable.ts";
import { torontoTime } from "../terminal/toronto-time.ts";

export function showMessageCommand(run: Run) {
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
            throw new CommandError(`There is no message with id ${id}.`, { exitCode: 1 });
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
            ["Held", heldWords(message)],
          ]);
          return { json: { message }, text: `${fields}\n\n${printableText(message.message)}` };
        }),
      ),
    );
}
