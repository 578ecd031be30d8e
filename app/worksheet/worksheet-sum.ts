import type { Worksheet, WorksheetFactor } from "#content/worksheet.ts";

/** The largest field or sum, which still fits on a phone. */
const numberMax = 1_000_000_000;

/** By line and factor; null where a field holds no number. */
export type SheetNumbers = readonly (readonly (number | null)[])[];

export function exampleNumbers({ lines }: Worksheet): SheetNumbers {
  return lines.map(({ factors }) => factors.map(({ value }) => value));
}

/** The product of a line's factors in whole dollars; null if a number is missing or the product is too large. */
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

/** The lines' sum in whole dollars; null if a line has none, or the sum is too large. */
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

/** Reads `$1,100`, `12 %`, `1 100`, `0.5`. Null if it isn't a number, or is negative or too large. */
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
