import {
  findPreheader,
  newSendKey,
  queueSend,
  tokenPlaceholderOf,
} from "#newsletter/sends/steer-send.ts";
import { siteSettings } from "#server/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { parseId, parseTorontoMoment } from "../option-values.ts";
import { endWords, watchSend } from "../sends.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { amount, confirmOrEnd, torontoTime } from "../terminal.ts";
import { checkSendSettings } from "./check-send-settings.ts";
import { findIssueOrEnd } from "./find-issue-or-end.ts";
import { alreadyOpen, planSend, type SendOptions } from "./plan-send.ts";
import { sendTestMail } from "./send-test-mail.ts";

const details = `Shows what will happen, asks, and queues: the running site sends. Whoever is a confirmed reader
when the send begins gets the issue once, unless they leave before their turn. Closing the terminal
doesn't end it: sends list, show, pause, resume and cancel steer it.

--test mails one address, marked as a test and counted nowhere; without SMTP_URL it becomes a file.
How fast it goes is SMTP_RATE, in mails a second.`;

export function sendIssueCommand(run: Run) {
  return siteCommand("send", {
    summary: "Send an issue to the confirmed readers",
    details,
    examples: [
      ["issues send 3 --test me@example.com", "See it in a mail program first"],
      ["issues send 3 --dry-run", "See what would happen, and send nothing"],
      ["issues send 3", "Send it now, after a question"],
      ['issues send 3 --at "2026-11-30 07:30"', "Send it then, on Toronto's clocks"],
      [
        "issues send 3 --only-new",
        "Send it to readers who have not been sent it, as they joined since",
      ],
    ],
  })
    .argument("<id>", "the issue's id", parseId)
    .option("--test <address>", "one mail to this address, and to nobody else")
    .option("--at <time>", 'when to begin, "YYYY-MM-DD HH:MM" in Toronto', parseTorontoMoment)
    .option("--dry-run", "say what would happen, and do nothing")
    .option("--only-new", "only readers to whom the issue has not been sent")
    .option("--preheader <text>", "the line that mail programs show beside the subject")
    .option("-y, --yes", "don't ask")
    .action(run(send));
}

async function send(
  context: CommandContext,
  id: number,
  options: SendOptions,
): Promise<CommandResult> {
  return await context.withStore(async (store) => {
    const issue = await findIssueOrEnd(store, id);
    const sendKey = newSendKey();
    // It brings what inlines styles, which takes longer to load than most commands take, and they are all loaded at once.
    const { composeIssueMail } = await import("#mail/issue-mail/compose-issue-mail.ts");
    const mail = composeIssueMail({
      issue,
      site: siteSettings(context.readSettings().config),
      tokenPlaceholder: options.test === undefined ? tokenPlaceholderOf(sendKey) : "test",
      preheader: options.preheader ?? (await findPreheader(store.db, id)),
      now: context.now(),
    });
    if (options.test !== undefined) return await sendTestMail(context, options.test, mail, id);

    const plan = await planSend(context, store, { issue, mail, options });
    if (options.dryRun) {
      return {
        json: { dryRun: true, ...plan.json },
        text: `Nothing was sent (--dry-run). It would be:\n\n${plan.text}`,
      };
    }
    checkSendSettings(context);
    if (!context.json) context.io.stderr.write(`${plan.text}\n\n`);
    const readers = amount(plan.readers, "reader");
    const when = options.at ? `at ${torontoTime(options.at)}` : "now";
    await confirmOrEnd(context, options, `Send issue ${id} to ${readers} ${when}?`);
    const now = context.now();
    const queued = await queueSend(store.db, {
      sendKey,
      issue,
      audience: options.onlyNew ? "new" : "all",
      mail,
      beginsAt: options.at ?? now,
      now,
    });
    if (!queued.ok) throw alreadyOpen(id, queued.openId);
    const json = { send: queued.id, ...plan.json };
    if (options.at) {
      const text = `Queued as send ${queued.id}: it begins ${when}, if the site runs then.`;
      return { json, text };
    }
    if (context.json) return { json, text: "" };
    context.io.stderr.write(
      `Queued as send ${queued.id}. It goes on if you close this: sends show ${queued.id}\n`,
    );
    return { json, text: endWords(await watchSend(context, store, queued.id)) };
  });
}
