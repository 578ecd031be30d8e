import { deleteMailFiles, findMailFiles } from "#mail/mail-files.ts";
import { removeSubscriber, unsubscribe } from "#newsletter/leave.ts";
import { forgetDeletedPages } from "#newsletter/privacy.ts";
import { releaseSubscriber } from "#newsletter/subscribe.ts";
import type { CommandContext } from "../command-context.ts";
import { type CommandResult, type Run, siteCommand, tryEach } from "../site-command.ts";
import { confirmOrEnd, torontoTime } from "../terminal.ts";
import { notASubscriber, readAddress } from "./subscriber-record.ts";

export function unsubscribeCommand(run: Run) {
  return siteCommand(
    "unsubscribe",
    "Unsubscribe somebody who asked you to",
    "It does what the link in every issue does; the proof of consent stays.",
  )
    .argument("<email>", "the address")
    .action(
      run((context, address: string) =>
        context.withStore(async ({ db }) => {
          const email = readAddress(address);
          const { newsletterWebhookUrl } = context.readOwnSettings();
          const deps = { db, newsletterWebhookUrl, wakeOutbox() {}, clock: context.now };
          if (!(await unsubscribe(deps, { email })).ok) throw notASubscriber(email);
          return { json: { unsubscribed: email }, text: `${email} is off the list.` };
        }),
      ),
    );
}

export function removeSubscriberCommand(run: Run) {
  return siteCommand(
    "remove",
    "Delete a subscriber",
    "For an address that should not have been on the list: the consent record goes too, and contact messages stay. " +
      '"subscribers erase" is for a person who asks to be deleted.',
  )
    .argument("<email>", "the address")
    .option("-y, --yes", "don't ask")
    .action(
      run((context, email: string, options: { yes?: boolean }) =>
        context.withStore(async ({ db }) => {
          await confirmOrEnd(context, options, `Delete ${email} and the proof of consent?`);
          const { newsletterWebhookUrl, dataDir } = context.readOwnSettings();
          const deps = { db, newsletterWebhookUrl, now: context.now() };
          const removed = await removeSubscriber(deps, { email: email.trim() });
          if (!removed.ok) throw notASubscriber(email);
          const { deliveryIds } = removed;
          await deleteMailFiles(dataDir, await findMailFiles(dataDir, { deliveryIds }));
          await forgetDeletedPages(db);
          return { json: { removed: removed.email }, text: `Deleted ${removed.email}.` };
        }),
      ),
    );
}

export function releaseSubscribersCommand(run: Run) {
  return siteCommand(
    "release",
    "Release quarantined sign-ups, and mail bounced addresses again",
    "A released sign-up is mailed for confirmation, at most once an hour a mailbox. A released bounced address gets issues again.",
  )
    .argument("<emails...>", "the addresses")
    .action(run(release));
}

const refusals = {
  unknown_subscriber: "it is not among the subscribers",
  not_held: "it is neither quarantined nor bounced",
};

async function release(context: CommandContext, emails: string[]): Promise<CommandResult> {
  return await context.withStore(async ({ db }) => {
    const { newsletterWebhookUrl } = context.readOwnSettings();
    const now = context.now();
    const released: { email: string; mail_at: string | null }[] = [];
    const names = emails.map((email) => email.trim());
    const { refused, lines, exitCode } = await tryEach(names, async (email) => {
      const result = await releaseSubscriber({ db, newsletterWebhookUrl, now }, { email });
      if (!result.ok) return refusals[result.reason];
      released.push({ email: result.email, mail_at: result.mailAt?.toISOString() ?? null });
      return null;
    });
    const said = released.map(({ email, mail_at }) => {
      const isLater = mail_at !== null && Date.parse(mail_at) > now.getTime();
      return `Released ${email}${isLater ? `; its mail goes out at ${torontoTime(mail_at)}` : ""}.`;
    });
    return {
      json: { released, refused: refused.map(({ name: email, reason }) => ({ email, reason })) },
      text: [...said, ...lines].join("\n"),
      exitCode,
    };
  });
}
