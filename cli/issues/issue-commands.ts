import { listIssues } from "#newsletter/issues.ts";
import { removeIssue } from "#operator/issues.ts";
import {
  type CommandContext,
  commandGroup,
  confirmOrEnd,
  failure,
  findIssueOrEnd,
  formatRows,
  issueName,
  parseId,
  type Run,
  siteCommand,
  withLimit,
} from "../command.ts";
import { sendIssueCommand } from "../sends.ts";
import { importIssuesCommand } from "./import-issues-command.ts";
import { publishCommand, updateCommand } from "./issue-file-commands.ts";

export function issuesCommands(run: Run) {
  const listing = siteCommand(
    "list",
    "List the issues, newest first",
    "Commands take the id, which an issue's address has too. Its number on the site is its place from the oldest.",
  ).option("--before <id>", "show issues that are older than this one", parseId);
  return commandGroup("issues", "The newsletter's issues", [
    publishCommand(run),
    sendIssueCommand(run),
    updateCommand(run),
    withLimit(listing, 100).action(run(list)),
    importIssuesCommand(run),
    siteCommand(
      "remove",
      "Remove an issue for good",
      "Later issues move down by one number; their ids and addresses stay. The id is not used again.",
    )
      .argument("<id>", "the issue's id", parseId)
      .option("-y, --yes", "don't ask")
      .action(run(remove)),
  ]);
}

async function list(
  context: CommandContext,
  { limit, before }: { limit: number; before?: number },
) {
  const { db } = await context.store();
  const issues = await listIssues(db, { limit, before });
  const rows = issues.map(({ id, number, publishDate, title }) => ({
    Id: id,
    "On the site": `#${number}`,
    Date: publishDate,
    Title: title,
  }));
  const table = formatRows(rows, "There are no issues. Publish one with: issues publish FILE");
  const oldest = issues.at(-1);
  const isMore = issues.length === limit && oldest !== undefined && oldest.number > 1;
  const more = isMore ? `\n\nOlder ones: issues list --before ${oldest.id}` : "";
  return { json: { issues }, text: table + more };
}

async function remove(context: CommandContext, id: number, options: { yes?: boolean }) {
  const { db } = await context.store();
  const issue = await findIssueOrEnd(db, id);
  const { title, publishDate } = issue;
  await confirmOrEnd(context, options, `Remove issue ${issueName(issue)}?`);
  const removed = await removeIssue(db, { id, now: context.now() });
  if (!removed.ok) {
    throw failure(
      removed.reason === "unknown_issue"
        ? `Issue ${id} was removed by somebody else meanwhile.`
        : `Issue ${id} was not removed: send ${removed.sendId} of it has begun and has not ended. Cancel it at the desk first.`,
    );
  }
  const { cancelledSend } = removed;
  return {
    json: { removed: { id, title, publishDate }, cancelledSend },
    text: [
      `Removed issue ${id}, ${publishDate}. Its address now answers "not found".`,
      ...(cancelledSend === null
        ? []
        : [`Send ${cancelledSend} of it, which had not begun, is cancelled.`]),
    ].join("\n"),
  };
}
