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
import type { ListedIssue } from "#newsletter/issues/issues.ts";
import { openStore } from "#newsletter/open-store.ts";
import { type Export, writeRecords } from "#newsletter/records.ts";
import type { Problem } from "#newsletter/text-files.ts";
import { readOwnersSettings } from "#settings/owner-settings.ts";
import { describeMistake, type ReadSettings, readConfig } from "#settings/settings.ts";

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
  const context = new CommandContext(io, json);
  const print = (stream: OutputStream, said: { json: unknown; text: string }) =>
    json
      ? write(io.stdout, `${JSON.stringify(said.json, null, 2)}\n`)
      : write(stream, `${said.text}\n`);
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
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      const message = error.code === "commander.help" ? "Name one of its commands." : error.message;
      // Commander has printed its own for people.
      if (json) await print(io.stderr, { json: { error: { message } }, text: "" });
      return 2;
    }
    const ended =
      error instanceof CommandError
        ? error
        : failure(`Something went wrong: ${describeCauses(error)}`);
    const { message, exitCode, problems, columns } = ended;
    const told = { error: { message, problems, columns } };
    await print(io.stderr, { json: told, text: printableText(message) });
    return exitCode;
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

/** Adds a command. `details` follow the summary in its own help. */
export type Add = (name: string, summary: string, details?: string) => Command;

export function addTo(parent: Command): Add {
  return (name, summary, details = "") =>
    parent.command(name).summary(summary).description(`${summary}. ${details}`.trim());
}

/** Returns what adds a command to the group. */
export function addGroup(program: Command, name: string, summary: string): Add {
  const help = `\nEach has help: ${programName} ${name} COMMAND --help`;
  return addTo(addTo(program)(name, summary).helpCommand(false).addHelpText("after", help));
}

/** What a command has of its caller and of the site. */
export class CommandContext {
  readonly io: SiteIo;
  /** A program reads: nothing but one JSON value goes to standard output. */
  readonly json: boolean;
  #store: ReturnType<typeof openOwnStore> | undefined;

  constructor(io: SiteIo, json: boolean) {
    this.io = io;
    this.json = json;
  }

  /** The settings with what is unset and odd in them; ends the command where one is wrong. */
  readSettings(): ReadSettings {
    const result = readConfig(this.io.environment);
    if (result.ok) return result;
    const mistakes = result.mistakes.map(describeMistake);
    const problems = mistakes.map((message) => ({ file: null, line: null, message }));
    throw new CommandError(["Fix these settings first:", ...mistakes].join("\n"), { problems });
  }

  /** The site's own database, open until the command ends, with what the owner has set at the desk. */
  store() {
    this.#store ??= openOwnStore(this.readSettings(), this.io.environment);
    return this.#store;
  }

  async close(): Promise<void> {
    await this.#store?.then((store) => store.close()).catch(() => {});
  }

  /** A path that the operator gave, seen from the folder where the command was called. */
  resolvePath(path: string): string {
    // npm runs a script in the project's folder, and says here where it was called.
    const { npm_lifecycle_event: script, INIT_CWD: calledIn } = this.io.environment;
    return script === "site" && calledIn ? resolve(calledIn, path) : resolve(path);
  }

  /** Reads a file, or standard input for `-`; ends the command where it can't. `name` is what messages call it. */
  async read(path: string, maxBytes: number): Promise<{ name: string; bytes: Buffer }> {
    const name = path === "-" ? "standard input" : path;
    const file = path === "-" ? buffer(this.io.stdin) : readFile(this.resolvePath(path));
    const bytes = await file.catch((error) => {
      const why = readFailures[errorCode(error)] ?? `can't be read: ${describeCauses(error)}`;
      throw new CommandError(`${name}: ${why}`);
    });
    if (bytes.length <= maxBytes) return { name, bytes };
    throw new CommandError(`${name}: larger than the limit of ${formatBytes(maxBytes)}.`);
  }

  /** Streams an export as CSV, or as JSON for `--json`. */
  export({ columns, records }: Export) {
    return { stream: writeRecords(records, columns, this.json ? "json" : "csv") };
  }

  /** Asks on the terminal, unless `--yes` answers. Ends the command where nobody can be asked: silence is no consent. */
  async confirm(question: string, { yes }: { yes?: boolean }): Promise<void> {
    if (yes) return;
    const { stdin, stderr } = this.io;
    if (this.json || stdin.isTTY !== true || stderr.isTTY !== true) {
      throw new CommandError(`${question} Nobody can be asked here: add --yes to go ahead.`);
    }
    // On standard error, so that the question is seen when the output goes to a file.
    const reader = createInterface({ input: stdin, output: stderr });
    const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
    const asked = reader.question(`${printableLine(question)} (y/N) `);
    const answer = await Promise.race([asked, closed]).finally(() => reader.close());
    if (!/^y(es)?$/i.test(answer.trim())) throw failure("Nothing was changed.");
  }
}

async function openOwnStore({ config }: ReadSettings, environment: SiteIo["environment"]) {
  try {
    const store = await openStore(config, { statementMs: commandStatementTimeoutMs });
    return { ...store, config: (await readOwnersSettings(store.db, environment)).config };
  } catch (error) {
    const where = config.databaseUrl === null ? config.dataDir : "the one of DATABASE_URL";
    throw failure(`The database can't be opened (${where}): ${describeCauses(error)}`);
  }
}

const readFailures: Record<string, string> = {
  ENOENT: "no such file.",
  EISDIR: "is a folder, not a file.",
};

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

/** Ends the command where a deed was refused. */
export function succeeded<Answer extends { ok: true } | { ok: false; problem: string }>(
  answer: Answer,
): Extract<Answer, { ok: true }> {
  if (!answer.ok) throw failure(answer.problem);
  return answer as Extract<Answer, { ok: true }>;
}

/** `newsletter.md:3: the message`, as editors and terminals read it. */
export function formatProblem({ file, line, message }: Problem): string {
  const place = [file, line].filter((part) => part !== null);
  return [...place, ` ${message}`].join(":").trim();
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
  const inLine = (cell: string, at: number) => cell.padEnd(widths?.[at] ?? 0);
  return lines.map((line) => line.map(inLine).join("  ").trimEnd()).join("\n");
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Give a whole number from 1.");
  return Number(text);
}
