import { unsubscribe } from "#newsletter/leave.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { notASubscriber, readAddress } from "./subscriber-address.ts";

export function unsubscribeCommand(run: Run) {
  return siteCommand("unsubscribe", {
    summary: "Take somebody who has written to you off the list",
    details: `For a person who asks by letter, mail or phone to get no more issues. It is what the link in
every issue does: the mailbox is off the list at once, in whatever spelling, what proves the
consent stays, and the webhook is told "newsletter.unsubscribed".`,
    examples: [["subscribers unsubscribe pat@example.com", "Take one off the list"]],
  })
    .argument("<email>", "the address")
    .action(
      run((context, address: string) =>
        context.withStore(async ({ db }) => {
          const email = readAddress(address);
          const { newsletterWebhookUrl } = context.readSettings().config;
          const left = await unsubscribe(
            { db, newsletterWebhookUrl, wakeOutbox() {}, clock: context.now },
            { email },
          );
          if (!left.ok) throw notASubscriber(email);
          return { json: { unsubscribed: email }, text: `${email} is off the list.` };
        }),
      ),
    );
}
