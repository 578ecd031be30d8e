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
  type Add,
  addGroup,
  type CommandContext,
  CommandError,
  type Field,
  failure,
  formatFields,
  formatRows,
  issueName,
  parseId,
  problemsError,
  type Run,
  succeeded,
} from "./command.ts";

export function addSendsCommands(program: Command, run: Run): void {
  const add = addGroup(program, "sends", "Issues on their way to the subscribers");
  const addOne = (name: string, summary: string) =>
    add(name, summary).argument("<id>", "the send's id", parseId);
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
    [send.begunAt ? "Begun" : "Begins", torontoTime(send.begunAt ?? send.beginsAt)],
    ["Ended", torontoTime(send.endedAt)],
    ["To go", send.endedAt === null && number(send.toGo)],
    ...rowStates
      .filter((state) => send.counts[state] > 0)
      .map((state): Field => [recipientWords[state], number(send.counts[state])]),
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
    const { said } = succeeded(await steerSend({ db, now: new Date() }, id, { deed }));
    return { json: { send: await findSendOrEnd(db, id) }, text: said };
  };
}

async function findSendOrEnd(db: Db, id: number): Promise<SendListing> {
  const send = await findSend(db, id);
  if (!send) throw failure(`There is no send ${id}.`);
  return send;
}

export function addSendCommand(add: Add, run: Run): void {
  add(
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
  const site = () => ({ db, config, settings, now: new Date() });
  if (test !== undefined) {
    const { said, mail, notes } = succeeded(await sendTestIssue(site(), { issueId: id, to: test }));
    return { json: { test, bytes: mail.bytes, notes }, text: [said, ...notes].join("\n") };
  }
  const request = { issueId: id, at: hour.at };
  const { issue, mail, notes, recipients, isAgain } = succeeded(await previewSend(site(), request));
  const missing = missingToSend(config);
  if (missing.length > 0) {
    const problems = missing.map(({ problem }) => ({ file: null, line: null, message: problem }));
    throw problemsError(problems, "The issue was not sent. Settings are missing:");
  }
  const from = config.mailFromNewsletter;
  if (!context.json) {
    const preview = formatFields([
      ["Issue", issueName(issue)],
      ["From", `${config.siteName} <${from}>`],
      ...notes.map((note): Field => ["Note", note]),
    ]);
    context.io.stderr.write(`${preview}\n\n`);
  }
  const beginsAt = hour.at?.toISOString() ?? null;
  const when = beginsAt ? `on ${shortTorontoTime(beginsAt)}` : "now";
  const whom = `${amount(recipients, "confirmed subscriber")}${isAgain ? " who have not been sent it" : ""}`;
  await context.confirm(`Send issue ${issueName(issue)} to ${whom} ${when}?`, { yes });
  const { sendId } = succeeded(await sendIssue(site(), request));
  return {
    json: {
      ...{ send: sendId, issue: issue.id, title: issue.title, from, readers: recipients, notes },
      ...{ beginsAt, seconds: Math.ceil(recipients / config.smtpRate) },
      ...{ bytes: mail.bytes, preheader: mail.preheader },
    },
    text: `Queued as send ${sendId}: the running site begins it ${when}. How far it is: sends show ${sendId}`,
  };
}
