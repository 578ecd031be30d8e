import { type CsvFault, type CsvRow, isBlank, readCsvRow, unclosed } from "./csv.ts";

/** Longest row, in characters: a quote that is never closed would otherwise take in the rest of the file. */
const rowMaxLength = 1_000_000;

/**
 * Reads CSV of any length piece by piece, with one row in memory at a time. Where the text isn't CSV there is a fault in
 * place of a row, and reading goes on with the next line.
 */
export async function* streamCsv(
  pieces: AsyncIterable<string>,
): AsyncGenerator<CsvRow | CsvFault, void> {
  let text = "";
  let line = 1;
  function* rows(isWhole: boolean): Generator<CsvRow | CsvFault> {
    let at = 0;
    while (at < text.length) {
      const read = readCsvRow(text, at, { line, isWhole });
      const isTooLong = !read && text.length - at > rowMaxLength;
      if (!read && !isTooLong) break;
      if (read) {
        ({ at, line } = read);
        if (read.fault) yield read.fault;
        else if (!isBlank(read.row)) yield read.row;
        continue;
      }
      const lineEnd = text.indexOf("\n", at);
      yield unclosed(line);
      at = lineEnd === -1 ? text.length : lineEnd + 1;
      line += 1;
    }
    text = text.slice(at);
  }
  for await (const piece of pieces) {
    text += piece;
    yield* rows(false);
  }
  yield* rows(true);
}
