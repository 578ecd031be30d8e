import { number } from "#content/amounts.ts";
import { printableText } from "#contracts/text.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { listIssues } from "#newsletter/issues.ts";
import { removeIssue } from "#operator/issues.ts";
import {
  type CommandContext,
  commandGroup,
  confirmOrEnd,
  failure,
  findIssueOrEnd,
  formatFields,
  formatRows,
  issueName,
  parseId,
  type Run,
  siteCommand,
  withLimit,
} from "../command.ts";
import { sendIssueCommand } from "../sends.ts";
import { importIssuesCommand } from "./import-issues-command.ts";
import { issueFileCommands } from "./issue-file-commands.ts";

export function issuesCommands(run: Run) {
  const listing = siteCommand(
    "list",
    "List the issues, newest first",
    "Commands take the id, which an issue's address has too. Its number on the site is its place from the oldest.",
  ).option("--before <id>", "show issues that are older than this one", parseId);
  const { preview, publish, update } = issueFileCommands(run);
  return commandGroup("issues", "The newsletter's issues", [
    ...[preview, publish, sendIssueCommand(run), update],
    withLimit(listing, 100).action(run(list)),
    siteCommand("show", "Show one issue")
      .argument("<id>", "the issue's id", parseId)
      .option("--body", "print the HTML as it is stored, and nothing else")
      .action(run(show)),
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

async function show(context: CommandContext, id: number, options: { body?: boolean }) {
  const { db } = await context.store();
  const issue = await findIssueOrEnd(db, id);
  const { html, preheader: _, ...about } = issue;
  if (options.body && !context.json) {
    // A terminal gets no byte that it would obey.
    return { json: null, text: context.io.stdout.isTTY ? printableText(html) : html };
  }
  const address = `${context.siteUrl()}/newsletter/${id}`;
  const { removed, plainText } = prepareIssueBody(html);
  const fields = formatFields([
    ["Issue", issueName(issue)],
    ["Date", issue.publishDate],
    ["Address", address],
    ["Stored", `${number(html.length)} characters of HTML`],
    ["Left out", removed.map(({ what, count }) => `${count} × ${what}`).join("; ")],
  ]);
  const firstLines = printableText(plainText).split("\n").slice(0, 8);
  return {
    json: { ...about, address, removed, ...(options.body ? { html } : {}) },
    text: [fields, "", ...firstLines].join("\n"),
  };
}

async function remove(context: CommandContext, id: number, options: { yes?: boolean }) {
  const { db } = await context.store();
  const issue = await findIssueOrEnd(db, id);
  const { title, publishDate } = issue;
  await confirmOrEnd(context, options, `Remove issue ${issueName(issue)}?`);
  const removed = await removeIssue(db, { id, now: context.now() });
  if (!removed.ok && removed.reason === "send_under_way") {
    throw failure(
      `Issue ${id} was not removed: send ${removed.sendId} of it has begun and has not ended. Cancel it first: sends cancel ${removed.sendId}`,
    );
  }
  const cancelled = removed.ok ? removed.cancelledSend : null;
  return {
    json: { removed: removed.ok ? { id, title, publishDate } : null, cancelledSend: cancelled },
    text: [
      removed.ok
        ? `Removed issue ${id}, ${publishDate}. Its address now answers "not found".`
        : `Issue ${id} was removed by somebody else meanwhile.`,
      ...(cancelled === null
        ? []
        : [`Send ${cancelled} of it, which had not begun, is cancelled.`]),
    ].join("\n"),
  };
}
