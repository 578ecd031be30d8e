import { randomUUID } from "node:crypto";
import { raw } from "hono/html";
import { describeCauses } from "#db/describe-causes.ts";
import type { ComposedMail } from "#mail/issue-mail/compose-issue-mail.ts";
import type { Html } from "#mail/mail-document.ts";
import { readAddress } from "#mail/mailbox-key.ts";
import { listIssues } from "#newsletter/issues.ts";
import { newsletterHeaders } from "#newsletter/sends/recipient-mail.ts";
import {
  countAudience,
  findPreheader,
  listSends,
  newSendKey,
  queueSend,
  tokenPlaceholderOf,
} from "#newsletter/sends/steer-send.ts";
import { createMailers } from "#server/create-mailers.ts";
import type { OpenStore } from "#server/open-store.ts";
import { type SettingName, siteSettings } from "#server/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { parseId, parseTorontoMoment } from "../option-values.ts";
import { duration, endWords, watchSend } from "../sends.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { amount, confirmOrEnd, formatFields, number, torontoTime } from "../terminal.ts";
import { formatBytes } from "../text-files.ts";
import { findIssueOrEnd, issueName } from "./published-issues-commands.ts";

const details = `Shows what will happen, asks, and queues: the running site sends. Whoever is a confirmed
subscriber when the send begins gets the issue once, unless they leave before their turn. Closing the terminal
doesn't end it: sends list, show, pause, resume and cancel steer it.

--test mails one address, marked as a test and counted nowhere; without SMTP_URL it becomes a file.
How fast it goes is SMTP_RATE, in mails a second.`;

export function sendIssueCommand(run: Run) {
  return siteCommand("send", {
    summary: "Send an issue to the confirmed subscribers",
    details,
    examples: [
      ["issues send 3 --test me@example.com", "See it in a mail program first"],
      ["issues send 3 --dry-run", "See what would happen, and send nothing"],
      ["issues send 3", "Send it now, after a question"],
      ['issues send 3 --at "2026-11-30 07:30"', "Send it then, on Toronto's clocks"],
      ["issues send 3 --only-new", "Send it to subscribers who have joined since"],
    ],
  })
    .argument("<id>", "the issue's id", parseId)
    .option("--test <address>", "one mail to this address, and to nobody else")
    .option("--at <time>", 'when to begin, "YYYY-MM-DD HH:MM" in Toronto', parseTorontoMoment)
    .option("--dry-run", "say what would happen, and do nothing")
    .option("--only-new", "only subscribers to whom the issue has not been sent")
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
    // Loaded here, because the style inliner takes longer to load than most commands run.
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
    const recipients = amount(plan.recipients, "subscriber");
    const when = options.at ? `at ${torontoTime(options.at)}` : "now";
    await confirmOrEnd(
      context,
      options,
      `Send issue ${issueName(issue)} to ${recipients} ${when}?`,
    );
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

/** Lines of the plain text that are shown before it goes out. */
const firstLines = 6;

type SendOptions = {
  test?: string;
  at?: Date;
  dryRun?: boolean;
  onlyNew?: boolean;
  preheader?: string;
  yes?: boolean;
};

/** What will happen, or why nothing can. */
async function planSend(
  context: CommandContext,
  { db }: OpenStore,
  {
    issue,
    mail,
    options,
  }: {
    issue: { id: number; number: number; title: string };
    mail: ComposedMail;
    options: SendOptions;
  },
) {
  const { config } = context.readSettings();
  const earlier = await listSends(db, { issueId: issue.id });
  const open = earlier.find(({ endedAt }) => endedAt === null);
  if (open) throw alreadyOpen(issue.id, open.id);
  const { confirmed, withoutIssue } = await countAudience(db, issue.id);
  // One that was cancelled while it waited has mailed nobody.
  const begun = earlier.find(({ begunAt }) => begunAt !== null);
  if (begun && !options.onlyNew) {
    const cut = begun.state === "cancelled" ? ", cancelled before its end" : "";
    throw new CommandError(
      `Issue ${issue.id} went out on ${torontoTime(begun.begunAt)} (send ${begun.id}${cut}). Nobody is sent an issue twice; ` +
        `confirmed subscribers who have not been sent it: ${number(withoutIssue)}. --only-new sends it to them.`,
      { exitCode: 1 },
    );
  }
  const recipients = options.onlyNew ? withoutIssue : confirmed;
  if (recipients === 0) {
    throw new CommandError(
      options.onlyNew
        ? "There is no confirmed subscriber who has not been sent the issue."
        : "There are no confirmed subscribers yet. subscribers list shows who has signed up.",
      { exitCode: 1 },
    );
  }
  if (options.at && options.at < context.now()) {
    throw new CommandError(
      `${torontoTime(options.at)} is over in Toronto. Leave --at out for now.`,
    );
  }
  const { gmailClipBytes } = await import("#mail/issue-mail/compose-issue-mail.ts");
  // The site and its mails name issues by number, which falls behind the id when one is removed.
  const namesake =
    issue.number === issue.id
      ? undefined
      : (await listIssues(db)).find(({ number }) => number === issue.id);
  const isSecure = context.siteUrl().startsWith("https://");
  const leftOut = mail.removed.filter(({ what }) => !what.startsWith("style property"));
  const notes = [
    ...(namesake
      ? [`On the site, #${issue.id} is another issue: ${namesake.id}, "${namesake.title}".`]
      : []),
    ...mail.notes,
    ...leftOut.map(({ what, count }) => `Left out, as on the page: ${count} × ${what}`),
    ...(isSecure
      ? []
      : ["SITE_URL is not https, so mail programs show no button to leave, which Gmail asks for."]),
  ];
  const text = formatFields([
    ["Issue", issueName(issue)],
    ["From", `${config.siteName} <${config.mailFromNewsletter}>`],
    [
      "To",
      `${amount(recipients, "confirmed subscriber")}${options.onlyNew ? " who have not been sent it" : ""}`,
    ],
    ["Begins", options.at ? `${torontoTime(options.at)} in Toronto` : "now"],
    ["Takes", `${duration(recipients, config.smtpRate)} at ${config.smtpRate} a second`],
    ["Size", `${formatBytes(mail.bytes)} of HTML; Gmail shows ${formatBytes(gmailClipBytes)}`],
    ["Beside it", mail.preheader],
    ...notes.map((note): [string, string] => ["Note", note]),
  ]);
  const words = mail.text.split("\n").filter((line) => line.trim() !== "");
  const excerpt = words.slice(0, firstLines).map((line) => `  ${line}`);
  return {
    recipients,
    text: [text, "", ...excerpt, "  …"].join("\n"),
    json: {
      issue: issue.id,
      title: issue.title,
      from: config.mailFromNewsletter,
      readers: recipients,
      beginsAt: options.at?.toISOString() ?? null,
      seconds: Math.ceil(recipients / config.smtpRate),
      bytes: mail.bytes,
      preheader: mail.preheader,
      notes,
    },
  };
}

/** Why an issue is not sent while another send of it goes on. */
function alreadyOpen(issueId: number, sendId: number): CommandError {
  return new CommandError(
    `Send ${sendId} of issue ${issueId} has not ended yet. See it: sends show ${sendId}`,
    { exitCode: 1 },
  );
}

const needed: [SettingName, string][] = [
  ["SMTP_URL", "no mail server is configured, so nobody would be reached"],
  ["SITE_URL", "the links to leave would lead to this machine"],
  [
    "SITE_STREET",
    "every issue has to name the sender's mailing address (Canada's anti-spam law, s. 6(2))",
  ],
  ["SITE_POSTAL_CODE", "the mailing address is not whole without it"],
];

/** Ends the command where an issue can't lawfully or usefully go out with these settings. */
function checkSendSettings(context: CommandContext): void {
  const { unset } = context.readSettings();
  const missing = needed.filter(([name]) => unset.some(({ setting }) => setting === name));
  if (missing.length === 0) return;
  throw new CommandError(
    [
      "The issue was not sent. Settings are missing:",
      ...missing.map(([name, why]) => `  ${name}: ${why}.`),
      'Settings go into .env; docs/newsletter.md lists every step. "issues send ID --test ADDRESS" works without them.',
    ].join("\n"),
    {
      problems: missing.map(([name, why]) => ({
        file: null,
        line: null,
        message: `${name}: ${why}`,
      })),
    },
  );
}

/** Mails one address the issue, and nobody else. */
async function sendTestMail(
  context: CommandContext,
  given: string,
  mail: ComposedMail,
  issueId: number,
): Promise<CommandResult> {
  const address = readAddress(given);
  if (address === null)
    throw new CommandError(`${given} is no address that mail could be sent to.`);
  const { config } = context.readSettings();
  const site = siteSettings(config);
  const { desk, newsletter } = createMailers(config, site.url);
  try {
    await newsletter.send({
      deliveryId: `test-${randomUUID()}`,
      date: context.now().toISOString(),
      to: { name: "", address },
      subject: `[Test] ${mail.subject}`,
      text: mail.text,
      html: raw(mail.html) as Html,
      headers: newsletterHeaders(site, { token: "test", feedbackId: `issue-${issueId}:test` }),
    });
  } catch (error) {
    throw new CommandError(`The mail server didn't take it: ${describeCauses(error)}`, {
      exitCode: 1,
    });
  } finally {
    desk.close();
    newsletter.close();
  }
  const where =
    config.smtpUrl === null
      ? `Written to a file in ${config.dataDir}/mail, since SMTP_URL is not set.`
      : `Sent to ${address}. The link to leave in it is nobody's.`;
  return {
    json: { test: address, bytes: mail.bytes, notes: mail.notes },
    text: [where, ...mail.notes].join("\n"),
  };
}
