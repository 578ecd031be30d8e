import { randomUUID } from "node:crypto";
import { raw } from "hono/html";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { describeCauses } from "#db/describe-causes.ts";
import type { ComposedMail } from "#mail/issue-mail/compose-issue-mail.ts";
import type { Html } from "#mail/mail-document.ts";
import { readAddress } from "#mail/mailbox-key.ts";
import { type FoundIssue, listIssues } from "#newsletter/issues.ts";
import { newsletterHeaders } from "#newsletter/sends/recipient-mail.ts";
import {
  countAudience,
  findPreheader,
  listSends,
  newSendKey,
  queueSend,
  tokenPlaceholderOf,
} from "#newsletter/sends/steer-send.ts";
import { createMailers } from "#operator/create-mailers.ts";
import type { OpenStore } from "#operator/open-store.ts";
import { withSiteWords } from "#operator/site-words.ts";
import type { SettingName } from "#settings/setting-declarations.ts";
import { siteSettings } from "#settings/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, failure } from "../command-error.ts";
import { parseId, parseTorontoMoment } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { amount, confirmOrEnd, duration, formatFields, number, torontoTime } from "../terminal.ts";
import { formatBytes } from "../text-files.ts";
import { findIssueOrEnd, issueName } from "./issue-fields.ts";

export function sendIssueCommand(run: Run) {
  return siteCommand(
    "send",
    "Send an issue to the confirmed subscribers",
    "Shows what will happen, asks, and queues: the running site sends, and each confirmed subscriber gets the issue once. " +
      "The commands of sends steer it.",
  )
    .argument("<id>", "the issue's id", parseId)
    .option("--test <address>", "one mail to this address, and to nobody else")
    .option("--at <time>", 'when to begin, "YYYY-MM-DD HH:MM" in Toronto', parseTorontoMoment)
    .option("--dry-run", "say what would happen, and do nothing")
    .option("--only-new", "only subscribers to whom the issue has not been sent")
    .option("--preheader <text>", "the line that mail programs show beside the subject")
    .option("-y, --yes", "don't ask")
    .action(run(send));
}

type SendOptions = { test?: string; preheader?: string; at?: Date } & Partial<
  Record<"dryRun" | "onlyNew" | "yes", boolean>
>;

async function send(context: CommandContext, id: number, options: SendOptions) {
  return await context.withStore(async (store) => {
    const issue = await findIssueOrEnd(store, id);
    const sendKey = newSendKey();
    // Loaded here, because the style inliner takes longer to load than most commands run.
    const { composeIssueMail } = await import("#mail/issue-mail/compose-issue-mail.ts");
    const site = await withSiteWords(store.db, siteSettings(context.readSettings().config));
    const mail = composeIssueMail({
      issue,
      site,
      tokenPlaceholder: options.test === undefined ? tokenPlaceholderOf(sendKey) : "test",
      preheader: options.preheader ?? (await findPreheader(store.db, id)),
      now: context.now(),
    });
    const notes = await notesBeforeSending(context, store, issue, mail);
    if (options.test !== undefined) {
      return await sendTestMail(context, options.test, { id, mail, notes, site });
    }
    const recipients = await countRecipients(context, store, id, options);
    const plan = describePlan(context, { issue, mail, notes, recipients }, options);
    if (options.dryRun) {
      return {
        json: { dryRun: true, ...plan.json },
        text: `Nothing was sent (--dry-run). It would be:\n\n${plan.text}`,
      };
    }
    checkSendSettings(context);
    if (!context.json) context.io.stderr.write(`${plan.text}\n\n`);
    const when = options.at ? `at ${torontoTime(options.at)}` : "now";
    const whom = amount(recipients, "subscriber");
    await confirmOrEnd(context, options, `Send issue ${issueName(issue)} to ${whom} ${when}?`);
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
    return {
      json: { send: queued.id, ...plan.json },
      text: `Queued as send ${queued.id}: the running site begins it ${when}. How far it is: sends show ${queued.id}`,
    };
  });
}

type Letter = { mail: ComposedMail; notes: string[] };

/** What the operator should know before everybody has it. */
async function notesBeforeSending(
  context: CommandContext,
  { db }: OpenStore,
  { id, number }: FoundIssue,
  mail: ComposedMail,
): Promise<string[]> {
  const removed = mail.removed
    .filter(({ what }) => !what.startsWith("style property"))
    .map(({ what, count }) => `Left out, as on the page: ${count} × ${what}`);
  const notes = [...mail.notes, ...removed];
  // The site and its mails name issues by number, which falls behind the id when one is removed.
  const namesake =
    number === id ? undefined : (await listIssues(db)).find((other) => other.number === id);
  if (namesake) {
    notes.push(`On the site, #${id} is another issue: ${namesake.id}, "${namesake.title}".`);
  }
  if (!context.siteUrl().startsWith("https://")) {
    notes.push(
      "SITE_URL is not https, so mail programs show no button to leave, which Gmail asks for.",
    );
  }
  return notes;
}

/** How many would get it; ends the command where nobody would, or not again. */
async function countRecipients(
  context: CommandContext,
  { db }: OpenStore,
  id: number,
  { at, onlyNew }: SendOptions,
): Promise<number> {
  const earlier = await listSends(db, { issueId: id });
  const open = earlier.find(({ endedAt }) => endedAt === null);
  if (open) throw alreadyOpen(id, open.id);
  const { confirmed, withoutIssue } = await countAudience(db, id);
  // One that was cancelled while it waited has mailed nobody.
  const begun = earlier.find(({ begunAt }) => begunAt !== null);
  if (begun && !onlyNew) {
    const cut = begun.state === "cancelled" ? ", cancelled before its end" : "";
    throw failure(
      `Issue ${id} went out on ${torontoTime(begun.begunAt)} (send ${begun.id}${cut}). Nobody is sent an issue twice; ` +
        `confirmed subscribers who have not been sent it: ${number(withoutIssue)}. --only-new sends it to them.`,
    );
  }
  const recipients = onlyNew ? withoutIssue : confirmed;
  if (recipients === 0) {
    throw failure(
      onlyNew
        ? "There is no confirmed subscriber who has not been sent the issue."
        : "There are no confirmed subscribers yet. subscribers list shows who has signed up.",
    );
  }
  if (at && at < context.now()) {
    throw new CommandError(`${torontoTime(at)} is over in Toronto. Leave --at out for now.`);
  }
  return recipients;
}

function describePlan(
  context: CommandContext,
  { issue, mail, notes, recipients }: { issue: FoundIssue; recipients: number } & Letter,
  { at, onlyNew }: SendOptions,
) {
  const { siteName, mailFromNewsletter: from, smtpRate } = context.readSettings().config;
  const whom = amount(recipients, "confirmed subscriber");
  const text = formatFields([
    ["Issue", issueName(issue)],
    ["From", `${siteName} <${from}>`],
    ["To", `${whom}${onlyNew ? " who have not been sent it" : ""}`],
    ["Begins", at ? `${torontoTime(at)} in Toronto` : "now"],
    ["Takes", `${duration(recipients / smtpRate)} at ${smtpRate} a second`],
    ["Size", `${formatBytes(mail.bytes)} of HTML; Gmail shows ${formatBytes(102 * 1024)}`],
    ["Beside it", mail.preheader],
    ...notes.map((note): [string, string] => ["Note", note]),
  ]);
  const words = mail.text.split("\n").filter((line) => line.trim() !== "");
  const excerpt = words.slice(0, 6).map((line) => `  ${line}`);
  return {
    text: [text, "", ...excerpt, "  …"].join("\n"),
    json: {
      ...{ issue: issue.id, title: issue.title, from, readers: recipients, notes },
      ...{ beginsAt: at?.toISOString() ?? null, seconds: Math.ceil(recipients / smtpRate) },
      ...{ bytes: mail.bytes, preheader: mail.preheader },
    },
  };
}

function alreadyOpen(issueId: number, sendId: number): CommandError {
  return failure(
    `Send ${sendId} of issue ${issueId} has not ended yet. See it: sends show ${sendId}`,
  );
}

const needed: Partial<Record<SettingName, string>> = {
  SMTP_URL: "no mail server is configured, so nobody would be reached",
  SITE_URL: "the links to leave would lead to this machine",
  SITE_STREET:
    "an issue has to name the sender's mailing address (Canada's anti-spam law, s. 6(2))",
  SITE_POSTAL_CODE: "the mailing address is not whole without it",
};

/** Ends the command where an issue can't lawfully or usefully go out with these settings. */
function checkSendSettings(context: CommandContext): void {
  const { unset } = context.readSettings();
  const problems = unset.flatMap(({ setting }) => {
    const why = needed[setting];
    return why === undefined ? [] : [{ file: null, line: null, message: `${setting}: ${why}` }];
  });
  if (problems.length === 0) return;
  throw new CommandError(
    [
      "The issue was not sent. Settings are missing:",
      ...problems.map(({ message }) => `  ${message}.`),
      'Settings go into .env; docs/newsletter.md lists every step. "issues send ID --test ADDRESS" works without them.',
    ].join("\n"),
    { problems },
  );
}

/** Mails one address the issue, and nobody else. */
async function sendTestMail(
  context: CommandContext,
  given: string,
  { id, mail, notes, site }: { id: number; site: SiteSettings } & Letter,
) {
  const address = readAddress(given);
  if (address === null) {
    throw new CommandError(`${given} is no address that mail could be sent to.`);
  }
  const { config } = context.readSettings();
  const { desk, newsletter } = createMailers(config, site.url);
  try {
    await newsletter.send({
      deliveryId: `test-${randomUUID()}`,
      date: context.now().toISOString(),
      to: { name: "", address },
      subject: `[Test] ${mail.subject}`,
      text: mail.text,
      html: raw(mail.html) as Html,
      headers: newsletterHeaders(site, { token: "test", feedbackId: `issue-${id}:test` }),
    });
  } catch (error) {
    throw failure(`The mail server didn't take it: ${describeCauses(error)}`);
  } finally {
    desk.close();
    newsletter.close();
  }
  const where = config.smtpUrl
    ? `Sent to ${address}. The link to leave in it is nobody's.`
    : `Written to a file in ${config.dataDir}/mail, since SMTP_URL is not set.`;
  return { json: { test: address, bytes: mail.bytes, notes }, text: [where, ...notes].join("\n") };
}
