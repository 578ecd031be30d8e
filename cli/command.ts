import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { printableLine, printableText } from "#contracts/text.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import type { Db } from "#db/tables.ts";
import { type FoundIssue, findIssue, type ListedIssue } from "#newsletter/issues.ts";
import type { Problem } from "#newsletter/text-files.ts";
import { type OpenStore, openStore } from "#operator/open-store.ts";
import { lookUpOwnersSettings, readOwnersSettings } from "#operator/owner-settings.ts";
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
  let exitCode = 0;
  const run: Run =
    (work) =>
    async (...args) => {
      exitCode = await present(await work(context, ...args), io.stdout, json);
    };
  const program = createProgram(run);
  // Found before the line is parsed, whose first mistake ends the parsing.
  const end = commandLine.indexOf("--");
  const json = commandLine.slice(0, end < 0 ? undefined : end).includes("--json");
  const context = createContext(io, { json });
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
    return await explain(error, io, json);
  } finally {
    await context.close();
  }
}

async function present(result: CommandResult, stdout: OutputStream, json: boolean) {
  if ("stream" in result) {
    for await (const text of result.stream) await write(stdout, text);
    return 0;
  }
  const text = json ? JSON.stringify(result.json, null, 2) : result.text;
  if (text !== "") await write(stdout, `${text}\n`);
  return result.failed ? 1 : 0;
}

async function explain(error: unknown, io: SiteIo, json: boolean): Promise<number> {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return 0;
  const known = error instanceof CommandError ? error : null;
  const message =
    isUsage || known ? (error as Error).message : `Something went wrong: ${describeCauses(error)}`;
  if (json) {
    const problems = known?.problems.length ? known.problems : undefined;
    const said = { error: { message, problems, columns: known?.columns } };
    await write(io.stdout, `${JSON.stringify(said, null, 2)}\n`);
    // Commander has printed its own.
  } else if (!isUsage) await write(io.stderr, `${printableText(message)}\n`);
  return isUsage ? 2 : (known?.exitCode ?? 1);
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
    throw new CommandError(["Fix these settings first:", ...result.mistakes].join("\n"), {
      problems: result.mistakes.map((message) => ({ file: null, line: null, message })),
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
    store(): Promise<OwnStore> {
      opening ??= openOwnStore();
      return opening;
    },
    async close() {
      await opening?.then(
        (store) => store.close(),
        () => {},
      );
    },
    /** A path that the operator gave, seen from the folder where the command was called. */
    resolvePath(path: string): string {
      // npm runs a script in the project's folder, and says here where it was called.
      const { npm_lifecycle_event: script, INIT_CWD: calledIn } = io.environment;
      return script === "site" && calledIn ? resolve(calledIn, path) : resolve(path);
    },
    siteUrl: () => siteSettings(readSettings().config).url,
  };
}

/** Ends a command early, in words for the operator. Exit code 2: wrong usage or bad input. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2 = 2;
  readonly problems: Problem[] = [];
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
  if (first === undefined) return whenEmpty;
  const cells = rows.map((row) => Object.values(row).map((cell) => printableLine(String(cell))));
  const lines = [Object.keys(first), ...cells];
  const widths = Object.keys(first).map((_, at) =>
    lines.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), 0),
  );
  return lines
    .map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

export type Field = [name: string, value: string | false | null | undefined];

/** `Name   value` lines with the values in one column. A field without a value is left out. */
export function formatFields(fields: Field[]): string {
  const shown = fields.filter((field): field is [string, string] => Boolean(field[1]));
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${printableLine(value)}`).join("\n");
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

export function withLimit(command: Command, rows: number): Command {
  return command.option("--limit <n>", "show at most this many", parseId, rows);
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Give a whole number from 1.");
  return Number(text);
}
