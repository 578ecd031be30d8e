import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { parseId } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { formatFields, printableText } from "../terminal.ts";
import { findIssueOrEnd } from "./find-issue-or-end.ts";

/** Lines of the issue's words that are shown without `--body`. */
const excerptLines = 8;

export function showIssueCommand(run: Run) {
  return siteCommand("show", {
    summary: "Show one issue",
    details: "ID is the issue's id, as the list and the issue's address have it; not its number.",
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
            // A file gets every byte; a terminal gets none that it would obey.
            const safe = context.io.stdout.isTTY ? printableText(issue.html) : issue.html;
            return { json: null, text: safe };
          }
          const { html, ...about } = issue;
          const json = { ...about, address, removed, ...(options.body ? { html } : {}) };
          const lines = printableText(plainText).split("\n").slice(0, excerptLines);
          const fields = formatFields([
            ["Title", issue.title],
            ["Number", `#${issue.number}`],
            ["Id", String(issue.id)],
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
