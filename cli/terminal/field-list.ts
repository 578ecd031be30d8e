import { printableLine } from "./printable.ts";

/** `Name   value` lines with the values in one column. A field without a value is left out. */
export function formatFields(
  fields: [name: string, value: string | false | null | undefined][],
): string {
  const shown = fields.filter((field): field is [string, string] => Boolean(field[1]));
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${printableLine(value)}`).join("\n");
}
