import { forgetDeletedPages } from "#newsletter/privacy/erase-mailbox.ts";
import { deleteExpired, deleteExpiredMailFiles } from "#newsletter/retention/delete-expired.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { formatFields } from "../terminal/field-list.ts";

export function deleteExpiredCommand(run: Run) {
  return siteCommand("delete-expired", {
    summary: "Delete what the privacy policy promises not to keep any longer",
    details:
      "The running site does this by itself, at its start and every six hours; run it alone where\nthe site has been stopped for long. The periods are those of the Privacy page.",
    examples: [["db delete-expired", "Delete, and say how much"]],
  }).action(
    run((context) =>
      context.withStore(async ({ db }) => {
        const now = context.now();
        const { dataDirectory } = context.readSettings().config;
        const deleted = await deleteExpired(db, now);
        const mailFiles = await deleteExpiredMailFiles(dataDirectory, now);
        await forgetDeletedPages(db);
        return {
          json: { ...deleted, mailFiles },
          text: formatFields([
            ["Messages", String(deleted.messages)],
            ["Network addresses of messages", String(deleted.messageAddresses)],
            ["Subscribers", String(deleted.subscribers)],
            ["Changes of address", String(deleted.addressChanges)],
            ["Mails and webhook calls", String(deleted.deliveries)],
            ["Sums of visits", String(deleted.visits)],
            ["Mail files", String(mailFiles)],
          ]),
        };
      }),
    ),
  );
}
