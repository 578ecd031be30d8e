import type { Problem } from "../command-error.ts";
import { parseCsv, unguardFormula } from "./csv.ts";

/** One record of a file with the line that it starts on, counted from 1. */
export type FileRecord = { line: number; fields: Record<string, unknown> };

export type RecordFormat = "csv" | "json" | "ndjson";

type ReadRecords =
  | { ok: true; format: RecordFormat; records: FileRecord[] }
  | { ok: false; problems: Problem[] };

/**
 * Reads records from CSV with a heading line, a JSON array of objects, or one JSON object a line (NDJSON); told apart
 * by the first character. An empty CSV cell is a null. Every mistake is listed with its line.
 */
export function readRecords(file: { name: string; text: string }): ReadRecords {
  const first = file.text.trimStart()[0];
  if (first === undefined) return failed(file, [[null, "the file is empty."]]);
  if (first === "[") return readJsonArray(file);
  if (first === "{") return readJsonLines(file);
  return readCsv(file);
}

function readCsv(file: { name: string; text: string }): ReadRecords {
  const parsed = parseCsv(file.text);
  if (!parsed.ok) return failed(file, [[parsed.fault.line, parsed.fault.message]]);
  const [heading, ...rows] = parsed.rows;
  const names = heading?.cells.map((cell) => cell.trim()) ?? [];
  const mistakes: Mistake[] = [];
  const records = rows.map(({ line, cells }) => {
    if (cells.length !== names.length) {
      mistakes.push([line, `has ${cells.length} cells; the heading line has ${names.length}.`]);
    }
    const entries = names.map((name, at) => [name, cellValue(cells[at] ?? "")]);
    return { line, fields: Object.fromEntries(entries) };
  });
  return mistakes.length > 0 ? failed(file, mistakes) : { ok: true, format: "csv", records };
}

function cellValue(cell: string): string | null {
  return cell === "" ? null : unguardFormula(cell);
}

function readJsonArray(file: { name: string; text: string }): ReadRecords {
  let values: unknown;
  try {
    values = JSON.parse(file.text);
  } catch (error) {
    return failed(file, [[jsonFaultLine(file.text, error), jsonFault(error)]]);
  }
  const lines = elementLines(file.text);
  const mistakes: Mistake[] = [];
  const records = (values as unknown[]).map((value, at) => {
    const line = lines[at] ?? 1;
    if (!isRecord(value)) mistakes.push([line, "is not an object with fields."]);
    return { line, fields: isRecord(value) ? value : {} };
  });
  return mistakes.length > 0 ? failed(file, mistakes) : { ok: true, format: "json", records };
}

function readJsonLines(file: { name: string; text: string }): ReadRecords {
  const records: FileRecord[] = [];
  const mistakes: Mistake[] = [];
  for (const [at, text] of file.text.split("\n").entries()) {
    if (text.trim() === "") continue;
    try {
      const value: unknown = JSON.parse(text);
      if (isRecord(value)) records.push({ line: at + 1, fields: value });
      else mistakes.push([at + 1, "is not an object with fields."]);
    } catch (error) {
      mistakes.push([at + 1, jsonFault(error)]);
    }
  }
  return mistakes.length > 0 ? failed(file, mistakes) : { ok: true, format: "ndjson", records };
}

type Mistake = [line: number | null, message: string];

function failed({ name }: { name: string }, mistakes: Mistake[]): ReadRecords {
  return {
    ok: false,
    problems: mistakes.map(([line, message]) => ({ file: name, line, message })),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// The parser's message quotes a piece of the file, which could be long and holds what the line number already says.
function jsonFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `is not valid JSON: ${message.replace(/, (\.\.\.)?".*$/s, "").replace(/ in JSON at.*$/s, "")}.`;
}

/** The engine names a position for some faults; for the others the place is found by the values that still parse. */
function jsonFaultLine(text: string, error: unknown): number {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  if (position !== undefined) return text.slice(0, Number(position)).split("\n").length;
  const starts = elementStarts(text);
  for (const [at, start] of starts.entries()) {
    const piece = text.slice(start, starts[at + 1] ?? text.length).replace(/[\s,\]]+$/, "");
    try {
      JSON.parse(piece);
    } catch (pieceError) {
      const within = /position (\d+)/.exec(pieceError instanceof Error ? pieceError.message : "");
      return text.slice(0, start + Number(within?.[1] ?? 0)).split("\n").length;
    }
  }
  return text.split("\n").length;
}

function elementLines(text: string): number[] {
  let line = 1;
  let from = 0;
  return elementStarts(text).map((start) => {
    for (
      let at = text.indexOf("\n", from);
      at !== -1 && at < start;
      at = text.indexOf("\n", at + 1)
    ) {
      line += 1;
    }
    from = start;
    return line;
  });
}

/** Where each element of the outermost array begins. */
function elementStarts(text: string): number[] {
  const starts: number[] = [];
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]|[^\s[\]{},"]+/gs;
  let depth = 0;
  let expected = false;
  for (const match of text.matchAll(token)) {
    const word = match[0];
    if (depth === 1 && expected && word !== "," && word !== "]") {
      starts.push(match.index);
      expected = false;
    }
    if (word === "[" || word === "{") depth += 1;
    else if (word === "]" || word === "}") depth -= 1;
    else if (word === "," && depth === 1) expected = true;
    if (depth === 1 && word === "[" && starts.length === 0) expected = true;
  }
  return starts;
}
