import { Command } from "commander";
import { programName, type Run, runCommandLine, type SiteIo } from "./command.ts";
import { dbCommands } from "./db.ts";
import { deskCommands } from "./desk.ts";
import { doctorCommand } from "./doctor.ts";
import { issuesCommands } from "./issues/issue-commands.ts";
import { messagesCommands } from "./messages.ts";
import { sendsCommands } from "./sends.ts";
import { subscribersCommands } from "./subscribers/subscriber-commands.ts";

const programNotes = `
For example: ${programName} issues publish this-week.md
Every command has --help, and --json for programs; docs/operating.md says more. Times are Toronto's.
Exit code: 0 all well, 1 something failed or needs attention, 2 wrong usage.`;

/** Runs one of the operator's commands. Returns its exit code. */
export function runSite(commandLine: string[], io: SiteIo): Promise<number> {
  return runCommandLine(commandLine, io, siteProgram);
}

function siteProgram(run: Run): Command {
  return new Command(programName)
    .description("Looks after the site: issues, messages, subscribers, mail and the database.")
    .addHelpText("after", programNotes)
    .addCommand(issuesCommands(run))
    .addCommand(sendsCommands(run))
    .addCommand(messagesCommands(run))
    .addCommand(subscribersCommands(run))
    .addCommand(dbCommands(run))
    .addCommand(deskCommands(run))
    .addCommand(doctorCommand(run));
}
