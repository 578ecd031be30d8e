import { Command } from "commander";
import { dbCommands } from "./db.ts";
import { doctorCommand } from "./doctor/doctor-command.ts";
import { issuesCommands } from "./issues/issue-commands.ts";
import { messagesCommands } from "./messages.ts";
import { outboxCommands } from "./outbox.ts";
import { reportCommand } from "./report.ts";
import { sendsCommands } from "./sends.ts";
import { programName, type Run } from "./site-command.ts";
import { subscribersCommands } from "./subscribers/subscriber-commands.ts";
import type { SiteIo } from "./terminal.ts";

const programNotes = `
For example: ${programName} issues publish this-week.md
Every command has --help, and --json for programs; docs/operating.md says more. Times are Toronto's.
Exit code: 0 all well, 1 something failed or needs attention, 2 wrong usage.`;

/** Every command of the operator's, with its help. Nothing here ends the process: commander throws instead. */
export function createProgram(run: Run, io: SiteIo, json: boolean): Command {
  const program = new Command(programName)
    .description("Looks after the site: issues, messages, subscribers, mail and the database.")
    .addHelpText("after", programNotes)
    .addCommand(issuesCommands(run))
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

export function usageMessage(text: string): string {
  const words = text
    .replace(/^error: /, "")
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'\. /s, '$2 "$1": ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
