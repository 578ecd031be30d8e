import { setTimeout as delay } from "node:timers/promises";
import { Option } from "commander";
import type { RowState } from "#db/tables.ts";
import { rowStates } from "#newsletter/sends/send-states.ts";
import {
  cancelSend,
  findSend,
  listSendRows,
  listSends,
  openRows,
  pauseSend,
  resumeSend,
  type SendListing,
  type SendRowListing,
  type SteerResult,
} from "#newsletter/sends/steer-send.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "./command-context.ts";
import { failure } from "./command-error.ts";
import { parseId, parseLimit } from "./option-values.ts";
import { type CommandResult, commandGroup, type Run, siteCommand } from "./site-command.ts";
import {
  amount,
  confirmOrEnd,
  formatFields,
  number,
  startProgress,
  torontoTime,
} from "./terminal.ts";

export function sendsCommands(run: Run) {
  return commandGroup("sends", "Issues on their way to the subscribers", [
    listSendsCommand(run),
    showSendCommand(run),
    pauseSendCommand(run),
    resumeSendCommand(run),
    cancelSendCommand(run),
  ]);
}

const defaultRows = 20;

function listSendsCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the sends, the latest first",
    examples: [["sends list", "List the latest"]],
  })
    .option("--limit <n>", "show at most this many", parseLimit, defaultRows)
    .action(
      run((context, { limit }: { limit: number }) =>
        context.withStore(async ({ db }) => {
          const sends = await listSends(db, { limit });
          const text = context.table(
            [
              { title: "Id", value: ({ id }) => String(id), align: "right" },
              { title: "Issue", value: ({ issueId }) => String(issueId), align: "right" },
              { title: "Title", value: ({ title }) => title, flexible: true },
              { title: "Begun", value: ({ begunAt }) => torontoTime(begunAt) },
              { title: "State", value: stateWords, flexible: true },
              { title: "Recipients", value: countWords },
            ],
            sends,
            "Nothing has been sent yet: issues send ID",
          );
          return { json: { sends }, text };
        }),
      ),
    );
}

const pageRows = 500;

type ShowOptions = { rows?: boolean; state?: RowState; watch?: boolean };

function showSendCommand(run: Run) {
  return siteCommand("show", {
    summary: "Show one send, and what became of it for each recipient",
    details: `accepted: the mail server took it. deferred: put off, and tried again. refused: it won't be
taken. withdrawn: the subscriber left, bounced or was erased before their turn, or the send was
cancelled. handed_over: with the mail server at this moment.`,
    examples: [
      ["sends show 2", "How many of each"],
      ["sends show 2 --rows --state refused", "Who refused it, and in which words"],
      ["sends show 2 --watch", "Follow it until it ends"],
    ],
  })
    .argument("<id>", "the send's id", parseId)
    .option("--rows", "each recipient, with the Message-ID of their mail up to the @")
    .addOption(new Option("--state <state>", "with --rows, only these").choices([...rowStates]))
    .option("--watch", "follow it until it ends")
    .action(
      run((context, id: number, { rows, state, watch }: ShowOptions) =>
        context.withStore(async (store) => {
          let send = await findSendOrEnd(store, id);
          if (watch) send = await watchSend(context, store, id);
          const listed = rows ? await Array.fromAsync(allRows(store, { id, state })) : undefined;
          const { counts } = send;
          const text = formatFields([
            ["Issue", `${send.issueId}, "${send.title}"`],
            ["State", stateWords(send)],
            ["Begun", torontoTime(send.begunAt)],
            ["Ended", torontoTime(send.endedAt)],
            ...rowStates
              .filter((name) => counts[name] > 0)
              .map((name): [string, string] => [name, number(counts[name])]),
          ]);
          const table = listed && context.table(columns, listed, "No such rows.");
          return {
            json: { send, rows: listed },
            text: [
              text,
              ...(watch ? ["", endWords(send)] : []),
              ...(table ? ["", table] : []),
            ].join("\n"),
          };
        }),
      ),
    );
}

const columns = [
  { title: "Recipient", value: ({ email }: SendRowListing) => email ?? "(erased)", flexible: true },
  { title: "State", value: ({ state }: SendRowListing) => state },
  { title: "Tries", value: ({ attempts }: SendRowListing) => String(attempts) },
  { title: "At", value: ({ settledAt }: SendRowListing) => torontoTime(settledAt) },
  { title: "Answer", value: ({ answer }: SendRowListing) => answer ?? "", flexible: true },
  { title: "Message-ID", value: ({ messageId }: SendRowListing) => messageId, flexible: true },
];

async function* allRows(
  { db }: OpenStore,
  { id, state }: { id: number; state?: RowState },
): AsyncGenerator<SendRowListing> {
  for (let afterId = 0; ; ) {
    const page = await listSendRows(db, { sendId: id, state, afterId, limit: pageRows });
    yield* page;
    afterId = page.at(-1)?.id ?? afterId;
    if (page.length < pageRows) return;
  }
}

function pauseSendCommand(run: Run) {
  return siteCommand("pause", {
    summary: "Stop a send until it is resumed",
    examples: [["sends pause 2", "Hand nothing more over"]],
  })
    .argument("<id>", "the send's id", parseId)
    .action(
      run((context, id: number) => steer(context, id, "paused", (db) => pauseSend(db, { id }))),
    );
}

function resumeSendCommand(run: Run) {
  return siteCommand("resume", {
    summary: "Go on with a paused send, where it stopped",
    examples: [["sends resume 2", "Go on with the recipients who are left"]],
  })
    .argument("<id>", "the send's id", parseId)
    .action(
      run((context, id: number) => steer(context, id, "resumed", (db) => resumeSend(db, id))),
    );
}

function cancelSendCommand(run: Run) {
  return siteCommand("cancel", {
    summary: "End a send for good: whoever has not been mailed doesn't get the issue",
    examples: [["sends cancel 2", "End it, after a question"]],
  })
    .argument("<id>", "the send's id", parseId)
    .option("-y, --yes", "don't ask")
    .action(
      run(async (context, id: number, options: { yes?: boolean }) => {
        const question = `End send ${id}? It can't be resumed; pausing it can.`;
        await confirmOrEnd(context, options, question);
        const cancel = (db: Db) => cancelSend(db, { id, now: context.now() });
        return await steer(context, id, "cancelled", cancel);
      }),
    );
}

type Db = Parameters<typeof resumeSend>[0];

async function steer(
  context: CommandContext,
  id: number,
  done: string,
  work: (db: Db) => Promise<SteerResult>,
): Promise<CommandResult> {
  return await context.withStore(async (store) => {
    const result = await work(store.db);
    if (!result.ok && result.reason === "not_possible") {
      throw failure(`Send ${id} is ${result.state}, so it can't be ${done}.`);
    }
    const send = await findSendOrEnd(store, id);
    const withdrawn =
      result.ok && result.withdrawn > 0
        ? ` ${amount(result.withdrawn, "recipient is", "recipients are")} not mailed.`
        : "";
    return { json: { send }, text: `Send ${id} is ${done}: ${countWords(send)}.${withdrawn}` };
  });
}

async function findSendOrEnd({ db }: OpenStore, id: number): Promise<SendListing> {
  const found = await findSend(db, id);
  if (found.ok) return found.send;
  throw failure(`There is no send ${id}. "sends list" shows those there are.`);
}

function stateWords({ state, beginsAt, begunAt, pauseReason }: SendListing): string {
  if (state === "waiting") return `waiting for ${torontoTime(beginsAt)}`;
  if (state !== "paused") return state;
  const why = pauseReason === null ? "" : `, by itself: ${pauseReason}`;
  return begunAt === null ? `paused before it began${why}` : `paused${why}`;
}

/** What became of the rows so far, in words: `120 accepted, 3 refused, 877 to go`. */
function countWords({ counts, begunAt }: SendListing): string {
  if (begunAt === null) return "nobody yet";
  const open = openRows(counts);
  const named = (["accepted", "deferred", "refused", "withdrawn"] as const)
    .filter((state) => state === "accepted" || counts[state] > 0)
    .map((state) => `${number(counts[state])} ${state === "deferred" ? "put off" : state}`);
  return [...named, ...(open > 0 ? [`${number(open)} to go`] : [])].join(", ");
}

/** `40 s`, `12 min`, `3 h 20 min`: how long so many mails take at a rate. */
export function duration(mails: number, mailsPerSecond: number): string {
  const seconds = Math.ceil(mails / mailsPerSecond);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** After this long without a beginning, most likely the site isn't running. */
const unbegunMs = 10_000;

/**
 * Shows a send's progress on standard error until it has ended or is paused. It only looks: the server sends, and goes on
 * when this ends.
 */
export async function watchSend(
  { io, now }: CommandContext,
  { db }: OpenStore,
  id: number,
): Promise<SendListing> {
  const progress = startProgress(io.stderr, `Send ${id}`);
  const startedAt = now().getTime();
  let first: { at: number; settled: number } | null = null;
  for (;;) {
    const found = await findSend(db, id);
    if (!found.ok) throw new Error(`Send ${id} is gone.`);
    const { send } = found;
    const isUnbegun = send.begunAt === null && now().getTime() - startedAt > unbegunMs;
    if ((send.state !== "sending" && send.state !== "waiting") || isUnbegun) {
      progress.end();
      return send;
    }
    if (send.begunAt !== null) {
      const all = Object.values(send.counts).reduce((sum, count) => sum + count, 0);
      const settled = all - openRows(send.counts);
      first ??= { at: now().getTime(), settled };
      const rate = ((settled - first.settled) * 1000) / Math.max(1, now().getTime() - first.at);
      const pace =
        rate > 0 ? `, ${rate.toFixed(1)} a second, ${duration(all - settled, rate)} left` : "";
      progress.step(settled, all, `: ${countWords(send)}${pace}`);
    }
    await delay(500);
  }
}

export function endWords(send: SendListing): string {
  if (send.begunAt === null && send.state === "waiting") {
    return `Send ${send.id} is queued and has not begun: it begins when the site runs (npm start).`;
  }
  return `Send ${send.id} is ${stateWords(send)}: ${countWords(send)}.`;
}
