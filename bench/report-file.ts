import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { asMarkdown, type BenchTable } from "./measurement.ts";

/** What a run measured: which part of the document it replaces, and when and where it was taken. */
type MeasuredPart = { name: string; tables: BenchTable[]; takenOn: string; machine: string };

/**
 * Puts the results of one measurement into a document, in place of those of its last run: between
 * `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`, which are added at the end where they are missing. The words around
 * them stay.
 */
export function writeIntoReport(file: string, { name, tables, takenOn, machine }: MeasuredPart) {
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const opening = `<!-- bench:${name} -->`;
  const closing = `<!-- /bench:${name} -->`;
  const taken = `Taken on ${takenOn}. ${machine}.`;
  const section = [opening, taken, ...tables.map(asMarkdown), closing].join("\n\n");
  const start = before.indexOf(opening);
  const end = before.indexOf(closing);
  const after =
    start < 0 || end < 0
      ? `${before.trimEnd()}\n\n${section}\n`
      : before.slice(0, start) + section + before.slice(end + closing.length);
  writeFileSync(file, after.trimStart());
}
