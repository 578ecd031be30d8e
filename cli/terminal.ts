import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { CommandError, failure } from "./command-error.ts";

export { amount, duration, number } from "#content/amounts.ts";
export { torontoDate, torontoTime } from "#content/toronto-time.ts";

export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean };

export type SiteIo = {
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  environment: Record<string, string | undefined>;
  /** Told how much of a long work is done. */
  progress?: (done: number, total: number) => void;
};

// A visitor could use these to move the cursor, set the window's title, or turn the direction of a line around.
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text from elsewhere on one line: line breaks and tabs become spaces, other control characters are spelled out. */
export function printableLine(text: string): string {
  return printableText(text.replace(/[\r\n\t]+/g, " "));
}

/** Text from elsewhere with its line breaks and tabs kept; other control characters are spelled out. */
export function printableText(text: string): string {
  const spellOut = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/\r\n?|[\v\f\u0085]/g, "\n").replace(unsafe, spellOut);
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
