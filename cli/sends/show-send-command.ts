import { Option } from "commander";
import type { RowState } from "#db/tables.ts";
import { listSendRows, type SendRowListing } from "#newsletter/sends/find-send.ts";
import { rowStates } from "#newsletter/sends/send-states.ts";
import type { OpenStore } from "#server/open-store.ts";
import { number } from "../amount.ts";
import { parseId } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { formatFields } from "../terminal/field-list.ts";
import { torontoTime } from "../terminal/toronto-time.ts";
import { findSendOrEnd } from "./find-send-or-end.ts";
import { stateWords } from "./send-words.ts";
import { endWords, watchSend } from "./watch-send.ts";

const pageRows = 500;

type ShowOptions = { rows?: boolean; state?: RowState; watch?: boolean };

export function showSendCommand(run: Run) {
  return siteCommand("show", {
    summary: "Show one send, and what became of it for each reader",
    details: `accepted: the mail server took it. deferred: put off, and tried again. refused: it won't be
taken. withdrawn: the reader left, bounced or was erased before their turn, or the send was
cancelled. handed_over: with the mail server at this moment.`,
    examples: [
      ["sends show 2", "How many of each"],
      ["sends show 2 --rows --state refused", "Who refused it, and in which words"],
      ["sends show 2 --watch", "Follow it until it ends"],
    ],
  })
    .argument("<id>", "the send's id", parseId)
    .option("--rows", "each reader, with the Message-ID of their mail up to the @")
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
            ["Issue", `${send.issueId}, ${send.title}`],
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
  { title: "Reader", value: ({ email }: SendRowListing) => email ?? "(erased)", flexible: true },
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
