import { Option } from "commander";
import { amount, number } from "#content/amounts.ts";
import { torontoTime } from "#content/toronto-time.ts";
import type { RowState } from "#db/tables.ts";
import {
  findSend,
  listSendRows,
  listSends,
  rowStates,
  type SendListing,
} from "#newsletter/sends/list-sends.ts";
import type { OpenStore } from "#operator/open-store.ts";
import { inPages } from "#operator/records.ts";
import { type Steering, steerSend } from "#operator/send-issue.ts";
import { describeSendState } from "#operator/send-words.ts";
import { type CommandContext, failure, planRefusal } from "./command-context.ts";
import { commandGroup, type Run, siteCommand } from "./site-command.ts";
import {
  confirmOrEnd,
  formatFields,
  formatRows,
  parseId,
  parseTorontoMoment,
  withLimit,
} from "./terminal.ts";

export function sendsCommands(run: Run) {
  const one = (name: string, summary: string, details?: string) =>
    siteCommand(name, summary, details).argument("<id>", "the send's id", parseId);
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
    one("pause", "Stop a send until it is resumed").action(
      run((context, id: number) => steer(context, id, { deed: "pause" })),
    ),
    one("resume", "Go on with a paused send, where it stopped").action(
      run((context, id: number) => steer(context, id, { deed: "resume" })),
    ),
    one("move", "Give a send that has not begun another hour")
      .requiredOption(
        "--at <time>",
        'when to begin, "YYYY-MM-DD HH:MM" in Toronto',
        parseTorontoMoment,
      )
      .action(
        run((context, id: number, { at }: { at: Date }) =>
          steer(context, id, { deed: "move", at }),
        ),
      ),
    one("cancel", "End a send for good: whoever has not been mailed doesn't get the issue")
      .option("-y, --yes", "don't ask")
      .action(
        run(async (context, id: number, options: { yes?: boolean }) => {
          const question = `End send ${id}? It can't be resumed; pausing it can.`;
          await confirmOrEnd(context, options, question);
          return await steer(context, id, { deed: "cancel" });
        }),
      ),
  ]);
}

function list(context: CommandContext, { limit }: { limit: number }) {
  return context.withStore(async ({ db }) => {
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
  });
}

function show(context: CommandContext, id: number, options: { rows?: boolean; state?: RowState }) {
  return context.withStore(async (store) => {
    const send = await findSendOrEnd(store, id);
    const read = (limit: number, afterId?: number) =>
      listSendRows(store.db, { sendId: id, state: options.state, afterId, limit });
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
  });
}

const done = { pause: "paused", resume: "resumed", cancel: "cancelled", move: "moved" };

async function steer(context: CommandContext, id: number, steering: Steering) {
  return await context.withStore(async (store) => {
    const { deed } = steering;
    const result = await steerSend({ db: store.db, now: context.now() }, id, steering);
    if ("at" in result) throw planRefusal(result);
    if (!result.ok && result.reason === "not_possible") {
      const isBegun = deed === "move" && result.state === "paused";
      const state = isBegun ? "paused and has begun" : result.state;
      throw failure(`Send ${id} is ${state}, so it can't be ${done[deed]}.`);
    }
    const send = await findSendOrEnd(store, id);
    const withdrawn =
      result.ok && result.withdrawn > 0
        ? ` ${amount(result.withdrawn, "recipient is", "recipients are")} not mailed.`
        : "";
    const where =
      deed === "move" ? `${describeSendState(send, torontoTime)} in Toronto` : done[deed];
    return { json: { send }, text: `Send ${id} is ${where}: ${countWords(send)}.${withdrawn}` };
  });
}

async function findSendOrEnd({ db }: OpenStore, id: number): Promise<SendListing> {
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
