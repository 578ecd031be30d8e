import type { Worksheet, WorksheetFactor } from "#content/worksheet.ts";

/** The most that a field or a sum may be: what can be written out on a phone, and brought along in an address. */
const numberMax = 1_000_000_000;

/** The numbers on a sheet, line by line and factor by factor; null where a field holds none. */
export type SheetNumbers = readonly (readonly (number | null)[])[];

export function exampleNumbers({ lines }: Worksheet): SheetNumbers {
  return lines.map(({ factors }) => factors.map(({ value }) => value));
}

/** What the factors of a line come to, in whole dollars; null while one of them has no number, or it is too large. */
export function lineSum(
  factors: readonly WorksheetFactor[],
  numbers: readonly (number | null)[],
): number | null {
  let sum = 1;
  for (const [index, { worth = 1, divides }] of factors.entries()) {
    const number = numbers[index] ?? null;
    if (number === null || (divides && number === 0)) return null;
    sum *= divides ? 1 / number : number * worth;
  }
  return withinMax(Math.round(sum));
}

/** The lines' sum in whole dollars; null while a line has none, or it is too large. */
export function sheetSum({ lines }: Worksheet, numbers: SheetNumbers): number | null {
  let sum = 0;
  for (const [index, { factors }] of lines.entries()) {
    const line = lineSum(factors, numbers[index] ?? []);
    if (line === null) return null;
    sum += line;
  }
  return withinMax(sum);
}

function withinMax(number: number): number | null {
  return number <= numberMax ? number : null;
}

/** A number as people write one: `$1,100`, `12 %`, `1 100`, `0.5`. Null where it is none, negative or too large. */
export function readNumber(text: string): number | null {
  const plain = text.replaceAll(/[\s$,%]/g, "");
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(plain)) return null;
  return withinMax(Number(plain));
}

export function writeNumber(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

/** `$1,100`. */
export function writeDollars(dollars: number): string {
  return `$${writeNumber(dollars)}`;
}
