import fc from "fast-check";
import { expect, it } from "vitest";
import { formatCsvRow, guardFormula, parseCsv, unguardFormula } from "./csv.ts";

it("reads back every cell that it writes", () => {
  const rows = [
    ["plain", "", "with, comma"],
    ['say "so"', "two\nlines", "two\r\nlines"],
    ["", "", ""],
    [" spaces ", '"', ","],
  ];
  const parsed = parseCsv(rows.map(formatCsvRow).join(""));
  expect(parsed.ok && parsed.rows.map(({ cells }) => cells)).toEqual(rows);
});

it("gives each row the line that it starts on", () => {
  const parsed = parseCsv('a,b\r\n"1\r\n2",x\r\n\r\n3,y');
  expect(parsed).toEqual({
    ok: true,
    rows: [
      { line: 1, cells: ["a", "b"] },
      { line: 2, cells: ["1\r\n2", "x"] },
      { line: 5, cells: ["3", "y"] },
    ],
  });
});

it("reads a last row without a line end and with an empty last cell", () => {
  const parsed = parseCsv("a,b\n1,");
  expect(parsed.ok && parsed.rows.at(-1)?.cells).toEqual(["1", ""]);
});

it("names the line of a quote that is never closed", () => {
  expect(parseCsv('a\n"open\nmore')).toMatchObject({ ok: false, fault: { line: 2 } });
});

it("names the line of text after a closing quote", () => {
  expect(parseCsv('a\nb\n"c"d')).toMatchObject({ ok: false, fault: { line: 3 } });
});

it.each(["=1+1", "+1 416 555 0142", "-2", "@SUM(A1)", "＝1"])(
  "keeps a spreadsheet from running %j, and reads it back",
  (cell) => {
    expect(guardFormula(cell).startsWith("'")).toBe(true);
    expect(unguardFormula(guardFormula(cell))).toBe(cell);
  },
);

/** As a spreadsheet reads a line whose separator isn't a comma: a quote counts where it opens a cell. */
function splitAt(separator: string, line: string): string[] {
  const cells: string[] = [];
  for (const row of line.split(/\r\n|\r|\n/)) {
    for (const cell of row.split(separator)) cells.push(cell.replace(/^[" ]*/, ""));
  }
  return cells;
}

it.each([
  "a;=cmd()",
  'a;"=cmd()',
  'a;" =cmd()',
  "a; =cmd()",
  "a\t=cmd()",
  "a\n=cmd()",
  "a\r\n@cmd",
  ";=1;+2;-3;@4",
  "\t=1",
  "a;'=cmd()",
  "a;''=cmd()",
  "'=1",
  "''=1",
])("leaves no formula in %j, split at any separator, and reads it back", (cell) => {
  const line = formatCsvRow(["Ana", guardFormula(cell), "end"]);
  for (const separator of [";", "\t"]) {
    for (const piece of splitAt(separator, line)) expect(piece).not.toMatch(/^[=+\-@]/);
  }
  const parsed = parseCsv(line);
  expect(parsed.ok && parsed.rows[0]?.cells.map(unguardFormula)).toEqual(["Ana", cell, "end"]);
});

it("reads back whatever is written, by any stranger", () => {
  const signs = fc.string({
    unit: fc.constantFrom(..."=+-@;,'\"\t\r\n ab＝"),
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.array(signs, { minLength: 2, maxLength: 4 }), (cells) => {
      const line = formatCsvRow(cells.map(guardFormula));
      for (const piece of splitAt(";", line)) expect(piece).not.toMatch(/^[=+\-@]/);
      const parsed = parseCsv(`${formatCsvRow(["head", "row"])}${line}`);
      expect(parsed.ok && parsed.rows[1]?.cells.map(unguardFormula)).toEqual(cells);
    }),
    { numRuns: 2_000 },
  );
});

it.each(["plain", "1=1", "'tis", "", "'"])("leaves %j as it is, both ways", (cell) => {
  expect(guardFormula(cell)).toBe(cell);
  expect(unguardFormula(cell)).toBe(cell);
});
