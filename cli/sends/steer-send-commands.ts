import {
  cancelSend,
  pauseSend,
  resumeSend,
  type SteerResult,
} from "#newsletter/sends/steer-send.ts";
import { number } from "../amount.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { parseId } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { confirmOrEnd } from "../terminal/confirm.ts";
import { findSendOrEnd } from "./find-send-or-end.ts";
import { countWords } from "./send-words.ts";

export function pauseSendCommand(run: Run) {
  return siteCommand("pause", {
    summary: "Stop a send until it is resumed",
    examples: [["sends pause 2", "Hand nothing more over"]],
  })
    .argument("<id>", "the send's id", parseId)
    .action(
      run((context, id: number) =>
        steer(context, id, "paused", async (db) => await pauseSend(db, { id })),
      ),
    );
}

export function resumeSendCommand(run: Run) {
  return siteCommand("resume", {
    summary: "Go on with a paused send, where it stopped",
    examples: [["sends resume 2", "Go on with the readers who are left"]],
  })
    .argument("<id>", "the send's id", parseId)
    .action(
      run((context, id: number) =>
        steer(context, id, "resumed", async (db) => await resumeSend(db, id)),
      ),
    );
}

export function cancelSendCommand(run: Run) {
  return siteCommand("cancel", {
    summary: "End a send for good: whoever has not been mailed doesn't get the issue",
    examples: [["sends cancel 2", "End it, after a question"]],
  })
    .argument("<id>", "the send's id", parseId)
    .option("-y, --yes", "don't ask")
    .action(
      run(async (context, id: number, options: { yes?: boolean }) => {
        await confirmOrEnd(
          context,
          options,
          `End send ${id}? It can't be resumed; pausing it can.`,
        );
        return await steer(context, id, "cancelled", async (db) =>
          cancelSend(db, { id, now: context.now() }),
        );
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
      throw new CommandError(`Send ${id} is ${result.state}, so it can't be ${done}.`, {
        exitCode: 1,
      });
    }
    const send = await findSendOrEnd(store, id);
    const withdrawn =
      result.ok && result.withdrawn > 0
        ? ` ${number(result.withdrawn)} readers are not mailed.`
        : "";
    return {
      json: { send },
      text: `Send ${id} is ${done}: ${countWords(send)}.${withdrawn}`,
    };
  });
}
