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

it.each(["=1+1", "+1 416 555 0142", "-2", "@SUM(A1)", "\t=1", "\r=1", "＝1"])(
  "keeps a spreadsheet from running %j, and reads it back",
  (cell) => {
    expect(guardFormula(cell)).toBe(`'${cell}`);
    expect(unguardFormula(guardFormula(cell))).toBe(cell);
  },
);

it.each(["plain", "1=1", "'tis", "", "'"])("leaves %j as it is, both ways", (cell) => {
  expect(guardFormula(cell)).toBe(cell);
  expect(unguardFormula(cell)).toBe(cell);
});
