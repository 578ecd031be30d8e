import { Command, CommanderError } from "commander";
import { printableText } from "#contracts/text.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { CommandError, createContext, type OutputStream, type SiteIo } from "./command-context.ts";
import { dbCommands } from "./db.ts";
import { doctorCommand } from "./doctor.ts";
import { issuesCommands } from "./issues/issue-commands.ts";
import { messagesCommands } from "./messages.ts";
import { outboxCommands } from "./outbox.ts";
import { plansCommands } from "./plans.ts";
import { reportCommand } from "./report.ts";
import { sendsCommands } from "./sends.ts";
import { type CommandResult, programName, type Run } from "./site-command.ts";
import { subscribersCommands } from "./subscribers/subscriber-commands.ts";

/**
 * Runs one command line (without the program's own name) and returns the exit code: 0 all well, 1 something failed or
 * needs attention, 2 wrong usage or bad input. With `--json`, standard output gets one JSON value and nothing else.
 */
export async function runSite(commandLine: string[], io: SiteIo): Promise<number> {
  const end = commandLine.indexOf("--");
  const json = commandLine.slice(0, end === -1 ? undefined : end).includes("--json");
  const context = createContext(io, { json });
  let exitCode = 0;
  const run: Run =
    (work) =>
    async (...args) => {
      exitCode = await present(await work(context, ...args), io.stdout, json);
    };
  try {
    await createProgram(run, io, json).parseAsync(commandLine, { from: "user" });
    return exitCode;
  } catch (error) {
    return await explain(error, io, json);
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
  const message = isUsage
    ? usageMessage(error.message)
    : (known?.message ?? `Something went wrong: ${describeCauses(error)}`);
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

const programNotes = `
For example: ${programName} issues publish this-week.md
Every command has --help, and --json for programs; docs/operating.md says more. Times are Toronto's.
Exit code: 0 all well, 1 something failed or needs attention, 2 wrong usage.`;

/** Every command of the operator's, with its help. Nothing here ends the process: commander throws instead. */
function createProgram(run: Run, io: SiteIo, json: boolean): Command {
  const program = new Command(programName)
    .description("Looks after the site: issues, messages, subscribers, mail and the database.")
    .addHelpText("after", programNotes)
    .addCommand(issuesCommands(run))
    .addCommand(plansCommands(run))
    .addCommand(sendsCommands(run))
    .addCommand(messagesCommands(run))
    .addCommand(subscribersCommands(run))
    .addCommand(outboxCommands(run))
    .addCommand(dbCommands(run))
    .addCommand(reportCommand(run))
    .addCommand(doctorCommand(run));
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command
      .exitOverride()
      .helpOption("-h, --help", "show this help")
      .helpCommand(false)
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        // With --json the error goes to standard output, as JSON.
        writeErr: (text) => json || io.stderr.write(text),
        outputError: (text, write) => write(usageMessage(text)),
      })
      .showHelpAfterError("Add --help to see how it is used.");
  }
  return program;
}

function usageMessage(text: string): string {
  const words = text
    .replace(/^error: /, "")
    .replace(
      /^(unknown option '-\S*@.*?')/,
      "$1. Put -- before an address that begins with a hyphen",
    )
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'\. /s, '$2 "$1": ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
