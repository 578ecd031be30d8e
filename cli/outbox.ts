import { Option } from "commander";
import { torontoTime } from "#content/toronto-time.ts";
import { printableLine } from "#contracts/text.ts";
import {
  countOutbox,
  listOutbox,
  type OutboxState,
  retryDelivery,
  retryFailedDeliveries,
} from "#mail/outbox-list.ts";
import {
  type CommandContext,
  CommandError,
  commandGroup,
  formatRows,
  parseIds,
  type Run,
  siteCommand,
  tryEach,
  withLimit,
} from "./command.ts";

export function outboxCommands(run: Run) {
  const listCommand = siteCommand(
    "list",
    "List emails and webhook calls, newest first",
    "The running site tries waiting ones again with growing pauses; failed ones are left for you to retry.",
  )
    .addOption(new Option("--failed", "only failed ones").conflicts(["waiting", "delivered"]))
    .addOption(new Option("--waiting", "only waiting ones").conflicts("delivered"))
    .option("--delivered", "only delivered ones");
  return commandGroup("outbox", "Emails and webhook calls, sent and still to send", [
    withLimit(listCommand, 30).action(run(list)),
    siteCommand("retry", "Try failed or waiting deliveries again, from now")
      .argument("[ids...]", "ids, as the list shows them", parseIds)
      .option("--all-failed", "every failed one")
      .action(run(retry)),
  ]);
}

const states: OutboxState[] = ["failed", "waiting", "delivered"];

async function list(
  context: CommandContext,
  options: Partial<Record<OutboxState, boolean>> & { limit: number },
) {
  const { db } = await context.store();
  const state = states.find((name) => options[name]);
  const deliveries = await listOutbox(db, { state, limit: options.limit });
  const counts = await countOutbox(db);
  const rows = deliveries.map((delivery) => ({
    Id: delivery.id,
    Kind: delivery.kind,
    State: delivery.state,
    Tries: delivery.attempts,
    Since: torontoTime(delivery.createdAt),
    "Next try": delivery.state === "waiting" ? torontoTime(delivery.nextAttemptAt) : "",
  }));
  const errors = deliveries
    .filter(({ lastError, state }) => lastError !== null && state !== "delivered")
    .map(({ id, lastError }) => `Last error of ${id}: ${printableLine(lastError ?? "")}`);
  const hint = counts.failed > 0 ? " To try failed ones again: outbox retry --all-failed" : "";
  return {
    json: { counts, deliveries },
    text: [
      formatRows(rows, state ? `Nothing is ${state}.` : "The outbox is empty."),
      ...errors,
      `${counts.waiting} waiting, ${counts.failed} failed, ${counts.delivered} delivered.${hint}`,
    ].join("\n"),
  };
}

const refusals = {
  unknown_delivery: "there is no such delivery",
  already_delivered: "it has been delivered already",
};

async function retry(
  context: CommandContext,
  ids: number[] = [],
  options: { allFailed?: boolean },
) {
  if (ids.length > 0 === (options.allFailed === true)) {
    throw new CommandError('Give either ids or --all-failed. "outbox list --failed" shows them.');
  }
  const { db } = await context.store();
  const now = context.now();
  if (options.allFailed) {
    const retried = await retryFailedDeliveries(db, { now });
    const text = retried === 0 ? "Nothing has failed." : `Trying again: ${retried}.`;
    return { json: { retried }, text };
  }
  const { done, refused, lines, failed } = await tryEach("id", ids, async (id) => {
    const result = await retryDelivery(db, { id, now });
    return result.ok ? null : refusals[result.reason];
  });
  const retried = done.length;
  const text = [...(retried > 0 ? [`Trying again: ${retried}.`] : []), ...lines].join("\n");
  return { json: { retried, refused }, text, failed };
}
