import { Option } from "commander";
import { amount, duration, formatBytes, number } from "#content/amounts.ts";
import { torontoTime } from "#content/toronto-time.ts";
import type { Db, RowState, SendAudience } from "#db/tables.ts";
import { listSendRows } from "#newsletter/sends/recipients.ts";
import { findSend, listSends, rowStates, type SendListing } from "#newsletter/sends/sends.ts";
import { inPages } from "#operator/records.ts";
import {
  type MissingSetting,
  previewSend,
  type SendPreview,
  type SendRefusal,
  type SendRequest,
  type Steering,
  sendIssue,
  sendTestIssue,
  steerSend,
} from "#operator/send-issue.ts";
import { describeSendState } from "#operator/send-words.ts";
import type { Config } from "#settings/settings.ts";
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
  parseMoment,
  planRefusal,
  type Run,
  siteCommand,
  unknownIssue,
  withLimit,
} from "./command.ts";

export function sendsCommands(run: Run) {
  const one = (name: string, summary: string, details?: string) =>
    siteCommand(name, summary, details).argument("<id>", "the send's id", parseId);
  const steering = (deed: Steering["deed"]) =>
    run((context, id: number, options: SteerOptions) => steer(context, id, deed, options));
  return commandGroup("sends", "Issues on their way to the subscribers", [
    withLimit(siteCommand("list", "List the sends, the latest first"), 20).action(run(list)),
    one(
      "show",
      "Show one send, and what became of it for each recipient",
      "handed_over: with the mail server now. deferred: tried again. withdrawn: the subscriber left, bounced or was " +
        "erased before their turn, or the send was cancelled.",
    )
      .option("--rows", "each recipient, with the Message-ID of their mail up to the @")
      .addOption(new Option("--state <state>", "with --rows, only these").choices([...rowStates]))
      .action(run(show)),
    one("pause", "Stop a send until it is resumed").action(steering("pause")),
    one("resume", "Go on with a paused send, where it stopped").action(steering("resume")),
    one("move", "Give a send that has not begun another hour")
      .requiredOption("--at <time>", 'when to begin, "YYYY-MM-DD HH:MM" in Toronto', parseMoment)
      .action(steering("move")),
    one("cancel", "End a send for good: whoever has not been mailed doesn't get the issue")
      .option("-y, --yes", "don't ask")
      .action(steering("cancel")),
  ]);
}

async function list(context: CommandContext, { limit }: { limit: number }) {
  const { db } = await context.store();
  const sends = await listSends(db, { limit });
  const rows = sends.map((send) => ({
    Id: send.id,
    Issue: send.issueId,
    Title: send.title,
    Begun: torontoTime(send.begunAt),
    State: describeSendState(send, torontoTime),
    Recipients: countWords(send),
  }));
  return { json: { sends }, text: formatRows(rows, "Nothing has been sent yet: issues send ID") };
}

async function show(
  context: CommandContext,
  id: number,
  options: { rows?: boolean; state?: RowState },
) {
  const { db } = await context.store();
  const send = await findSendOrEnd(db, id);
  const read = (limit: number, afterId?: number) =>
    listSendRows(db, { sendId: id, state: options.state, afterId, limit });
  const rows = options.rows ? await Array.fromAsync(inPages(read)) : undefined;
  const fields = formatFields([
    ["Issue", `${send.issueId}, "${send.title}"`],
    ["State", describeSendState(send, torontoTime)],
    ["Stands still", send.trouble],
    [send.begunAt ? "Begun" : "Begins", torontoTime(send.begunAt ?? send.beginsAt)],
    ["Ended", torontoTime(send.endedAt)],
    ["To go", send.endedAt === null && number(send.toGo)],
    ...rowStates.map((name): [string, string | false] => [
      name,
      send.counts[name] > 0 && number(send.counts[name]),
    ]),
  ]);
  const shown = rows?.map((row) => ({
    Recipient: row.email ?? "(erased)",
    State: row.state,
    Tries: row.attempts,
    At: torontoTime(row.settledAt),
    "Message-ID": row.messageId,
    Answer: row.answer ?? "",
  }));
  const table = shown ? `\n\n${formatRows(shown, "No such rows.")}` : "";
  return { json: { send, rows }, text: fields + table };
}

const done = { pause: "paused", resume: "resumed", cancel: "cancelled", move: "moved" };

type SteerOptions = { at?: Date; yes?: boolean };

async function steer(
  context: CommandContext,
  id: number,
  deed: Steering["deed"],
  { at = context.now(), ...options }: SteerOptions,
) {
  const { db } = await context.store();
  if (deed === "cancel") {
    const question = `End send ${id}? It can't be resumed; pausing it can.`;
    await confirmOrEnd(context, options, question);
  }
  const steering: Steering = deed === "move" ? { deed, at } : { deed };
  const result = await steerSend({ db, now: context.now() }, id, steering);
  if ("at" in result) throw planRefusal(result);
  if (!result.ok && result.reason === "not_possible") {
    const isBegun = deed === "move" && result.state === "paused";
    const state = isBegun ? "paused and has begun" : result.state;
    throw failure(`Send ${id} is ${state}, so it can't be ${done[deed]}.`);
  }
  const send = await findSendOrEnd(db, id);
  const withdrawn =
    result.ok && result.withdrawn > 0
      ? ` ${amount(result.withdrawn, "recipient is", "recipients are")} not mailed.`
      : "";
  const where = deed === "move" ? `${describeSendState(send, torontoTime)} in Toronto` : done[deed];
  return { json: { send }, text: `Send ${id} is ${where}: ${countWords(send)}.${withdrawn}` };
}

async function findSendOrEnd(db: Db, id: number): Promise<SendListing> {
  const send = await findSend(db, id);
  if (send) return send;
  throw failure(`There is no send ${id}. "sends list" shows those there are.`);
}

/** Words such as `120 accepted, 3 refused, 877 to go`. */
function countWords({ counts, begunAt, endedAt, toGo }: SendListing): string {
  if (begunAt === null) return endedAt === null ? `${number(toGo)} to go` : "nobody";
  const named = (["accepted", "deferred", "refused", "withdrawn"] as const)
    .filter((state) => state === "accepted" || counts[state] > 0)
    .map((state) => `${number(counts[state])} ${state === "deferred" ? "put off" : state}`);
  return [...named, ...(toGo > 0 ? [`${number(toGo)} to go`] : [])].join(", ");
}

export function sendIssueCommand(run: Run) {
  return siteCommand(
    "send",
    "Send an issue to the confirmed subscribers",
    "Shows what will happen, asks, and queues: the running site sends, and each confirmed subscriber gets the issue once. " +
      "The commands of sends steer it.",
  )
    .argument("<id>", "the issue's id", parseId)
    .option("--test <address>", "one mail to this address, and to nobody else")
    .option("--at <time>", 'when to begin, "YYYY-MM-DD HH:MM" in Toronto', parseMoment)
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
  const { db, config } = await context.store();
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
    file: null,
    line: null,
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
      issue: issue.id,
      title: issue.title,
      from,
      readers: recipients,
      notes,
      beginsAt: at?.toISOString() ?? null,
      seconds: Math.ceil(seconds),
      bytes: mail.bytes,
      preheader: mail.preheader,
    },
  };
}
