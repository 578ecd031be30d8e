import { InvalidArgumentError } from "commander";
import { amount, duration, formatBytes, number } from "#content/amounts.ts";
import { torontoMoment, torontoTime } from "#content/toronto-time.ts";
import type { Db } from "#db/tables.ts";
import { describeMissingSetting, describeSendRefusal } from "#newsletter/issues/plan-words.ts";
import { listSendRows } from "#newsletter/sends/recipients.ts";
import {
  type MissingSetting,
  previewSend,
  sendIssue,
  sendTestIssue,
  steerSend,
} from "#newsletter/sends/send-issue.ts";
import { describeSendState } from "#newsletter/sends/send-words.ts";
import { findSend, rowStates, type SendListing } from "#newsletter/sends/sends.ts";
import { inPages } from "#newsletter/subscribers/records.ts";
import {
  type CommandContext,
  CommandError,
  commandGroup,
  confirmOrEnd,
  failure,
  formatFields,
  formatRows,
  issueName,
  parseId,
  problemsError,
  type Run,
  siteCommand,
} from "./command.ts";

export function sendsCommands(run: Run) {
  const one = (name: string, summary: string, details?: string) =>
    siteCommand(name, summary, details).argument("<id>", "the send's id", parseId);
  return commandGroup("sends", "Issues on their way to the subscribers", [
    one(
      "show",
      "Show one send, and what became of it for each recipient",
      "handed_over: with the mail server now. deferred: tried again. withdrawn: the subscriber left, bounced or was " +
        "erased before their turn, or the send was cancelled.",
    )
      .option("--rows", "each recipient, with the Message-ID of their mail up to the @")
      .action(run(show)),
    one("pause", "Stop a send until it is resumed").action(run(steer("pause"))),
    one("resume", "Go on with a paused send, where it stopped").action(run(steer("resume"))),
  ]);
}

async function show(context: CommandContext, id: number, options: { rows?: boolean }) {
  const { db } = await context.store();
  const send = await findSendOrEnd(db, id);
  const read = (limit: number, afterId?: number) =>
    listSendRows(db, { sendId: id, afterId, limit });
  const rows = options.rows ? await Array.fromAsync(inPages(read)) : undefined;
  const counts = rowStates.filter((name) => send.counts[name] > 0);
  const fields = formatFields([
    ["Issue", `${send.issueId}, "${send.title}"`],
    ["State", describeSendState(send, torontoTime)],
    ["Stands still", send.trouble],
    [send.begunAt ? "Begun" : "Begins", torontoTime(send.begunAt ?? send.beginsAt)],
    ["Ended", torontoTime(send.endedAt)],
    ["To go", send.endedAt === null && number(send.toGo)],
    ...counts.map((name): [string, string] => [name, number(send.counts[name])]),
  ]);
  const shown = rows?.map((row) => ({
    Recipient: row.email ?? "(erased)",
    State: row.state,
    Tries: row.attempts,
    At: torontoTime(row.settledAt),
    "Message-ID": row.messageId,
    Answer: row.answer ?? "",
  }));
  const table = shown ? `\n\n${formatRows(shown, "No recipients yet.")}` : "";
  return { json: { send, rows }, text: fields + table };
}

function steer(deed: "pause" | "resume") {
  return async (context: CommandContext, id: number) => {
    const { db } = await context.store();
    const result = await steerSend({ db, now: context.now() }, id, { deed });
    if (!result.ok && result.reason === "not_possible") {
      throw failure(`Send ${id} is ${result.state}, so it can't be ${deed}d.`);
    }
    return { json: { send: await findSendOrEnd(db, id) }, text: `Send ${id} is ${deed}d.` };
  };
}

async function findSendOrEnd(db: Db, id: number): Promise<SendListing> {
  const send = await findSend(db, id);
  if (send) return send;
  throw failure(`There is no send ${id}.`);
}

export function sendIssueCommand(run: Run) {
  return siteCommand(
    "send",
    "Send an issue to the confirmed subscribers",
    "Says what will happen, asks, and queues: the running site sends, and each confirmed subscriber gets the issue once. " +
      "The commands of sends steer it.",
  )
    .argument("<id>", "the issue's id", parseId)
    .option("--test <address>", "one mail to this address, and to nobody else")
    .option("--at <time>", 'when to begin, "YYYY-MM-DD HH:MM" in Toronto', parseMoment)
    .option("-y, --yes", "don't ask")
    .action(run(send));
}

/** The moment at which Toronto's clocks show `2026-11-30 07:30`. */
function parseMoment(text: string): Date {
  const found = torontoMoment(text);
  if (found && torontoTime(found) === text) return found;
  // In spring the clocks skip an hour.
  const near = found ? `, for example "${torontoTime(found)}"` : "";
  throw new InvalidArgumentError(`Give a time on Toronto's clocks as "YYYY-MM-DD HH:MM"${near}.`);
}

type SendOptions = { test?: string; at?: Date; yes?: boolean };

async function send(context: CommandContext, id: number, { test, at, yes }: SendOptions) {
  const { db, config } = await context.store();
  const site = { db, config, now: context.now() };
  if (test !== undefined) return await sendTest(site, id, test);
  const request = { issueId: id, audience: "all" as const, at: at ?? null, preheader: null };
  const seen = await previewSend(site, request);
  if (!seen.ok) throw failure(describeSendRefusal(seen));
  const { issue, mail, notes, recipients, seconds, missing } = seen.preview;
  if (missing.length > 0) throw settingsMissing(missing);
  const from = config.mailFromNewsletter;
  const whom = amount(recipients, "confirmed subscriber");
  const preview = formatFields([
    ["Issue", issueName(issue)],
    ["From", `${config.siteName} <${from}>`],
    ["Takes", `${duration(seconds)} at ${config.smtpRate} a second`],
    ["Size", `${formatBytes(mail.bytes)} of HTML; Gmail shows ${formatBytes(102 * 1024)}`],
    ["Beside it", mail.preheader],
    ...notes.map((note): [string, string] => ["Note", note]),
  ]);
  if (!context.json) context.io.stderr.write(`${preview}\n\n`);
  const when = at ? `at ${torontoTime(at)}` : "now";
  await confirmOrEnd(context, { yes }, `Send issue ${issueName(issue)} to ${whom} ${when}?`);
  const queued = await sendIssue({ ...site, now: context.now() }, request);
  if (!queued.ok) {
    if (queued.reason === "settings_missing") throw settingsMissing(queued.missing);
    throw failure(describeSendRefusal(queued));
  }
  return {
    json: {
      ...{ send: queued.sendId, issue: issue.id, title: issue.title, from, readers: recipients },
      ...{ notes, beginsAt: at?.toISOString() ?? null, seconds: Math.ceil(seconds) },
      ...{ bytes: mail.bytes, preheader: mail.preheader },
    },
    text: `Queued as send ${queued.sendId}: the running site begins it ${when}. How far it is: sends show ${queued.sendId}`,
  };
}

async function sendTest(site: Parameters<typeof sendTestIssue>[0], issueId: number, to: string) {
  const sent = await sendTestIssue(site, { issueId, preheader: null, to });
  if (!sent.ok) {
    if (sent.reason === "unknown_issue") throw failure(describeSendRefusal(sent));
    if (sent.reason !== "no_address")
      throw failure(`The mail server didn't take it: ${sent.words}`);
    throw new CommandError(`${to} is no address that mail could be sent to.`);
  }
  const { address, bytes, notes, folder } = sent;
  const filed = `Written to a file in ${folder}, since SMTP_URL is not set.`;
  const where = folder ? filed : `Sent to ${address}. The link to leave in it is nobody's.`;
  return { json: { test: address, bytes, notes }, text: [where, ...notes].join("\n") };
}

/** Ends a command where an issue can't lawfully or usefully go out with these settings. */
function settingsMissing(missing: MissingSetting[]): CommandError {
  return problemsError(
    missing.map((one) => ({ file: null, line: null, message: describeMissingSetting(one) })),
    "The issue was not sent. Settings are missing:",
  );
}
