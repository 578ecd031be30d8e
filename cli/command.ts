import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { formatBytes } from "#content/amounts.ts";
import { printableLine, printableText } from "#content/text.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import type { Db } from "#db/tables.ts";
import type { ListedIssue } from "#newsletter/issues/issues.ts";
import { type OpenStore, openStore } from "#newsletter/open-store.ts";
import { type Export, writeRecords } from "#newsletter/records.ts";
import type { Problem } from "#newsletter/text-files.ts";
import { lookUpOwnersSettings, readOwnersSettings } from "#settings/owner-settings.ts";
import {
  type Config,
  describeMistake,
  type ReadSettings,
  readConfig,
  siteSettings,
} from "#settings/settings.ts";

type OutputStream = NodeJS.WritableStream & { isTTY?: boolean };

export type SiteIo = {
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  environment: Record<string, string | undefined>;
};

/** `json` is for `--json`, `text` for people. An export is a `stream`, written to standard output as it is. */
type CommandResult =
  | { json: unknown; text: string; failed?: boolean }
  | { stream: AsyncIterable<string> | string[] };

export type Run = <Args extends unknown[]>(
  work: (context: CommandContext, ...args: Args) => Promise<CommandResult>,
) => (...args: Args) => Promise<void>;

export const programName = "npm run site --";

/**
 * Runs one command line (without the program's own name) and returns the exit code: 0 all well, 1 something failed or
 * needs attention, 2 wrong usage or bad input. With `--json`, standard output gets one JSON value and nothing else.
 * Nothing ends the process: commander throws instead.
 */
export async function runCommandLine(
  commandLine: string[],
  io: SiteIo,
  addCommands: (program: Command, run: Run) => void,
): Promise<number> {
  // Found before the line is parsed, whose first mistake ends the parsing.
  const end = commandLine.indexOf("--");
  const json = commandLine.slice(0, end < 0 ? undefined : end).includes("--json");
  const context = createContext(io, { json });
  async function print(stream: OutputStream, said: { json: unknown; text: string }) {
    const text = json ? JSON.stringify(said.json, null, 2) : said.text;
    if (text !== "") await write(json ? io.stdout : stream, `${text}\n`);
  }
  let exitCode = 0;
  const run: Run =
    (work) =>
    async (...args) => {
      const result = await work(context, ...args);
      if ("stream" in result) for await (const text of result.stream) await write(io.stdout, text);
      else await print(io.stdout, result);
      exitCode = "failed" in result && result.failed ? 1 : 0;
    };
  // Commands made from it inherit these.
  const program = new Command(programName)
    .exitOverride()
    .option("--json", "answer with JSON on standard output and nothing else there")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // With --json the error goes to standard output, as JSON.
      writeErr: (text) => json || io.stderr.write(text),
    })
    .showHelpAfterError("Add --help to see how it is used.");
  addCommands(program, run);
  try {
    await program.parseAsync(commandLine, { from: "user" });
    return exitCode;
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return 0;
    const { exitCode = 1, problems, columns } = error instanceof CommandError ? error : {};
    const message = messageOf(error);
    // Commander has printed its own.
    const text = isUsage ? "" : printableText(message);
    await print(io.stderr, { json: { error: { message, problems, columns } }, text });
    return isUsage ? 2 : exitCode;
  } finally {
    await context.close();
  }
}

function messageOf(error: unknown): string {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.code === "commander.help") return "Name one of its commands.";
  if (isUsage || error instanceof CommandError) return error.message;
  return `Something went wrong: ${describeCauses(error)}`;
}

/** Waits until the text is written, so that an export is no faster than its receiver. */
function write(stream: OutputStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** `details` follow the summary in the command's own help. */
export function addCommand(parent: Command, name: string, summary: string, details = ""): Command {
  return parent.command(name).summary(summary).description(`${summary}. ${details}`.trim());
}

export function addGroup(program: Command, name: string, summary: string): Command {
  const help = `\nEach has help: ${programName} ${name} COMMAND --help`;
  return addCommand(program, name, summary).helpCommand(false).addHelpText("after", help);
}

type OwnStore = OpenStore & { config: Config };

export type CommandContext = ReturnType<typeof createContext>;

/** `json` is true when a program reads: nothing but one JSON value goes to standard output. */
export function createContext(io: SiteIo, { json }: { json: boolean }) {
  /** The settings with what is unset and odd in them; ends the command where one is wrong. */
  function readSettings(): ReadSettings {
    const result = readConfig(io.environment);
    if (result.ok) return result;
    const mistakes = result.mistakes.map(describeMistake);
    const problems = mistakes.map((message) => ({ file: null, line: null, message }));
    throw new CommandError(["Fix these settings first:", ...mistakes].join("\n"), { problems });
  }

  let opening: Promise<OwnStore> | undefined;

  async function openOwnStore(): Promise<OwnStore> {
    const { config } = readSettings();
    try {
      const store = await openStore(config, { statementMs: commandStatementTimeoutMs });
      const asSet = await readOwnersSettings(store.db, io.environment);
      return { ...store, config: asSet.config };
    } catch (error) {
      const where = config.databaseUrl === null ? config.dataDir : "the one of DATABASE_URL";
      throw failure(`The database can't be opened (${where}): ${describeCauses(error)}`);
    }
  }

  return {
    io,
    json,
    now: () => new Date(),
    readSettings,
    /** With what the owner has set at the desk, for a look that changes nothing. */
    lookUpSettings: () => lookUpOwnersSettings(io.environment, readSettings()),
    /** The site's own database, open until the command ends. */
    store: () => (opening ??= openOwnStore()),
    close: () => opening?.then((store) => store.close()).catch(() => {}),
    /** A path that the operator gave, seen from the folder where the command was called. */
    resolvePath(path: string): string {
      // npm runs a script in the project's folder, and says here where it was called.
      const { npm_lifecycle_event: script, INIT_CWD: calledIn } = io.environment;
      return script === "site" && calledIn ? resolve(calledIn, path) : resolve(path);
    },
    site: () => siteSettings(readSettings().config),
  };
}

/** Ends a command early, in words for the operator. Exit code 2: wrong usage or bad input. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2 = 2;
  readonly problems: Problem[] | undefined;
  /** Set when a list can't be read until the operator says what its columns mean. */
  readonly columns: Record<string, string | null> | undefined;

  constructor(
    message: string,
    details: Partial<Pick<CommandError, "exitCode" | "problems" | "columns">> = {},
  ) {
    super(message);
    Object.assign(this, details);
  }
}

/** The work failed, or something needs attention: exit code 1. */
export function failure(message: string): CommandError {
  return new CommandError(message, { exitCode: 1 });
}

/** `newsletter.md:3: the message`, as editors and terminals read it. */
export function formatProblem({ file, line, message }: Problem): string {
  return [file, line, ` ${message}`]
    .filter((part) => part !== null)
    .join(":")
    .trim();
}

/** One error for all mistakes of a command; a single mistake is its message. */
export function problemsError(problems: Problem[], summary: string): CommandError {
  const shown = problems.slice(0, 20).map(formatProblem);
  const rest = problems.length - shown.length;
  const lines = problems.length === 1 ? shown : [summary, ...shown];
  if (rest > 0) lines.push(`… and ${rest} more.`);
  return new CommandError(lines.join("\n"), { problems });
}

/** `6, "Quotes before lunch"`, and the number on the site where that is another one. */
export function issueName({ id, number, title }: Omit<ListedIssue, "publishDate">): string {
  return `${id}, "${title}"${number === id ? "" : `, which is #${number} on the site`}`;
}

/** Rows under the names of their cells, in aligned columns. */
export function formatRows(rows: Record<string, string | number>[], whenEmpty: string): string {
  const [first] = rows;
  return first ? inColumns([Object.keys(first), ...rows.map(Object.values)]) : whenEmpty;
}

export type Field = [name: string, value: string | false | null | undefined];

/** `Name   value` lines with the values in one column. A field without a value is left out. */
export function formatFields(fields: Field[]): string {
  return inColumns(fields.filter((field): field is [string, string] => Boolean(field[1])));
}

function inColumns(rows: (string | number)[][]): string {
  const lines = rows.map((row) => row.map((cell) => printableLine(String(cell))));
  const widths = lines[0]?.map((_, at) =>
    lines.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), 0),
  );
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths?.[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Asks on the terminal, unless `--yes` answers. Ends the command where nobody can be asked: silence is no consent. */
export async function confirmOrEnd(
  { io, json }: { io: SiteIo; json: boolean },
  { yes }: { yes?: boolean },
  question: string,
): Promise<void> {
  if (yes) return;
  if (json || io.stdin.isTTY !== true || io.stderr.isTTY !== true) {
    throw new CommandError(`${question} Nobody can be asked here: add --yes to go ahead.`);
  }
  // On standard error, so that the question is seen when the output goes to a file.
  const reader = createInterface({ input: io.stdin, output: io.stderr });
  const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  const asked = reader.question(`${printableLine(question)} (y/N) `);
  const answer = await Promise.race([asked, closed]).finally(() => reader.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw failure("Nothing was changed.");
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Give a whole number from 1.");
  return Number(text);
}

/** Reads a file, or standard input for `-`; ends the command where it can't. `name` is what messages call it. */
export async function readBytes(
  context: CommandContext,
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<{ name: string; bytes: Buffer }> {
  const name = path === "-" ? "standard input" : path;
  const file = path === "-" ? buffer(context.io.stdin) : readFile(context.resolvePath(path));
  const bytes = await file.catch((error) => {
    const why = readFailures[errorCode(error)] ?? `can't be read: ${describeCauses(error)}`;
    throw new CommandError(`${name}: ${why}`);
  });
  if (bytes.length > maxBytes)
    throw new CommandError(`${name}: larger than the limit of ${formatBytes(maxBytes)}.`);
  return { name, bytes };
}

const readFailures: Record<string, string> = {
  ENOENT: "no such file.",
  EISDIR: "is a folder, not a file.",
};

/** Streams an export as CSV, or as JSON for `--json`. */
export async function exportRecords(context: CommandContext, read: (db: Db) => Export) {
  const { columns, records } = read((await context.store()).db);
  return { stream: writeRecords(records, columns, context.json ? "json" : "csv") };
}
