import { deleteMailFiles, findMailFiles } from "#mail/mail-files.ts";
import { removeSubscriber, unsubscribe } from "#newsletter/leave.ts";
import { forgetDeletedPages } from "#newsletter/privacy.ts";
import { releaseSubscriber } from "#newsletter/subscribe.ts";
import type { CommandContext } from "../command-context.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { confirmOrEnd, torontoTime } from "../terminal.ts";
import { notASubscriber, readAddress } from "./subscriber-record.ts";

export function unsubscribeCommand(run: Run) {
  return siteCommand("unsubscribe", {
    summary: "Unsubscribe somebody who asked you to",
    details: `For a person who asks by letter, mail or phone to get no more issues. It does what the link in
every issue does: every spelling of the mailbox leaves the list at once, the proof of consent
stays, and the webhook gets "newsletter.unsubscribed".`,
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

export function removeSubscriberCommand(run: Run) {
  return siteCommand("remove", {
    summary: "Delete a subscriber",
    details: `For an address that should not have been on the list. Use "subscribers erase" for a person
who asks to be deleted, and "subscribers unsubscribe" for one who wants no more issues.
Deletes every spelling of the mailbox, its consent record, and the mails and webhook calls
that name it. A webhook that knows of the subscription gets "newsletter.unsubscribed". Export
the record first if you may need the proof. Contact messages stay. Asks first on a terminal.`,
    examples: [["subscribers remove pat@example.com", "Delete one, after asking"]],
  })
    .argument("<email>", "the address")
    .option("-y, --yes", "don't ask")
    .action(
      run((context, email: string, options: { yes?: boolean }) =>
        context.withStore(async ({ db }) => {
          await confirmOrEnd(context, options, `Delete ${email} and the proof of consent?`);
          const { newsletterWebhookUrl, dataDir } = context.readSettings().config;
          const removed = await removeSubscriber(
            { db, newsletterWebhookUrl, now: context.now() },
            { email: email.trim() },
          );
          if (!removed.ok) throw notASubscriber(email);
          const { deliveryIds } = removed;
          const files = await findMailFiles(dataDir, { deliveryIds });
          await deleteMailFiles(dataDir, files);
          await forgetDeletedPages(db);
          return { json: { removed: removed.email }, text: `Deleted ${removed.email}.` };
        }),
      ),
    );
}

export function releaseSubscribersCommand(run: Run) {
  return siteCommand("release", {
    summary: "Release quarantined sign-ups, and mail bounced addresses again",
    details: `A sign-up that looks like a program's is quarantined: stored with its consent record, without
mail or webhook call. A released sign-up is mailed for confirmation, at most once an hour a
mailbox. Somebody who has left stays off the list until they confirm.

A released address that bounced gets issues again; its record of bounces stays.`,
    examples: [
      ["subscribers list --held", "List the quarantined"],
      ["subscribers release pat@example.com", "Release one"],
    ],
  })
    .argument("<emails...>", "the addresses")
    .action(run(release));
}

const refusals = {
  unknown_subscriber: "it is not among the subscribers",
  not_held: "it is neither quarantined nor bounced",
};

async function release(context: CommandContext, emails: string[]): Promise<CommandResult> {
  return await context.withStore(async ({ db }) => {
    const { newsletterWebhookUrl } = context.readSettings().config;
    const released: { email: string; mail_at: string | null }[] = [];
    const refused: { email: string; reason: string }[] = [];
    const now = context.now();
    for (const email of new Set(emails.map((one) => one.trim()))) {
      const result = await releaseSubscriber({ db, newsletterWebhookUrl, now }, { email });
      if (result.ok)
        released.push({ email: result.email, mail_at: result.mailAt?.toISOString() ?? null });
      else refused.push({ email, reason: refusals[result.reason] });
    }
    const text = [
      ...released.map(({ email, mail_at }) =>
        mail_at !== null && Date.parse(mail_at) > now.getTime()
          ? `Released ${email}; its mail goes out at ${torontoTime(mail_at)}.`
          : `Released ${email}.`,
      ),
      ...refused.map(({ email, reason }) => `Not ${email}: ${reason}.`),
    ].join("\n");
    return { json: { released, refused }, text, exitCode: refused.length > 0 ? 1 : 0 };
  });
}
