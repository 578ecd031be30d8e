import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { amount, formatBytes } from "#content/amounts.ts";
import { printableLine, printableText } from "#content/text.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import type { Db } from "#db/tables.ts";
import { writeWholeFile } from "#db/write-whole-file.ts";
import { type FoundIssue, findIssue, type ListedIssue } from "#newsletter/issues/issues.ts";
import { type OpenStore, openStore } from "#newsletter/open-store.ts";
import type { Export } from "#newsletter/subscribers/export.ts";
import { writeRecords } from "#newsletter/subscribers/records.ts";
import type { Problem } from "#newsletter/text-files.ts";
import { lookUpOwnersSettings, readOwnersSettings } from "#settings/owner-settings.ts";
import { type Config, type ConfigResult, readConfig, siteSettings } from "#settings/settings.ts";

type OutputStream = NodeJS.WritableStream & { isTTY?: boolean };

export type SiteIo = {
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  environment: Record<string, string | undefined>;
};

/**
 * A command's result: `json` for `--json`, `text` for people. An export is a `stream` instead, written to standard
 * output as it is.
 */
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
  createProgram: (run: Run) => Command,
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
  const program = createProgram(run);
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command
      .exitOverride()
      .helpOption("-h, --help", "show this help")
      .helpCommand(false)
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        // With --json the error goes to standard output, as JSON.
        writeErr: (text) => json || io.stderr.write(text),
      })
      .showHelpAfterError("Add --help to see how it is used.");
  }
  try {
    await program.parseAsync(commandLine, { from: "user" });
    return exitCode;
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return 0;
    const { exitCode = 1, problems, columns } = error instanceof CommandError ? error : {};
    const isKnown = isUsage || error instanceof CommandError;
    const message = isKnown ? error.message : `Something went wrong: ${describeCauses(error)}`;
    // Commander has printed its own.
    const text = isUsage ? "" : printableText(message);
    await print(io.stderr, { json: { error: { message, problems, columns } }, text });
    return isUsage ? 2 : exitCode;
  } finally {
    await context.close();
  }
}

/** Waits until the text is written, so that an export is no faster than its receiver. */
function write(stream: OutputStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** A command with the option that all of them share. `details` follow the summary in its own help. */
export function siteCommand(name: string, summary: string, details = ""): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary}. ${details}`.trim())
    .option("--json", "answer with JSON on standard output and nothing else there");
}

export function commandGroup(name: string, summary: string, commands: Command[]): Command {
  const group = new Command(name).summary(summary).description(`${summary}.`);
  for (const command of commands) group.addCommand(command);
  return group.addHelpText("after", `\nEach has help: ${programName} ${name} COMMAND --help`);
}

type OwnStore = OpenStore & { config: Config };

export type CommandContext = ReturnType<typeof createContext>;

/** `json` is true when a program reads: nothing but one JSON value goes to standard output. */
export function createContext(io: SiteIo, { json }: { json: boolean }) {
  /** The settings with what is unset and odd in them; ends the command where one is wrong. */
  function readSettings(): Extract<ConfigResult, { ok: true }> {
    const result = readConfig(io.environment);
    if (result.ok) return result;
    const problems = result.mistakes.map((message) => ({ file: null, line: null, message }));
    throw new CommandError(["Fix these settings first:", ...result.mistakes].join("\n"), {
      problems,
    });
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

export async function findIssueOrEnd(db: Db, id: number): Promise<FoundIssue> {
  const found = await findIssue(db, id);
  if (found) return found;
  throw failure(`There is no issue with id ${id}. "issues list" shows those there are.`);
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

/**
 * Asks on the terminal and goes on only after a yes; `--yes` answers beforehand. Ends the command where nobody can be
 * asked, since silence is no consent.
 */
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

/**
 * Reads a whole file, or standard input for `-`; ends the command where it can't be read or is over the limit. `name` is
 * what messages call it.
 */
export async function readBytes(
  context: CommandContext,
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<{ name: string; bytes: Buffer }> {
  const name = path === "-" ? "standard input" : path;
  const file = context.resolvePath(path);
  // One byte over is enough to know; a file that only grows, such as a device, ends here too.
  const stream = path === "-" ? context.io.stdin : createReadStream(file, { end: maxBytes });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    const why = readFailures[errorCode(error)] ?? `can't be read: ${describeCauses(error)}`;
    throw new CommandError(`${name}: ${why}`);
  }
  if (size > maxBytes)
    throw new CommandError(`${name}: larger than the limit of ${formatBytes(maxBytes)}.`);
  return { name, bytes: Buffer.concat(chunks) };
}

const readFailures: Record<string, string> = {
  ENOENT: "no such file.",
  EISDIR: "is a folder, not a file.",
  EACCES: "can't be read: permission denied.",
};

/** Ends the command where a new file can't be made there; with `force`, it may replace one. */
export async function checkTarget(path: string, { force = false }: { force?: boolean }) {
  const found = async (place: string) => await stat(place).catch(() => null);
  if ((await found(dirname(path)))?.isDirectory() !== true) {
    throw new CommandError(
      `There is no folder ${dirname(path)}. Make it first, or choose another place.`,
    );
  }
  if (force || !(await found(path))) return;
  throw new CommandError(`${path} is there already. Choose another name, or add --force.`);
}

/** Writes a file whole or not at all, readable by its owner alone. */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<string> | string[],
  options: { force?: boolean },
): Promise<void> {
  await checkTarget(path, options);
  try {
    await writeWholeFile(path, content);
  } catch (error) {
    if (error instanceof CommandError || errorCode(error) === "") throw error;
    throw failure(`${path} can't be written: ${describeCauses(error)}`);
  }
}

export type ExportOptions = { output?: string; force?: boolean };

export function withExportOptions(command: Command): Command {
  return command
    .option("-o, --output <file>", "write to a new file, as JSON where its name ends in .json")
    .option("--force", "let --output replace a file that is there");
}

/** Writes an export as CSV, or as JSON for `--json`, to standard output or to `--output`. */
export async function exportRecords(
  context: CommandContext,
  read: (db: Db) => Export,
  { output, force }: ExportOptions,
) {
  let count = 0;
  async function* written(format: "csv" | "json") {
    const { columns, records } = read((await context.store()).db);
    async function* counted() {
      for await (const record of records) {
        count += 1;
        yield record;
      }
    }
    yield* writeRecords(counted(), columns, format);
  }
  if (output === undefined) return { stream: written(context.json ? "json" : "csv") };
  const format = /\.json$/i.test(output) ? "json" : "csv";
  await writeNewFile(context.resolvePath(output), written(format), { force });
  return {
    json: { output, format, exported: count },
    text: `Wrote ${amount(count, "row")} to ${output} (${format.toUpperCase()}). It holds personal information; only your user can read it.`,
  };
}
