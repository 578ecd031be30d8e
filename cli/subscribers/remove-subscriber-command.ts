import { deleteMailFiles, findMailFiles } from "#mail/mail-files.ts";
import { removeSubscriber } from "#newsletter/leave.ts";
import { forgetDeletedPages } from "#newsletter/privacy.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { confirmOrEnd } from "../terminal/confirm.ts";
import { notASubscriber } from "./subscriber-address.ts";

export function removeSubscriberCommand(run: Run) {
  return siteCommand("remove", {
    summary: "Delete what is kept of a subscriber",
    details: `For an address that should not have been on the list; for a person who asks to be deleted
there is "subscribers erase", and for one who wants no more issues "subscribers unsubscribe".
The mailbox goes, in whatever spelling, with its consent record and the mails and webhook
calls that name it. If the webhook has heard of the subscription, it is told
"newsletter.unsubscribed", in a call that goes with its arrival. Export the record first if
you may need the proof. Messages of the contact form are not touched. Asks first on a
terminal.`,
    examples: [["subscribers remove pat@example.com", "Delete one, after asking"]],
  })
    .argument("<email>", "the address")
    .option("-y, --yes", "don't ask")
    .action(
      run((context, email: string, options: { yes?: boolean }) =>
        context.withStore(async ({ db }) => {
          await confirmOrEnd(context, options, `Delete ${email} and the proof of consent?`);
          const { newsletterWebhookUrl, dataDirectory } = context.readSettings().config;
          const removed = await removeSubscriber(
            { db, newsletterWebhookUrl, now: context.now() },
            { email: email.trim() },
          );
          if (!removed.ok) throw notASubscriber(email);
          const { deliveryIds } = removed;
          const files = await findMailFiles(dataDirectory, { deliveryIds });
          await deleteMailFiles(dataDirectory, files);
          await forgetDeletedPages(db);
          return { json: { removed: removed.email }, text: `Deleted ${removed.email}.` };
        }),
      ),
    );
}
