import { listIssues } from "#backend/newsletter/list-issues.ts";
import { type Run, siteCommand } from "../site-command.ts";

export function listIssuesCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the issues, newest first",
    details: "# is the number that the site shows: the issue's place counted from the oldest.",
    examples: [
      ["issues list", "List them"],
      ["issues list --json", "List them for a program"],
    ],
  }).action(
    run((context) =>
      context.withStore(async ({ db }) => {
        const issues = await listIssues(db);
        const text = context.table(
          [
            { title: "#", value: (issue) => String(issue.number), align: "right" },
            { title: "Id", value: (issue) => String(issue.id), align: "right" },
            { title: "Date", value: (issue) => issue.publishDate },
            { title: "Title", value: (issue) => issue.title, flexible: true },
          ],
          issues,
          "There are no issues yet. Publish one with: issues publish FILE",
        );
        return { json: { issues }, text };
      }),
    ),
  );
}
