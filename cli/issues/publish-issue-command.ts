import { Option } from "commander";
import { findIssue, findSameTitle, publishIssue } from "#newsletter/issues.ts";
import { siteSettings } from "#server/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, problemsError } from "../command-error.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { formatFields, torontoDate } from "../terminal.ts";
import { formatBytes, readTextFile } from "../text-files.ts";
import { type Draft, draftIssue } from "./draft-issue.ts";
import { issueFileMaxBytes, issueTitleMaxLength } from "./issue-fields.ts";

type PublishOptions = {
  title?: string;
  date?: string;
  format?: "html" | "markdown";
  dryRun?: boolean;
};

const details = `FILE is HTML (a fragment or a whole document), or Markdown when its name ends in
.md or .markdown; - reads standard input, with --format. The file may begin with
front matter: a line ---, then "title: …", "date: YYYY-MM-DD" and "preheader: …" (the line
that mail programs show beside the subject), then ---; or the same in TOML between +++ lines.
A file that says "draft: true" there is not published.

The title is --title, else the front matter's, else the <title> element, else the
first heading. The date is --date, else the front matter's, else today in Toronto.
A first heading that says the title again is left out, since the page shows the
title above the issue. The HTML is stored as it is; what the page leaves out when
it shows it (scripts, forms, tracking pixels) is listed, and what will not work in a mailbox.

Limits: ${formatBytes(issueFileMaxBytes)} a file, ${issueTitleMaxLength} characters a title.`;

export function publishIssueCommand(run: Run) {
  return siteCommand("publish", {
    summary: "Publish an issue from an HTML or Markdown file",
    details,
    examples: [
      ["issues publish june-14.md", "Publish a Markdown file, with today's date"],
      [
        'issues publish campaign.html --title "Quotes before lunch" --date 2026-11-21',
        "Publish an export of a mail program, with your own title and date",
      ],
      ["issues publish june-14.md --dry-run", "See what would happen, and change nothing"],
      ["issues publish - --format markdown < june-14.md", "Read standard input"],
    ],
  })
    .argument("<file>", "an .html, .htm, .md or .markdown file, or - for standard input")
    .option("--title <title>", "the issue's title")
    .option("--date <date>", "the issue's date, YYYY-MM-DD")
    .addOption(
      new Option("--format <format>", "what the file holds, when its name doesn't say").choices([
        "html",
        "markdown",
      ]),
    )
    .option("--dry-run", "check the file and say what would be published, without publishing")
    .action(run(publish));
}

async function publish(
  context: CommandContext,
  path: string,
  options: PublishOptions,
): Promise<CommandResult> {
  const format = options.format ?? formatByName(path);
  const file = await readTextFile(context, path, { maxBytes: issueFileMaxBytes });
  const { title, date } = options;
  const drafted = draftIssue({ ...file, format, title, date, now: context.now() });
  if (!drafted.ok) throw problemsError(drafted.problems, "The issue was not published:");
  const { draft } = drafted;

  const today = torontoDate(context.now());
  const notes = await notesOnMail(context, draft);
  if (options.dryRun) {
    const text = [
      "Nothing was published (--dry-run). It would be:",
      "",
      describeDraft(draft, { today, notes }),
    ];
    return { json: { dryRun: true, ...draftJson(draft), notes }, text: text.join("\n") };
  }
  return await context.withStore(async (store) => {
    const { id } = await publishIssue(store.db, draft);
    const { number } = (await findIssue(store.db, id)) ?? { number: id };
    const sameTitle = await findSameTitle(store.db, { id, title: draft.title });
    const shown = number === id ? "" : `, which is #${number} on the site`;
    const address = `${context.siteUrl()}/newsletter/${id}`;
    return {
      json: { id, number, address, sameTitle, ...draftJson(draft), notes },
      text: [
        context.style("green", `Published as issue ${id}${shown}.`),
        "",
        describeDraft(draft, { today, notes, published: { id, address, sameTitle } }),
      ].join("\n"),
    };
  });
}

function formatByName(path: string): "html" | "markdown" {
  if (path === "-") {
    throw new CommandError("Standard input needs --format html or --format markdown.");
  }
  if (/\.(md|markdown)$/i.test(path)) return "markdown";
  if (/\.html?$/i.test(path)) return "html";
  throw new CommandError(
    `${path}: the name ends in none of .html, .htm, .md and .markdown; say what it is with --format.`,
  );
}

function draftJson(draft: Draft) {
  return {
    title: draft.title,
    publishDate: draft.publishDate,
    titleFrom: draft.titleFrom,
    dateFrom: draft.dateFrom,
    droppedHeading: draft.droppedHeading,
    unusedFrontMatter: draft.unusedNames,
    removed: draft.removed,
  };
}

type Published = { id: number; address: string; sameTitle: number | null };

/** What will not work in a mailbox. */
async function notesOnMail(context: CommandContext, draft: Draft): Promise<string[]> {
  const { composeIssueMail } = await import("#mail/issue-mail/compose-issue-mail.ts");
  return composeIssueMail({
    issue: { id: 1, number: 1, ...draft },
    site: siteSettings(context.readSettings().config),
    tokenPlaceholder: "test",
    preheader: draft.preheader,
    now: context.now(),
  }).notes;
}

function describeDraft(
  draft: Draft,
  { today, notes, published }: { today: string; notes: string[]; published?: Published },
): string {
  const [firstRemoved, ...removed] = draft.removed.map(({ what, count }) => `${count} × ${what}`);
  const twice = published?.sameTitle
    ? `issue ${published.sameTitle} has the same title. If it's the same issue: issues remove ${published.id}`
    : null;
  return formatFields([
    ["Address", published?.address],
    ["Title", `${draft.title}  (from ${draft.titleFrom})`],
    [
      "Date",
      `${draft.publishDate}  (${draft.dateFrom ? `from ${draft.dateFrom}` : "today in Toronto"})`,
    ],
    [
      "Heading",
      draft.droppedHeading && "left out, since it says the title again and the page shows that",
    ],
    ["Unused", draft.unusedNames.length > 0 && `front matter: ${draft.unusedNames.join(", ")}`],
    ["Left out", firstRemoved ?? "nothing: the page shows all of the body"],
    ...removed.map((line): [string, string] => ["", line]),
    ...notes.map((words, index): [string, string] => [index === 0 ? "In mail" : "", words]),
    ["Note", draft.publishDate > today && "the date is in the future; the issue shows at once."],
    ["Note", twice],
  ]);
}
