import { releaseSubscriber } from "#newsletter/subscribe.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandResult } from "../command-result.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { torontoTime } from "../terminal/toronto-time.ts";

export function releaseSubscribersCommand(run: Run) {
  return siteCommand("release", {
    summary: "Let held sign-ups go on, and addresses that bounced be mailed again",
    details: `A sign-up that looks like a program's is held: kept with its consent record, with no mail and
no webhook call. Released, it is mailed for confirmation; where the mailbox was mailed within
the hour, when that hour is over. Who has left stays off the list until they confirm.

An address that bounced gets issues again; its record of bounces stays.`,
    examples: [
      ["subscribers list --held", "See what is held"],
      ["subscribers release pat@example.com", "Release one"],
    ],
  })
    .argument("<emails...>", "the addresses")
    .action(run(release));
}

const refusals = {
  unknown_subscriber: "it is not among the subscribers",
  not_held: "it is neither held nor bounced",
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
