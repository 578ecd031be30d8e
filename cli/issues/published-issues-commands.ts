import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import {
  type FoundIssue,
  findIssue,
  type ListedIssue,
  listIssues,
  removeIssue,
} from "#newsletter/issues.ts";
import type { OpenStore } from "#server/open-store.ts";
import { CommandError } from "../command-error.ts";
import { parseId, parseLimit } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { confirmOrEnd, formatFields, printableText } from "../terminal.ts";

const defaultRows = 100;

export function listIssuesCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the issues, newest first",
    details:
      "Commands take the id, which an issue's address has too. On the site says which number it shows there: its place counted from the oldest, so after a removal it is less than the id.",
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
              { title: "Id", value: (issue) => String(issue.id), align: "right" },
              { title: "On the site", value: (issue) => `#${issue.number}`, align: "right" },
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

/** Lines of the issue's words that are shown without `--body`. */
const excerptLines = 8;

export function showIssueCommand(run: Run) {
  return siteCommand("show", {
    summary: "Show one issue",
    details:
      "ID is the issue's id, as the list and the issue's address have it; not the number on the site.",
    examples: [
      ["issues show 3", "Show title, date, address and the first lines"],
      ["issues show 3 --body > issue-3.html", "Save the stored HTML (with npm run -s)"],
    ],
  })
    .argument("<id>", "the issue's id", parseId)
    .option("--body", "print the HTML as it is stored, and nothing else")
    .action(
      run((context, id: number, options: { body?: boolean }) =>
        context.withStore(async (store) => {
          const issue = await findIssueOrEnd(store, id);
          const address = `${context.siteUrl()}/newsletter/${id}`;
          const { removed, plainText } = prepareIssueBody(issue.html);
          if (options.body && !context.json) {
            // A terminal gets no byte that it would obey.
            const safe = context.io.stdout.isTTY ? printableText(issue.html) : issue.html;
            return { json: null, text: safe };
          }
          const { html, ...about } = issue;
          const json = { ...about, address, removed, ...(options.body ? { html } : {}) };
          const lines = printableText(plainText).split("\n").slice(0, excerptLines);
          const fields = formatFields([
            ["Issue", issueName(issue)],
            ["Date", issue.publishDate],
            ["Address", address],
            ["Stored", `${html.length.toLocaleString("en-CA")} characters of HTML`],
            ["Left out", removed.map(({ what, count }) => `${count} × ${what}`).join("; ")],
          ]);
          return { json, text: [fields, "", ...lines].join("\n") };
        }),
      ),
    );
}

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
          const issue = await findIssueOrEnd(store, id);
          const { title, publishDate } = issue;
          await confirmOrEnd(context, options, `Remove issue ${issueName(issue)}?`);
          const removed = await removeIssue(store.db, id);
          return {
            json: { removed: removed ? { id, title, publishDate } : null },
            text: removed
              ? `Removed issue ${id}, ${publishDate}. Its address now answers "not found".`
              : `Issue ${id} was removed by somebody else meanwhile.`,
          };
        }),
      ),
    );
}

/** `6, "Quotes before lunch"`, and the number on the site where that is another one. */
export function issueName({ id, number, title }: Omit<ListedIssue, "publishDate">): string {
  return `${id}, "${title}"${number === id ? "" : `, which is #${number} on the site`}`;
}

/** The issue with an id; ends the command where there is none. */
export async function findIssueOrEnd({ db }: OpenStore, id: number): Promise<FoundIssue> {
  const found = await findIssue(db, id);
  if (found) return found;
  throw new CommandError(`There is no issue with id ${id}. "issues list" shows those there are.`, {
    exitCode: 1,
  });
}
