import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { type Command, Option } from "commander";
import { amount, formatBytes } from "#content/amounts.ts";
import { torontoDate } from "#content/toronto-time.ts";
import { type Picture, pictureMaxBytes, picturePath, readPicture } from "#db/pictures.ts";
import type { Db } from "#db/tables.ts";
import { type AddressPlace, decoded } from "#issue-body/body-tree.ts";
import { removeIssue } from "#newsletter/issues/bin.ts";
import { importIssuesFile } from "#newsletter/issues/import-issues.ts";
import {
  correctIssue,
  type FoundIssue,
  findIssue,
  fingerprintOf,
  listIssues,
  publishIssue,
} from "#newsletter/issues/issues.ts";
import { type ReadIssue, readIssueText } from "#newsletter/issues/read-issue-text.ts";
import { readUtf8 } from "#newsletter/text-files.ts";
import { siteSettings } from "#settings/settings.ts";
import {
  addGroup,
  type CommandContext,
  CommandError,
  type Field,
  failure,
  formatFields,
  formatRows,
  issueName,
  parseId,
  problemsError,
  type Run,
  succeeded,
} from "./command.ts";
import { addSendCommand } from "./sends.ts";

const importMaxBytes = 200_000_000;

const details =
  "FILE is HTML or Markdown. Title, date and preheader come from the front matter between two lines ---, else the title " +
  "from the <title> element or the first heading, and the date from today. Pictures beside FILE that it names by a " +
  "relative address are stored with the issue: PNG, JPEG, GIF and WebP.";

export function addIssuesCommands(program: Command, run: Run): void {
  const add = addGroup(program, "issues", "The newsletter's issues");
  withFileOptions(add("publish", "Publish an issue from an HTML or Markdown file", details)).action(
    run(publish),
  );
  addSendCommand(add, run);
  withFileOptions(
    add(
      "update",
      "Replace a published issue's title, date and body by a file's",
      `Its id, number and address stay, and so do the links in mails that went out. A title or date that FILE doesn't say stays. ${details}`,
    ).argument("<id>", "the issue's id", parseId),
  )
    .option("-y, --yes", "don't ask")
    .action(run(update));
  add(
    "list",
    "List the issues, newest first",
    "Commands take the id, which an issue's address has too. Its number on the site is its place from the oldest.",
  ).action(run(list));
  add(
    "import",
    "Import issues as CSV or JSON",
    "The file holds rows of final_newsletters as a hosted project exports them (id, title, content_markdown, " +
      `publish_date), and goes in whole or not at all. At most ${formatBytes(importMaxBytes)}.`,
  )
    .argument("<file>", "a .csv or .json file, or - for standard input")
    .action(run(importFile));
  add(
    "remove",
    "Remove an issue for good",
    "Later issues move down by one number; their ids and addresses stay. The id is not used again.",
  )
    .argument("<id>", "the issue's id", parseId)
    .option("-y, --yes", "don't ask")
    .action(run(remove));
}

function withFileOptions(command: Command): Command {
  const formats = new Option("--format <format>", "what the file holds, when its name doesn't say");
  return command
    .argument("<file>", "an .html, .htm, .md or .markdown file, or - for standard input")
    .option("--title <title>", "the issue's title")
    .option("--date <date>", "the issue's date, YYYY-MM-DD")
    .addOption(formats.choices(["html", "markdown"]));
}

async function list(context: CommandContext) {
  const { db } = await context.store();
  const issues = await listIssues(db);
  const rows = issues.map(({ id, number, publishDate, title }) => ({
    Id: id,
    "On the site": `#${number}`,
    Date: publishDate,
    Title: title,
  }));
  const whenEmpty = "There are no issues. Publish one with: issues publish FILE";
  return { json: { issues }, text: formatRows(rows, whenEmpty) };
}

async function remove(context: CommandContext, id: number, options: { yes?: boolean }) {
  const { db } = await context.store();
  const issue = await findIssueOrEnd(db, id);
  const { title, publishDate } = issue;
  await context.confirm(`Remove issue ${issueName(issue)}?`, options);
  const { cancelledSend } = succeeded(await removeIssue(db, { id, now: new Date() }));
  const removed = `Removed issue ${id}, ${publishDate}. Its address now answers "not found".`;
  const cancelled = `Send ${cancelledSend} of it, which had not begun, is cancelled.`;
  return {
    json: { removed: { id, title, publishDate }, cancelledSend },
    text: cancelledSend === null ? removed : `${removed}\n${cancelled}`,
  };
}

async function findIssueOrEnd(db: Db, id: number): Promise<FoundIssue> {
  const found = await findIssue(db, id);
  if (found) return found;
  throw failure(`There is no issue with id ${id}. "issues list" shows those there are.`);
}

async function importFile(context: CommandContext, path: string) {
  const file = await context.read(path, importMaxBytes);
  const { db } = await context.store();
  const read = await importIssuesFile(db, file, new Date());
  if (!read.ok) throw problemsError(read.problems, "Nothing was imported:");
  const text = `Imported ${amount(read.found, "issue")} from ${file.name}.`;
  return { json: { imported: read.found }, text };
}

type FileOptions = { title?: string; date?: string; format?: "html" | "markdown" };

async function publish(context: CommandContext, path: string, options: FileOptions) {
  const issue = await readIssueFile(context, path, options);
  const { words, pictures } = issue;
  const now = new Date();
  if (words.publishDate > torontoDate(now)) {
    throw new CommandError(
      `The issue's date, ${words.publishDate}, lies ahead. The desk publishes an issue at an hour; here it is published now.`,
    );
  }
  const { db } = await context.store();
  const published = await publishIssue(db, { words, pictures: [...pictures.values()], now });
  const { id, number, sameTitle } = published;
  const shown = number === id ? "" : `, which is #${number} on the site`;
  const told = await describeIssue(context, issue, published);
  const twice = `issue ${sameTitle} has the same title. If this is a correction: issues remove ${id}, issues update ${sameTitle} ${path}`;
  const fields = formatFields([...told.fields, ["Note", sameTitle !== null && twice]]);
  return {
    json: { ...told.json, sameTitle },
    text: `Published as issue ${id}${shown}.\n\n${fields}`,
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
  await context.confirm(`Replace issue ${issueName(before)}?`, options);
  const preheader = issue.words.preheader ?? before.preheader;
  const change = {
    id,
    from: fingerprintOf(before),
    words: { ...issue.words, preheader },
    pictures: [...issue.pictures.values()],
    now: new Date(),
  };
  succeeded(await correctIssue(db, change));
  const { json, fields } = await describeIssue(context, issue, before);
  return { json, text: `Changed issue ${id}.\n\n${formatFields(fields)}` };
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
  const file = await context.read(path, 4_000_000);
  const decoded = readUtf8(file);
  if ("message" in decoded) throw problemsError([decoded], "");
  const { text } = decoded;
  const source = { text, format, title, date, now: new Date(), otherwise: before };
  const beside = await readBeside(source, path === "-" ? null : context.resolvePath(path));
  const pictures = new Map<string, Picture>();
  const faults = new Set<string>();
  function addressOf({ is, address }: AddressPlace): string | null {
    const found = beside.get(address);
    if (found?.ok === false && is === "picture") faults.add(`${address}: ${found.problem}`);
    if (!found?.ok) return null;
    const stored = picturePath(found.picture);
    pictures.set(stored, found.picture);
    return stored;
  }
  const read = readIssueText({ ...source, addressOf });
  const messages = [...(read.ok ? [] : read.problems), ...faults];
  if (read.ok && messages.length === 0) return { ...read.issue, pictures };
  const problems = messages.map((message) => ({ file: file.name, line: null, message }));
  throw problemsError(problems, `The issue was not ${before ? "changed" : "published"}:`);
}

function formatByName(path: string): "html" | "markdown" {
  if (/\.(md|markdown)$/i.test(path)) return "markdown";
  if (/\.html?$/i.test(path)) return "html";
  throw new CommandError(
    `${path}: the name doesn't end in .html, .htm, .md or .markdown. Say --format html or --format markdown.`,
  );
}

/** The files in an issue file's folder or below that it names by relative addresses, read as pictures. */
async function readBeside(source: Parameters<typeof readIssueText>[0], file: string | null) {
  const paths = new Map<string, string>();
  function addressOf({ address }: AddressPlace) {
    const path = file && fileBeside(file, address);
    if (path) paths.set(address, path);
    return null;
  }
  readIssueText({ ...source, addressOf });
  const pictures = new Map<string, Awaited<ReturnType<typeof readPicture>>>();
  for (const [address, path] of paths) {
    // A link may lead to a file of any size.
    await using handle = await open(path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(pictureMaxBytes + 1));
    pictures.set(address, await readPicture(buffer.subarray(0, bytesRead)));
  }
  return pictures;
}

function fileBeside(file: string, address: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\#?]|$)/i.test(address)) return null;
  const folder = dirname(file);
  const path = resolve(folder, decoded(address.replace(/[?#].*$/s, "")));
  if (!path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return null;
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : null;
}

/** Notes for the operator on an issue's file, its page and its mail. */
async function describeIssue(
  context: CommandContext,
  { words, unusedNames, removed, pictures }: IssueFile,
  { id, number }: { id: number; number: number },
) {
  // Loaded here, because the style inliner takes longer to load than most commands run.
  const { composeIssueMail } = await import("#mail/issue-mail/compose-issue-mail.ts");
  const site = siteSettings((await context.store()).config);
  const issue = { id, number, ...words };
  const { notes } = composeIssueMail({ issue, site, tokenPlaceholder: "test" });
  const { title, publishDate } = words;
  const address = `${site.url}/newsletter/${id}`;
  const fields: Field[] = [
    ["Address", address],
    ["Title", title],
    ["Date", publishDate],
    ["Unused", unusedNames.length > 0 && `front matter: ${unusedNames.join(", ")}`],
    ["Pictures", pictures.size > 0 && String(pictures.size)],
    ["Left out", removed.map(({ what, count }) => `${count} × ${what}`).join("; ")],
    ...notes.map((note): Field => ["In mail", note]),
  ];
  return {
    fields,
    json: {
      ...{ id, number, address, title, publishDate, unusedFrontMatter: unusedNames },
      ...{ removed, notes, pictures: [...pictures.keys()] },
    },
  };
}
