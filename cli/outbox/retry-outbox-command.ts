import { retryDelivery, retryFailedDeliveries } from "#mail/outbox-list.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import type { CommandResult } from "../command-result.ts";
import { parseIds } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";

export function retryOutboxCommand(run: Run) {
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
    const refused: { id: number; reason: string }[] = [];
    for (const id of ids) {
      const result = await retryDelivery(store.db, { id, now });
      if (!result.ok) refused.push({ id, reason: refusals[result.reason] });
    }
    const retried = ids.length - refused.length;
    const text = [
      ...(retried > 0 ? [`Trying again: ${retried}.`] : []),
      ...refused.map(({ id, reason }) => `Not ${id}: ${reason}.`),
    ].join("\n");
    return { json: { retried, refused }, text, exitCode: refused.length > 0 ? 1 : 0 };
  });
}
