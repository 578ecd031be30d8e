import { amount, duration, formatBytes, number } from "#content/amounts.ts";
import { torontoTime } from "#content/toronto-time.ts";
import type { SendAudience } from "#db/tables.ts";
import {
  type MissingSetting,
  previewSend,
  type SendPreview,
  type SendRefusal,
  type SendRequest,
  sendIssue,
  sendTestIssue,
} from "#operator/send-issue.ts";
import type { Config } from "#settings/settings.ts";
import { type CommandContext, CommandError, failure, planRefusal } from "../command-context.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { confirmOrEnd, formatFields, parseId, parseTorontoMoment } from "../terminal.ts";
import { issueName, unknownIssue } from "./issue-fields.ts";

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
  return await context.withStore(async ({ db, config }) => {
    const site = { db, config, now: context.now() };
    const preheader = options.preheader ?? null;
    if (options.test !== undefined) {
      const sent = await sendTestIssue(site, { issueId: id, preheader, to: options.test });
      if (!sent.ok) throw testRefusal(sent, id, options.test);
      const { address, bytes, notes, folder } = sent;
      const where =
        folder === null
          ? `Sent to ${address}. The link to leave in it is nobody's.`
          : `Written to a file in ${folder}, since SMTP_URL is not set.`;
      return { json: { test: address, bytes, notes }, text: [where, ...notes].join("\n") };
    }
    const audience: SendAudience = options.onlyNew ? "new" : "all";
    const request = { issueId: id, audience, at: options.at ?? null, preheader };
    const seen = await previewSend(site, request);
    if (!seen.ok) throw sendRefusal(seen, request);
    const { preview } = seen;
    const shown = describePreview(config, preview, request);
    if (options.dryRun) {
      return {
        json: { dryRun: true, ...shown.json },
        text: `Nothing was sent (--dry-run). It would be:\n\n${shown.text}`,
      };
    }
    if (preview.missing.length > 0) throw settingsMissing(preview.missing);
    if (!context.json) context.io.stderr.write(`${shown.text}\n\n`);
    const when = options.at ? `at ${torontoTime(options.at)}` : "now";
    const whom = amount(preview.recipients, "subscriber");
    await confirmOrEnd(
      context,
      options,
      `Send issue ${issueName(preview.issue)} to ${whom} ${when}?`,
    );
    const queued = await sendIssue({ ...site, now: context.now() }, request);
    if (!queued.ok) {
      throw queued.reason === "settings_missing"
        ? settingsMissing(queued.missing)
        : sendRefusal(queued, request);
    }
    return {
      json: { send: queued.sendId, ...shown.json },
      text: `Queued as send ${queued.sendId}: the running site begins it ${when}. How far it is: sends show ${queued.sendId}`,
    };
  });
}

function sendRefusal(refusal: SendRefusal, { issueId, audience }: SendRequest): CommandError {
  switch (refusal.reason) {
    case "unknown_issue":
      return unknownIssue(issueId);
    case "send_open":
      return failure(
        `Send ${refusal.openId} of issue ${issueId} has not ended yet. See it: sends show ${refusal.openId}`,
      );
    case "sent_before": {
      const { send, withoutIssue } = refusal;
      const cut = send.state === "cancelled" ? ", cancelled before its end" : "";
      return failure(
        `Issue ${issueId} went out on ${torontoTime(send.begunAt)} (send ${send.id}${cut}). Nobody is sent an issue twice; ` +
          `confirmed subscribers who have not been sent it: ${number(withoutIssue)}. --only-new sends it to them.`,
      );
    }
    case "nobody_to_send_to":
      return failure(
        audience === "new"
          ? "There is no confirmed subscriber who has not been sent the issue."
          : "There are no confirmed subscribers yet. subscribers list shows who has signed up.",
      );
    default:
      return planRefusal(refusal);
  }
}

function testRefusal(
  refusal: Exclude<Awaited<ReturnType<typeof sendTestIssue>>, { ok: true }>,
  issueId: number,
  given: string,
): CommandError {
  switch (refusal.reason) {
    case "unknown_issue":
      return unknownIssue(issueId);
    case "no_address":
      return new CommandError(`${given} is no address that mail could be sent to.`);
    case "mail_server_refused":
      return failure(`The mail server didn't take it: ${refusal.words}`);
  }
}

/** Ends a command where an issue can't lawfully or usefully go out with these settings. */
function settingsMissing(missing: MissingSetting[]): CommandError {
  const problems = missing.map(({ setting, why }) => ({
    ...{ file: null, line: null },
    message: `${setting}: ${why}`,
  }));
  return new CommandError(
    [
      "The issue was not sent. Settings are missing:",
      ...problems.map(({ message }) => `  ${message}.`),
      'Settings go into .env; docs/newsletter.md lists every step. "issues send ID --test ADDRESS" works without them.',
    ].join("\n"),
    { problems },
  );
}

function describePreview(
  { siteName, mailFromNewsletter: from, smtpRate }: Config,
  { issue, mail, notes, recipients, seconds }: SendPreview,
  { at, audience }: SendRequest,
) {
  const whom = amount(recipients, "confirmed subscriber");
  const text = formatFields([
    ["Issue", issueName(issue)],
    ["From", `${siteName} <${from}>`],
    ["To", `${whom}${audience === "new" ? " who have not been sent it" : ""}`],
    ["Begins", at ? `${torontoTime(at)} in Toronto, with the issue as it is then` : "now"],
    ["Takes", `${duration(seconds)} at ${smtpRate} a second`],
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
      ...{ beginsAt: at?.toISOString() ?? null, seconds: Math.ceil(seconds) },
      ...{ bytes: mail.bytes, preheader: mail.preheader },
    },
  };
}
