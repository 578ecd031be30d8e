import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Command, Option } from "commander";
import { html, raw } from "hono/html";
import { amount, formatBytes } from "#content/amounts.ts";
import { formatLongDate, torontoDate, torontoTime } from "#content/toronto-time.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { type FoundIssue, fingerprintOf, nextIssue } from "#newsletter/issues.ts";
import type { Picture } from "#newsletter/pictures.ts";
import {
  type Origin,
  type ReadIssue,
  readIssueText,
  type TextProblem,
} from "#newsletter/read-issue-text.ts";
import { countAudience } from "#newsletter/sends/sends.ts";
import type { Problem } from "#newsletter/text-files.ts";
import { correctIssue, publishIssue } from "#operator/issues.ts";
import { describeTextProblem } from "#operator/plan-words.ts";
import { planText } from "#operator/plans.ts";
import { withSiteWords } from "#operator/site-words.ts";
import { siteSettings } from "#settings/settings.ts";
import {
  type CommandContext,
  CommandError,
  confirmOrEnd,
  type Field,
  failure,
  findIssueOrEnd,
  formatFields,
  issueName,
  parseId,
  parseMoment,
  planRefusal,
  problemsError,
  type Run,
  siteCommand,
} from "../command.ts";
import { readTextFile, writeNewFile } from "../files.ts";
import { openPicturesBeside } from "./pictures-beside.ts";

type FileOptions = { title?: string; date?: string; format?: "html" | "markdown" };

const details =
  "FILE is HTML or Markdown. Title, date and preheader come from the front matter between two lines ---, else the title " +
  "from the <title> element or the first heading, and the date from today. Pictures beside FILE that it names by a " +
  "relative address are stored with the issue: PNG, JPEG, GIF and WebP.";

export function issueFileCommands(run: Run) {
  const previewing = siteCommand(
    "preview",
    "Write an issue's page, mail and plain text into files, before it is published",
    `They are NAME.preview-page.html, NAME.preview-mail.html and NAME.preview-mail.txt; each preview replaces the one before. ${details}`,
  );
  const publishing = siteCommand(
    "publish",
    "Publish an issue from an HTML or Markdown file",
    `With --at the running site publishes it then, dated that day; plans list shows it. ${details}`,
  );
  const updating = siteCommand(
    "update",
    "Replace a published issue's title, date and body by a file's",
    `Its id, number and address stay, and so do the links in mails that went out. A title or date that FILE doesn't say stays. ${details}`,
  ).argument("<id>", "the issue's id", parseId);
  return {
    preview: withFileOptions(previewing)
      .option("-o, --output <folder>", "the folder to write into", ".")
      .action(run(preview)),
    publish: withFileOptions(publishing)
      .option("--at <time>", 'when, "YYYY-MM-DD HH:MM" in Toronto', parseMoment)
      .option("--send", "with --at: mail it to the confirmed subscribers too")
      .option("--dry-run", "check the file and say what would be published, without publishing")
      .option("-y, --yes", "with --send: don't ask")
      .action(run(publish)),
    update: withFileOptions(updating).option("-y, --yes", "don't ask").action(run(update)),
  };
}

function withFileOptions(command: Command): Command {
  return command
    .argument("<file>", "an .html, .htm, .md or .markdown file, or - for standard input")
    .option("--title <title>", "the issue's title")
    .option("--date <date>", "the issue's date, YYYY-MM-DD")
    .addOption(
      new Option("--format <format>", "what the file holds, when its name doesn't say").choices([
        "html",
        "markdown",
      ]),
    );
}

type PublishOptions = FileOptions & { at?: Date } & Partial<
    Record<"send" | "dryRun" | "yes", boolean>
  >;

async function publish(context: CommandContext, path: string, options: PublishOptions) {
  const issue = await readIssueFile(context, path, options);
  if (options.send && !options.at) throw new CommandError("--send goes with --at.");
  const { at } = options;
  const { publishDate } = issue.words;
  if (at) issue.words.publishDate = torontoDate(at);
  else if (publishDate > torontoDate(context.now())) {
    throw new CommandError(
      `Its date, ${publishDate}, lies ahead. Say the hour with --at "${publishDate} 07:00", or change the date.`,
    );
  }
  if (options.dryRun) {
    const checked = await checkMail(context, issue, { id: 1, number: 1 });
    const when: Field = ["Planned", at && `for ${torontoTime(at)} in Toronto`];
    return {
      json: { dryRun: true, ...checked.json },
      text: `Nothing was published (--dry-run). It would be:\n\n${formatFields([...checked.fields, when])}`,
    };
  }
  return at ? await planFile(context, issue, at, options) : await publishNow(context, issue, path);
}

async function publishNow(context: CommandContext, issue: IssueFile, path: string) {
  const { db } = await context.store();
  const { words, pictures } = issue;
  const { id, number, sameTitle } = await publishIssue(db, {
    words,
    pictures: [...pictures.values()],
    now: context.now(),
  });
  const shown = number === id ? "" : `, which is #${number} on the site`;
  const address = `${context.siteUrl()}/newsletter/${id}`;
  const checked = await checkMail(context, issue, { id, number });
  const twice = `issue ${sameTitle} has the same title. If this is a correction: issues remove ${id}, issues update ${sameTitle} ${path}`;
  return {
    json: { id, number, address, sameTitle, ...checked.json },
    text: [
      `Published as issue ${id}${shown}.`,
      "",
      formatFields([
        ["Address", address],
        ...checked.fields,
        ["Note", sameTitle !== null && twice],
      ]),
    ].join("\n"),
  };
}

/** Stores the file as a draft, which the running site publishes at its hour. */
async function planFile(
  context: CommandContext,
  issue: IssueFile,
  at: Date,
  options: PublishOptions,
) {
  const { db, config } = await context.store();
  const hour = `at ${torontoTime(at)}`;
  if (options.send) {
    const { confirmed } = await countAudience(db, 0);
    const whom = amount(confirmed, "subscriber");
    const question = `Publish "${issue.words.title}" ${hour} and send it to ${whom}?`;
    await confirmOrEnd(context, options, question);
  }
  const planned = await planText(
    { db, config, now: context.now() },
    {
      words: issue.words,
      pictures: [...issue.pictures.values()],
      at,
      audience: options.send ? "all" : null,
    },
  );
  if (!planned.ok) throw planRefusal(planned);
  const checked = await checkMail(context, issue, await nextIssue(db));
  const sent = options.send ? ", and sends it" : "";
  return {
    json: {
      plan: planned.planId,
      draft: planned.draftId,
      at: at.toISOString(),
      sends: options.send === true,
      ...checked.json,
    },
    text: [
      `Planned as plan ${planned.planId}: the running site publishes it ${hour}${sent}. Until then its text can be changed at the desk.`,
      "",
      formatFields(checked.fields),
    ].join("\n"),
  };
}

async function update(
  context: CommandContext,
  id: number,
  path: string,
  options: FileOptions & { yes?: boolean },
) {
  const { db } = await context.store();
  const before = await findIssueOrEnd(db, id);
  const issue = await readIssueFile(context, path, options, before);
  const checked = await checkMail(context, issue, before);
  const isAhead = issue.words.publishDate > torontoDate(context.now());
  const ahead: Field = ["Note", isAhead && "the date is in the future; the issue shows at once."];
  await confirmOrEnd(context, options, `Replace issue ${issueName(before)}?`);
  const preheader = issue.words.preheader ?? before.preheader;
  const corrected = await correctIssue(db, {
    id,
    from: fingerprintOf(before),
    words: { ...issue.words, preheader },
    pictures: [...issue.pictures.values()],
    now: context.now(),
  });
  if (!corrected.ok) throw failure(`Issue ${id} was changed meanwhile. Look at it, and try again.`);
  const address = `${context.siteUrl()}/newsletter/${id}`;
  return {
    json: { id, number: before.number, address, ...checked.json },
    text: `Changed issue ${id}.\n\n${formatFields([["Address", address], ...checked.fields, ahead])}`,
  };
}

async function preview(
  context: CommandContext,
  path: string,
  options: FileOptions & { output: string },
) {
  const issue = await readIssueFile(context, path, options);
  const name = path === "-" ? "issue" : basename(path).replace(/\.[^.]+$/, "");
  const folder = context.resolvePath(options.output);
  const place = (ending: string) => join(folder, `${name}.preview-${ending}`);
  const { db, config } = await context.store();
  const next = await nextIssue(db);
  const site = await withSiteWords(db, siteSettings(config));
  const { mail, ...checked } = await checkMail(context, issue, next, site);
  const contents = {
    "page.html": withPictures(await previewPage(issue.words), issue.pictures, ""),
    "mail.html": withPictures(mail.html, issue.pictures, site.url),
    "mail.txt": mail.text,
  };
  const files = [];
  for (const [ending, content] of Object.entries(contents)) {
    files.push(place(ending));
    await writeNewFile(place(ending), [content], { force: true });
  }
  return {
    json: { files, bytes: mail.bytes, ...checked.json },
    text: [
      "Wrote:",
      ...files.map((file) => `  ${file}`),
      "",
      formatFields([
        ...checked.fields,
        ["Size", `${formatBytes(mail.bytes)} of HTML; Gmail shows ${formatBytes(102 * 1024)}`],
        ["Beside it", mail.preheader],
      ]),
    ].join("\n"),
  };
}

/** The text in the site's type, at the width of a sheet and without the frame of a page. */
async function previewPage({ title, publishDate, html: body }: ReadIssue["words"]) {
  const folder = join(import.meta.dirname, "../../app/styles");
  const sheets = ["tokens", "base", "issue-body"].map((name) =>
    readFile(join(folder, `${name}.css`), "utf8"),
  );
  const day = new Date(`${publishDate}T12:00:00Z`);
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw((await Promise.all(sheets)).join("\n"))}
main { max-width: 42rem; margin: 2rem auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<p>${formatLongDate(day)}</p>
<h1>${title}</h1>
<div class="issue-body">${raw(prepareIssueBody(body).html)}</div>
</main>
</body>
</html>
`);
}

/** The site doesn't have the pictures yet, so a preview contains them. */
function withPictures(text: string, pictures: Map<string, Picture>, siteUrl: string): string {
  let shown = text;
  for (const [path, { bytes, type }] of pictures) {
    const data = `data:${type};base64,${bytes.toString("base64")}`;
    shown = shown.replaceAll(`"${siteUrl}${path}"`, `"${data}"`);
  }
  return shown;
}

type IssueFile = ReadIssue & { pictures: Map<string, Picture> };

/** Reads an issue's file with the pictures beside it; ends the command with every mistake in it. */
async function readIssueFile(
  context: CommandContext,
  path: string,
  { title, date, ...options }: FileOptions,
  before?: FoundIssue,
): Promise<IssueFile> {
  const format = options.format ?? formatByName(path);
  const { name, text } = await readTextFile(context, path, { maxBytes: 4_000_000 });
  const beside = openPicturesBeside(path === "-" ? null : context.resolvePath(path));
  const { addressOf, pictures, faults } = beside;
  const source = { text, format, title, date, now: context.now(), otherwise: before, addressOf };
  const read = readIssueText(source);
  const problems = [
    ...(read.ok ? [] : read.problems.map((problem) => describeProblem(problem, name))),
    ...[...faults].map((message) => ({ file: name, line: null, message })),
  ];
  if (!read.ok || problems.length > 0) {
    throw problemsError(problems, `The issue was not ${before ? "changed" : "published"}:`);
  }
  return { ...read.issue, pictures };
}

function describeProblem(problem: TextProblem, file: string): Problem {
  const message =
    problem.reason === "no_title"
      ? "has no title. Give one with --title, or title: in the front matter."
      : describeTextProblem(problem);
  if (!("from" in problem)) return { file, line: "line" in problem ? problem.line : null, message };
  // Options have no place in a file.
  if (problem.from.of !== "given") return { file, line: problem.from.line, message };
  return { file: null, line: null, message: message.replace(/^(?=date)/, "--") };
}

const originNames: Record<Origin["of"], string> = {
  given: "",
  front_matter: "the front matter",
  title_element: "the title element",
  first_heading: "the first heading",
  issue: "before",
};

/** `--title`; `the front matter, line 2`. */
function originName({ of, line }: Origin, option: string): string {
  if (of === "given") return option;
  return originNames[of] + (line === null ? "" : `, line ${line}`);
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

/** The issue as a mail, and what the operator should know of its file, its page and its mail. */
async function checkMail(
  context: CommandContext,
  issue: IssueFile,
  place: { id: number; number: number },
  site = siteSettings(context.readSettings().config),
) {
  // Loaded here, because the style inliner takes longer to load than most commands run.
  const { composeIssueMail } = await import("#mail/issue-mail/compose-issue-mail.ts");
  const mail = composeIssueMail({
    issue: { ...place, ...issue.words },
    site,
    tokenPlaceholder: "test",
    preheader: issue.words.preheader,
    now: context.now(),
  });
  const { title, publishDate } = issue.words;
  const { droppedHeading, unusedNames, removed, pictures } = issue;
  const titleFrom = originName(issue.titleFrom, "--title");
  const dateFrom = issue.dateFrom && originName(issue.dateFrom, "--date");
  const { notes } = mail;
  const sizes = [...pictures.values()].map(({ bytes }) => bytes.length);
  const [firstRemoved, ...moreRemoved] = removed.map(({ what, count }) => `${count} × ${what}`);
  const fields: Field[] = [
    ["Title", `${title}  (from ${titleFrom})`],
    ["Date", `${publishDate}  (${dateFrom ? `from ${dateFrom}` : "today in Toronto"})`],
    [
      "Heading",
      droppedHeading && "left out, since it says the title again and the page shows that",
    ],
    ["Unused", unusedNames.length > 0 && `front matter: ${unusedNames.join(", ")}`],
    [
      "Pictures",
      sizes.length > 0 && `${sizes.length}, ${formatBytes(sizes.reduce((a, b) => a + b))}`,
    ],
    ["Left out", firstRemoved ?? "nothing: the page shows all of the body"],
    ...moreRemoved.map((line): Field => ["", line]),
    ...notes.map((words, index): Field => [index === 0 ? "In mail" : "", words]),
  ];
  return {
    mail,
    fields,
    json: {
      title,
      publishDate,
      titleFrom,
      dateFrom,
      droppedHeading,
      unusedFrontMatter: unusedNames,
      removed,
      notes,
      pictures: [...pictures.keys()],
    },
  };
}
