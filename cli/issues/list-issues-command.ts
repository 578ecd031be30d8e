import { listIssues } from "#newsletter/find-issues.ts";
import { parseId, parseLimit } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";

const defaultRows = 100;

export function listIssuesCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the issues, newest first",
    details: "# is the number that the site shows: the issue's place counted from the oldest.",
    examples: [
      ["issues list", "List the newest"],
      ["issues list --before 120 --limit 50", "List fifty that are older than issue 120"],
      ["issues list --json", "List them for a program"],
    ],
  })
    .option("--limit <n>", "show at most this many", parseLimit, defaultRows)
    .option("--before <id>", "show issues that are older than this one", parseId)
    .action(
      run((context, { limit, before }: { limit: number; before?: number }) =>
        context.withStore(async ({ db }) => {
          const issues = await listIssues(db, { limit, before });
          const table = context.table(
            [
              { title: "#", value: (issue) => String(issue.number), align: "right" },
              { title: "Id", value: (issue) => String(issue.id), align: "right" },
              { title: "Date", value: (issue) => issue.publishDate },
              { title: "Title", value: (issue) => issue.title, flexible: true },
            ],
            issues,
            "There are no issues yet. Publish one with: issues publish FILE",
          );
          const oldest = issues.at(-1);
          const isMore = issues.length === limit && oldest !== undefined && oldest.number > 1;
          const more = isMore ? `\n\nOlder ones: issues list --before ${oldest.id}` : "";
          return { json: { issues }, text: table + more };
        }),
      ),
    );
}
