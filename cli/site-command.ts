import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";

/**
 * A command's result: `json` for `--json`, `text` for people. An export is a `stream` instead, written to standard
 * output as it is.
 */
export type CommandResult =
  | { json: unknown; text: string; failed?: boolean }
  | { stream: AsyncIterable<string> | string[] };

export const programName = "npm run site --";

export type Run = <Args extends unknown[]>(
  work: (context: CommandContext, ...args: Args) => Promise<CommandResult>,
) => (...args: Args) => Promise<void>;

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

/** Does one thing for each id or address, which JSON names so; `work` returns why it can't be done, or null. */
export async function tryEach<Name extends string | number>(
  namedAs: "id" | "email",
  names: Name[],
  work: (name: Name) => Promise<string | null>,
) {
  const done: Name[] = [];
  const refused: Record<string, Name | string>[] = [];
  const lines: string[] = [];
  for (const name of new Set(names)) {
    const reason = await work(name);
    if (reason === null) {
      done.push(name);
      continue;
    }
    refused.push({ [namedAs]: name, reason });
    lines.push(`Not ${name}: ${reason}.`);
  }
  return { done, refused, lines, failed: refused.length > 0 };
}
