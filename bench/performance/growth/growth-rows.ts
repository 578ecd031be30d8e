import type { BenchTable } from "../../measurement.ts";

/** What was measured of one thing, at each size in their order. */
export type GrowthRow = {
  what: string;
  values: number[];
  unit: string;
  /** Digits after the point. */
  digits?: number;
  bar: GrowthBar;
};

type GrowthBar =
  /** No more than 1.5 times what it is at the smallest size. */
  | { kind: "time" }
  /** No less than what it is at the smallest size, divided by 1.5. */
  | { kind: "rate" }
  | { kind: "at most"; value: number }
  | { kind: "none" };

const factor = 1.5;
/** A difference in milliseconds that the machine makes by itself. */
const noiseMs = 2;

export const growthNote = `Each figure is to stay within ${factor} times what it is at the smallest size, where no other bar is named; ${noiseMs} ms more count as the machine's own.`;

/** The rows as a table with a column for each size. */
export function growthTable(
  { title, note }: Pick<BenchTable, "title" | "note">,
  sizes: number[],
  rows: GrowthRow[],
): BenchTable {
  return {
    title,
    note,
    columns: ["what", ...sizes.map((size) => size.toLocaleString("en-CA")), "bar", ""],
    rows: rows.map((row) => [
      row.what,
      ...row.values.map((value) => shown(value, row)),
      wordsOf(row),
      verdict(row),
    ]),
  };
}

function shown(value: number, { unit, digits = 0 }: GrowthRow): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${value.toLocaleString("en-CA", options)} ${unit}`.trim();
}

function wordsOf(row: GrowthRow): string {
  const { bar } = row;
  if (bar.kind === "none") return "";
  if (bar.kind === "at most") return `≤ ${shown(bar.value, { ...row, digits: 0 })}`;
  const [first = Number.NaN] = row.values;
  return bar.kind === "time" ? `≤ ${shown(most(first), row)}` : `≥ ${shown(first / factor, row)}`;
}

function verdict({ values, bar }: GrowthRow): string {
  const [first = Number.NaN] = values;
  const meets = {
    time: (value: number) => value <= most(first),
    rate: (value: number) => value >= first / factor,
    "at most": (value: number) => bar.kind === "at most" && value <= bar.value,
    none: () => true,
  }[bar.kind];
  if (bar.kind === "none") return "";
  return values.every(meets) ? "met" : "NOT met";
}

function most(first: number): number {
  return Math.max(first * factor, first + noiseMs);
}
