import { Option } from "commander";
import {
  countOutbox,
  listOutbox,
  type OutboxState,
  retryDelivery,
  retryFailedDeliveries,
} from "#mail/outbox-list.ts";
import type { CommandContext } from "./command-context.ts";
import { CommandError } from "./command-error.ts";
import { parseIds, parseLimit } from "./option-values.ts";
import {
  type CommandResult,
  commandGroup,
  type Run,
  siteCommand,
  tryEach,
} from "./site-command.ts";
import { printableLine, torontoTime } from "./terminal.ts";

export function outboxCommands(run: Run) {
  return commandGroup("outbox", "Emails and webhook calls, sent and still to send", [
    listOutboxCommand(run),
    retryOutboxCommand(run),
  ]);
}

const defaultRows = 30;

type ListOptions = { failed?: boolean; waiting?: boolean; delivered?: boolean; limit: number };

function listOutboxCommand(run: Run) {
  return siteCommand("list", {
    summary: "List emails and webhook calls, newest first",
    details:
      "Waiting ones are tried again by the running site with growing pauses; failed ones\nare left after the last attempt, for you to retry.",
    examples: [
      ["outbox list", `List the latest ${defaultRows}`],
      ["outbox list --failed", "List what could not be delivered, with the reason"],
    ],
  })
    .addOption(new Option("--failed", "only failed ones").conflicts(["waiting", "delivered"]))
    .addOption(new Option("--waiting", "only waiting ones").conflicts("delivered"))
    .option("--delivered", "only delivered ones")
    .option("--limit <n>", "show at most this many", parseLimit, defaultRows)
    .action(
      run((context, options: ListOptions) =>
        context.withStore(async ({ db }) => {
          const states: OutboxState[] = ["failed", "waiting", "delivered"];
          const state = states.find((name) => options[name]);
          const deliveries = await listOutbox(db, { state, limit: options.limit });
          const counts = await countOutbox(db);
          const table = context.table(
            [
              { title: "Id", value: ({ id }) => String(id), align: "right" },
              { title: "Kind", value: ({ kind }) => kind },
              { title: "State", value: (delivery) => delivery.state },
              { title: "Tries", value: ({ attempts }) => String(attempts), align: "right" },
              { title: "Since", value: ({ createdAt }) => torontoTime(createdAt) },
              {
                title: "Next try",
                value: (d) => (d.state === "waiting" ? torontoTime(d.nextAttemptAt) : ""),
              },
            ],
            deliveries,
            state ? `Nothing is ${state}.` : "The outbox is empty: nothing has been sent yet.",
          );
          const sums = `${counts.waiting} waiting, ${counts.failed} failed, ${counts.delivered} delivered.`;
          const errors = deliveries
            .filter(({ lastError, state }) => lastError !== null && state !== "delivered")
            .map(({ id, lastError }) => `  ${id}: ${printableLine(lastError ?? "")}`);
          if (errors.length > 0) errors.unshift("", "Last errors:");
          const hint =
            counts.failed > 0 ? " To try failed ones again: outbox retry --all-failed" : "";
          return {
            json: { counts, deliveries },
            text: [table, ...errors, "", `${sums}${hint}`].join("\n"),
          };
        }),
      ),
    );
}

function retryOutboxCommand(run: Run) {
  return siteCommand("retry", {
    summary: "Try failed or waiting deliveries again, from now",
    details:
      "The running site takes them up within a second, with all their attempts before them.\nIf the site is stopped, they go out when it starts.",
    examples: [
      ["outbox retry 12 15", "Try two again, by the ids that the list shows"],
      ["outbox retry --all-failed", "Try all failed ones again"],
    ],
  })
    .argument("[ids...]", "ids, as the list shows them", parseIds)
    .option("--all-failed", "every failed one")
    .action(run(retry));
}

const refusals = {
  unknown_delivery: "there is no such delivery",
  already_delivered: "it has been delivered already",
};

async function retry(
  context: CommandContext,
  ids: number[] = [],
  options: { allFailed?: boolean },
): Promise<CommandResult> {
  if (ids.length > 0 === (options.allFailed === true)) {
    throw new CommandError('Give either ids or --all-failed. "outbox list --failed" shows them.');
  }
  return await context.withStore(async (store) => {
    const now = context.now();
    if (options.allFailed) {
      const retried = await retryFailedDeliveries(store.db, { now });
      const text = retried === 0 ? "Nothing has failed." : `Trying again: ${retried}.`;
      return { json: { retried }, text };
    }
    const { done, refused, text } = await tryEach(ids, async (id) => {
      const result = await retryDelivery(store.db, { id, now });
      return result.ok ? null : refusals[result.reason];
    });
    const retried = done.length;
    const lines = retried > 0 ? [`Trying again: ${retried}.`, ...text] : text;
    const exitCode = refused.length > 0 ? 1 : 0;
    return { json: { retried, refused }, text: lines.join("\n"), exitCode };
  });
}
