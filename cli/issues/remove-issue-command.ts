import { removeIssue } from "#newsletter/issues.ts";
import { parseId } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { confirmOrEnd } from "../terminal.ts";
import { findIssueOrEnd } from "./find-issue-or-end.ts";

export function removeIssueCommand(run: Run) {
  return siteCommand("remove", {
    summary: "Remove an issue for good",
    details:
      "Asks first on a terminal. Later issues move down by one number; their ids and\naddresses stay. The id is not used again.",
    examples: [
      ["issues remove 3", "Remove the issue with id 3, after asking"],
      ["issues remove 3 --yes", "Remove it without asking"],
    ],
  })
    .argument("<id>", "the issue's id", parseId)
    .option("-y, --yes", "don't ask")
    .action(
      run((context, id: number, options: { yes?: boolean }) =>
        context.withStore(async (store) => {
          const { title, publishDate } = await findIssueOrEnd(store, id);
          await confirmOrEnd(context, options, `Remove issue ${id}, "${title}"?`);
          const removed = await removeIssue(store.db, id);
          return {
            json: { removed: removed.ok ? { id, title, publishDate } : null },
            text: removed.ok
              ? `Removed issue ${id}, ${publishDate}. Its address now answers "not found".`
              : `Issue ${id} was removed by somebody else meanwhile.`,
          };
        }),
      ),
    );
}
