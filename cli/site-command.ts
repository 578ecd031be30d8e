import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";

/**
 * What a command has to say, in both of its forms: `json` for `--json`, `text` for people. Exports give `stream`
 * instead, which goes to standard output as it is.
 */
export type CommandResult =
  | { json: unknown; text: string; exitCode?: 0 | 1 }
  | { stream: AsyncIterable<string> | string[] };

export const programName = "npm run site --";

/** Runs a command's work and shows what it gives; handed to every command by the program. */
export type Run = <Args extends unknown[]>(
  work: (context: CommandContext, ...args: Args) => Promise<CommandResult>,
) => (...args: Args) => Promise<void>;

type CommandWords = {
  summary: string;
  /** Follows the summary in the command's own help, where one sentence is not enough. */
  details?: string;
  /** Command lines, without the program's name; each with what it does. */
  examples: [commandLine: string, effect: string][];
};

/** A command with the option and the help that all of them share. `usage` is its name and arguments. */
export function siteCommand(
  usage: string,
  { summary, details = "", examples }: CommandWords,
): Command {
  return new Command(usage.split(" ")[0])
    .summary(summary)
    .description([`${summary}.`, ...paragraphs(details)].join("\n\n"))
    .option("--json", "answer with JSON on standard output and nothing else there")
    .addHelpText("after", `\nExamples:\n${formatExamples(examples)}`);
}

/** The text without its own line breaks, which help sets anew for the terminal's width. */
function paragraphs(text: string): string[] {
  if (text === "") return [];
  return text.split("\n\n").map((paragraph) => paragraph.replaceAll("\n", " "));
}

export function commandGroup(name: string, summary: string, commands: Command[]): Command {
  const group = new Command(name).summary(summary).description(`${summary}.`);
  for (const command of commands) group.addCommand(command);
  return group.addHelpText(
    "after",
    `\nEach has help with examples: ${programName} ${name} ${commands[0]?.name()} --help`,
  );
}

function formatExamples(examples: CommandWords["examples"]): string {
  return examples
    .map(([commandLine, effect]) => `  ${effect}\n    $ ${programName} ${commandLine}`)
    .join("\n");
}

/** Does one thing for each id; `work` returns why it can't be done, or null. `text` has a line for each refused. */
export async function tryEach(ids: number[], work: (id: number) => Promise<string | null>) {
  const done: number[] = [];
  const refused: { id: number; reason: string }[] = [];
  for (const id of new Set(ids)) {
    const reason = await work(id);
    if (reason === null) done.push(id);
    else refused.push({ id, reason });
  }
  return { done, refused, text: refused.map(({ id, reason }) => `Not ${id}: ${reason}.`) };
}
