import { releaseMessage } from "#contact/messages.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandResult } from "../command-result.ts";
import { parseIds } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";

export function releaseMessagesCommand(run: Run) {
  return siteCommand("release", {
    summary: "Let held messages go: mail them as if they had just come in",
    details: `A message that looks like a program's is held: kept with all its words, and not mailed.
The running site sends what is released within a second; if it is stopped, when it starts.
Held messages that you leave alone are deleted with the others, after the same time.`,
    examples: [
      ["messages list --held", "See what is held, with the ids"],
      ["messages release 12 15", "Release two"],
    ],
  })
    .argument("<ids...>", "ids, as the list shows them", parseIds)
    .action(run(release));
}

const refusals = {
  unknown_message: "there is no such message",
  not_held: "it is not held",
};

async function release(context: CommandContext, ids: number[]): Promise<CommandResult> {
  return await context.withStore(async ({ db }) => {
    const released: number[] = [];
    const refused: { id: number; reason: string }[] = [];
    for (const id of new Set(ids)) {
      const result = await releaseMessage({ db, now: context.now() }, { id });
      if (result.ok) released.push(id);
      else refused.push({ id, reason: refusals[result.reason] });
    }
    const text = [
      ...(released.length > 0 ? [`Released: ${released.join(", ")}.`] : []),
      ...refused.map(({ id, reason }) => `Not ${id}: ${reason}.`),
    ].join("\n");
    return { json: { released, refused }, text, exitCode: refused.length > 0 ? 1 : 0 };
  });
}
