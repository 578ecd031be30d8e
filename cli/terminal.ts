import { createInterface } from "node:readline/promises";
import { type Command, InvalidArgumentError } from "commander";
import { torontoMoment, torontoTime } from "#content/toronto-time.ts";
import { printableLine } from "#contracts/text.ts";
import { isDay } from "#newsletter/calendar-date.ts";
import { CommandError, failure, type SiteIo } from "./command-context.ts";

// Output to the operator's terminal.

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

// The operator's answers and arguments.

/** The moment at which Toronto's clocks show `2026-11-30 07:30`. */
export function parseTorontoMoment(text: string): Date {
  const wanted = text.trim().replace(/[T\s]+/, " ");
  const found = torontoMoment(wanted);
  const shown = found && torontoTime(found);
  if (shown && shown !== wanted && /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(wanted)) {
    throw new InvalidArgumentError(
      `Toronto's clocks skip ${wanted}: they go forward an hour that night. Choose ${shown}, for example.`,
    );
  }
  if (!found || shown !== wanted) {
    throw new InvalidArgumentError(
      'Give a time on Toronto\'s clocks as "YYYY-MM-DD HH:MM", for example "2026-11-30 07:30".',
    );
  }
  return found;
}

export function withLimit(command: Command, rows: number): Command {
  return command.option("--limit <n>", "show at most this many", countUpTo(10_000), rows);
}

export function countUpTo(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (!/^\d+$/.test(text) || count < 1 || count > max) {
      throw new InvalidArgumentError(`Give a whole number from 1 to ${max}.`);
    }
    return count;
  };
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new InvalidArgumentError("An id is a whole number, as the list shows it.");
  }
  return Number(text);
}

export function parseIds(text: string, ids: number[] = []): number[] {
  return [...ids, parseId(text)];
}

export function parseDay(text: string): string {
  if (!isDay(text)) {
    throw new InvalidArgumentError("Give a calendar date as YYYY-MM-DD, for example 2026-11-21.");
  }
  return text;
}
