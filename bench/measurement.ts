/** A table of results: a row of column names, and rows as they are shown. */
export type BenchTable = {
  title: string;
  /** What a reader must know to believe the figures: conditions, and what is compared with what. */
  note?: string;
  columns: string[];
  rows: string[][];
};

/** What a measurement gets: the built site's folder is current, and the machine is otherwise quiet. */
export type BenchContext = {
  /** Says on the terminal what is being done; not part of the results. */
  say: (line: string) => void;
};

/** One thing that `npm run bench` measures. Whatever it starts, it stops. */
export type Measurement = {
  /** What the command line calls it. */
  name: string;
  run: (context: BenchContext) => Promise<BenchTable[]>;
};

/** The table as lines of text with aligned columns. */
export function asText({ title, note, columns, rows }: BenchTable): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width));
  return [title, ...(note ? [note] : []), "", line(columns), line(rule), ...rows.map(line)].join(
    "\n",
  );
}

/** The table as a section of a Markdown document. */
export function asMarkdown({ title, note, columns, rows }: BenchTable): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const table = [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
  return [`### ${title}`, ...(note ? [note] : []), table].join("\n\n");
}

/** A number of bytes as a cell shows it. */
export function inBytes(bytes: number): string {
  return Math.round(bytes).toLocaleString("en-CA");
}

/** The same, marked where it is over its bar. */
export function barred(bytes: number, bar: number): string {
  return bytes > bar ? `${inBytes(bytes)} !` : inBytes(bytes);
}
