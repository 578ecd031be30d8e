import type { Command } from "commander";
import { amount, number } from "#content/amounts.ts";
import { readHour, shortTorontoTime, torontoTime } from "#content/toronto-time.ts";
import type { Db } from "#db/tables.ts";
import { inPages } from "#newsletter/records.ts";
import { listSendRows } from "#newsletter/sends/recipients.ts";
import {
  findSend,
  missingToSend,
  recipientWords,
  rowStates,
  type SendListing,
  sendIssue,
  steerSend,
} from "#newsletter/sends/sends.ts";
import { previewSend, sendTestIssue } from "#newsletter/sends/trials.ts";
import { siteSettings } from "#settings/settings.ts";
import { readSiteWords } from "#settings/site-words.ts";
import {
  addCommand,
  addGroup,
  type CommandContext,
  CommandError,
  confirmOrEnd,
  failure,
  formatFields,
  formatRows,
  issueName,
  parseId,
  problemsError,
  type Run,
} from "./command.ts";

export function addSendsCommands(program: Command, run: Run): void {
  const sends = addGroup(program, "sends", "Issues on their way to the subscribers");
  const addOne = (name: string, summary: string) =>
    addCommand(sends, name, summary).argument("<id>", "the send's id", parseId);
  addOne("show", "Show one send, and what became of it for each recipient")
    .option("--rows", "each recipient, with the Message-ID of their mail up to the @")
    .action(run(show));
  addOne("pause", "Stop a send until it is resumed").action(run(steer("pause")));
  addOne("resume", "Go on with a paused send, where it stopped").action(run(steer("resume")));
}

async function show(context: CommandContext, id: number, options: { rows?: boolean }) {
  const { db } = await context.store();
  const send = await findSendOrEnd(db, id);
  const read = (limit: number, afterId?: number) =>
    listSendRows(db, { sendId: id, afterId, limit });
  const rows = options.rows ? await Array.fromAsync(inPages(read)) : undefined;
  const fields = formatFields([
    ["Issue", `${send.issueId}, "${send.title}"`],
    ["State", send.words],
    ["Stands still", send.trouble],
    [send.begunAt ? "Begun" : "Begins", torontoTime(send.begunAt ?? send.beginsAt)],
    ["Ended", torontoTime(send.endedAt)],
    ["To go", send.endedAt === null && number(send.toGo)],
    ...rowStates
      .filter((state) => send.counts[state] > 0)
      .map((state): [string, string] => [recipientWords[state], number(send.counts[state])]),
  ]);
  const shown = rows?.map((row) => ({
    Recipient: row.email ?? "(erased)",
    State: recipientWords[row.state],
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
    const steered = await steerSend({ db, now: context.now() }, id, { deed });
    if (!steered.ok) throw failure(steered.problem);
    return { json: { send: await findSendOrEnd(db, id) }, text: steered.said };
  };
}

async function findSendOrEnd(db: Db, id: number): Promise<SendListing> {
  const send = await findSend(db, id);
  if (send) return send;
  throw failure(`There is no send ${id}.`);
}

export function addSendCommand(issues: Command, run: Run): void {
  addCommand(
    issues,
    "send",
    "Send an issue to the confirmed subscribers",
    "Says what will happen, asks, and queues: the running site sends, and each confirmed subscriber gets the issue once. " +
      "The commands of sends steer it.",
  )
    .argument("<id>", "the issue's id", parseId)
    .option("--test <address>", "one mail to this address, and to nobody else")
    .option("--at <time>", 'when to begin, "YYYY-MM-DD HH:MM" in Toronto')
    .option("-y, --yes", "don't ask")
    .action(run(send));
}

type SendOptions = { test?: string; at?: string; yes?: boolean };

async function send(context: CommandContext, id: number, { test, at = "", yes }: SendOptions) {
  const hour = readHour(at);
  if (!hour.ok) throw new CommandError(hour.problem);
  const { db, config } = await context.store();
  const settings = { ...siteSettings(config), words: await readSiteWords(db) };
  const site = { db, config, settings, now: context.now() };
  if (test !== undefined) {
    const sent = await sendTestIssue(site, { issueId: id, to: test });
    if (!sent.ok) throw failure(sent.problem);
    const { said, mail, notes } = sent;
    return { json: { test, bytes: mail.bytes, notes }, text: [said, ...notes].join("\n") };
  }
  const request = { issueId: id, at: hour.at };
  const seen = await previewSend(site, request);
  if (!seen.ok) throw failure(seen.problem);
  const { issue, mail, notes, recipients } = seen;
  const missing = missingToSend(config);
  if (missing.length > 0) {
    const problems = missing.map(({ problem }) => ({ file: null, line: null, message: problem }));
    throw problemsError(problems, "The issue was not sent. Settings are missing:");
  }
  const from = config.mailFromNewsletter;
  const seconds = recipients / config.smtpRate;
  const preview = formatFields([
    ["Issue", issueName(issue)],
    ["From", `${config.siteName} <${from}>`],
    ...notes.map((note): [string, string] => ["Note", note]),
  ]);
  if (!context.json) context.io.stderr.write(`${preview}\n\n`);
  const when = hour.at ? `on ${shortTorontoTime(hour.at.toISOString())}` : "now";
  const whom = `${amount(recipients, "confirmed subscriber")}${seen.isAgain ? " who have not been sent it" : ""}`;
  await confirmOrEnd(context, { yes }, `Send issue ${issueName(issue)} to ${whom} ${when}?`);
  const queued = await sendIssue({ ...site, now: context.now() }, request);
  if (!queued.ok) throw failure(queued.problem);
  return {
    json: {
      ...{ send: queued.sendId, issue: issue.id, title: issue.title, from, readers: recipients },
      ...{ notes, beginsAt: hour.at?.toISOString() ?? null, seconds: Math.ceil(seconds) },
      ...{ bytes: mail.bytes, preheader: mail.preheader },
    },
    text: `Queued as send ${queued.sendId}: the running site begins it ${when}. How far it is: sends show ${queued.sendId}`,
  };
}
