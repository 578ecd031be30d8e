import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import stringWidth from "string-width";
import { inToronto, torontoDay } from "#content/toronto-time.ts";
import { CommandError, failure } from "./command-error.ts";

export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

export type SiteIo = {
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  environment: Record<string, string | undefined>;
};

// A visitor could use these to move the cursor, set the window's title, or turn the direction of a line around.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const unsafeButLines =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text from elsewhere on one line: line breaks and tabs become spaces, other control characters are spelled out. */
export function printableLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, " ").replace(unsafe, spellOut);
}

/** Text from elsewhere with its line breaks and tabs kept; other control characters are spelled out. */
export function printableText(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085]/g, "\n").replace(unsafeButLines, spellOut);
}

function spellOut(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The text in at most that many columns of a terminal, with an ellipsis where it was cut. */
function cutToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export type Column<Row> = {
  title: string;
  value: (row: Row) => string;
  align?: "left" | "right";
  flexible?: boolean;
};

type TableLayout = {
  /** The terminal's width in columns; null for a pipe, where nothing is cut. */
  columns: number | null;
  heading: (text: string) => string;
};

const gap = "  ";
/** Narrowest that a flexible column gets, in terminal columns. */
const flexibleMinWidth = 10;

/** Rows in aligned columns under a heading, each row on one line, without control characters. */
export function formatTable<Row>(
  columns: Column<Row>[],
  rows: Row[],
  { columns: terminalWidth, heading }: TableLayout,
): string {
  const cells = rows.map((row) => columns.map((column) => printableLine(column.value(row))));
  const natural = columns.map((column, at) =>
    Math.max(stringWidth(column.title), ...cells.map((row) => stringWidth(row[at] ?? ""))),
  );
  const widths = terminalWidth === null ? natural : narrowed(columns, natural, terminalWidth);
  function line(texts: string[]): string {
    return texts
      .map((text, at) => {
        const width = widths[at] ?? 0;
        const shown = cutToWidth(text, width);
        const space = " ".repeat(Math.max(0, width - stringWidth(shown)));
        return columns[at]?.align === "right" ? space + shown : shown + space;
      })
      .join(gap)
      .trimEnd();
  }
  return [heading(line(columns.map((column) => column.title))), ...cells.map(line)].join("\n");
}

/** Narrows the widest flexible column, a column of the terminal at a time, until the table fits. */
function narrowed<Row>(columns: Column<Row>[], natural: number[], terminalWidth: number): number[] {
  const widths = [...natural];
  const gaps = gap.length * (columns.length - 1);
  let over = widths.reduce((sum, width) => sum + width, gaps) - terminalWidth;
  for (; over > 0; over -= 1) {
    const flexible = widths.map((width, at) => (columns[at]?.flexible ? width : 0));
    const widest = Math.max(...flexible);
    if (widest <= flexibleMinWidth) break;
    widths[flexible.indexOf(widest)] = widest - 1;
  }
  return widths;
}

export type Field = [name: string, value: string | false | null | undefined];

/** `Name   value` lines with the values in one column. A field without a value is left out. */
export function formatFields(fields: Field[]): string {
  const shown = fields.filter((field): field is [string, string] => Boolean(field[1]));
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${printableLine(value)}`).join("\n");
}

export function number(value: number): string {
  return value.toLocaleString("en-CA");
}

/** `1 subscriber`, `2 subscribers`. */
export function amount(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** `2026-11-21 09:05`: the moment on Toronto's clocks. Empty for null; text that is no time comes back as it is. */
export function torontoTime(moment: Date | string | null): string {
  if (moment === null) return "";
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return String(moment);
  const local = inToronto(date.getTime()).toPlainDateTime();
  return local.toString({ smallestUnit: "minute" }).replace("T", " ");
}

/** `2026-11-21`: the day that it is in Toronto at that moment. */
export function torontoDate(moment: Date): string {
  return torontoDay(moment.getTime()).toString();
}

/** `4 min`, `3 h`, `2 days`: a length of time as one would say it. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "under a minute";
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
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
  try {
    const answer = await Promise.race([
      reader.question(`${printableLine(question)} (y/N) `),
      closed,
    ]);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    reader.close();
  }
  throw failure("Nothing was changed.");
}

export async function withProgress<Result>(
  { io }: { io: SiteIo },
  label: string,
  work: (step: Progress["step"]) => Promise<Result>,
): Promise<Result> {
  const progress = startProgress(io.stderr, label);
  return await work(progress.step).finally(progress.end);
}

type Progress = {
  /** `total` is null where it isn't known beforehand; `words` follow the numbers. */
  step(done: number, total: number | null, words?: string): void;
  end(): void;
};

/**
 * Shows how far long work has come, on standard error: on a terminal one line that is rewritten, elsewhere a line every
 * five seconds.
 */
export function startProgress(
  stream: NodeJS.WritableStream & { isTTY?: boolean },
  label: string,
): Progress {
  const onTerminal = stream.isTTY === true;
  let lastAt = performance.now();
  let drawn = false;
  return {
    step(done, total, words = "") {
      const now = performance.now();
      if (now - lastAt < (onTerminal ? 100 : 5_000)) return;
      lastAt = now;
      drawn = true;
      const of = total === null ? "" : ` of ${number(total)}`;
      const text = `${label}: ${number(done)}${of}${words}`;
      stream.write(onTerminal ? `\r${text}\u001b[K` : `${text}\n`);
    },
    end() {
      if (drawn && onTerminal) stream.write("\r\u001b[K");
      drawn = false;
    },
  };
}
