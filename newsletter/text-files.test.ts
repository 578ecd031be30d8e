import fc from "fast-check";
import { expect, it } from "vitest";
import { formatCsvRow, guardFormula } from "./records.ts";
import { parseCsv, unguardFormula } from "./text-files.ts";

/** As a spreadsheet reads a line whose separator isn't a comma: a quote counts where it opens a cell. */
function splitAt(separator: string, line: string): string[] {
  return line
    .split(/\r\n|\r|\n/)
    .flatMap((row) => row.split(separator).map((cell) => cell.replace(/^[" ]*/, "")));
}

it("reads back whatever is written, in which no spreadsheet finds a formula", () => {
  const signs = fc.string({ unit: fc.constantFrom(..."=+-@;,'\"\t\r\n ab＝"), maxLength: 30 });
  fc.assert(
    fc.property(fc.array(signs, { minLength: 2, maxLength: 4 }), (cells) => {
      const line = formatCsvRow(cells.map(guardFormula));
      for (const piece of splitAt(";", line)) expect(piece).not.toMatch(/^[=+\-@]/);
      const [, row] = parseCsv(`${formatCsvRow(["head", "row"])}${line}`);
      expect(row && "cells" in row && row.cells.map(unguardFormula)).toEqual(cells);
    }),
    { seed: 20_261_130, numRuns: 1_000 },
  );
});
