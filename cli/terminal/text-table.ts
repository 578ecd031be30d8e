import { printableLine } from "./printable.ts";
import { cutToWidth, padToWidth, textWidth } from "./text-width.ts";

export type Column<Row> = {
  title: string;
  value: (row: Row) => string;
  align?: "left" | "right";
  /** Gives way first when the terminal is narrow. */
  flexible?: boolean;
};

type TableLayout = {
  /** The terminal's width in columns; null for a pipe, where nothing is cut. */
  columns: number | null;
  /** Marks the heading line, on a terminal that shows it. */
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
    Math.max(textWidth(column.title), ...cells.map((row) => textWidth(row[at] ?? ""))),
  );
  const widths = terminalWidth === null ? natural : narrowed(columns, natural, terminalWidth);
  function line(texts: string[]): string {
    return texts
      .map((text, at) => {
        const width = widths[at] ?? 0;
        return padToWidth(cutToWidth(text, width), width, columns[at]?.align ?? "left");
      })
      .join(gap)
      .trimEnd();
  }
  return [heading(line(columns.map((column) => column.title))), ...cells.map(line)].join("\n");
}

/** Takes the columns that are too many from the widest flexible column, one after another. */
function narrowed<Row>(columns: Column<Row>[], natural: number[], terminalWidth: number): number[] {
  const widths = [...natural];
  let over = sum(widths) + gap.length * (columns.length - 1) - terminalWidth;
  while (over > 0) {
    let widest = -1;
    for (const [at, column] of columns.entries()) {
      const width = widths[at] ?? 0;
      if (column.flexible && width > flexibleMinWidth && width > (widths[widest] ?? 0)) widest = at;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
