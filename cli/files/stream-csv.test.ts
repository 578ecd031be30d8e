import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CsvFault, type CsvRow, formatCsvRow, parseCsv } from "./csv.ts";
import { streamCsv } from "./stream-csv.ts";

async function read(pieces: Iterable<string>): Promise<(CsvRow | CsvFault)[]> {
  const rows: (CsvRow | CsvFault)[] = [];
  for await (const row of streamCsv(Readable.from(pieces))) rows.push(row);
  return rows;
}

it("reads the same rows however the text comes in pieces", async () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\r", "\n", " ") });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, length) => {
        const text = rows.map(formatCsvRow).join("");
        const pieces = text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
        const whole = parseCsv(text);
        expect(await read(pieces)).toEqual(whole.ok && whole.rows);
      },
    ),
    { numRuns: 200 },
  );
});

it("holds no more than a long row, and goes on after a quote that is never closed", async () => {
  function* pieces() {
    yield 'a\n"open\n';
    for (let at = 0; at < 300; at += 1) yield `${"x".repeat(9_999)}\n`;
  }
  const rows = await read(pieces());
  expect(rows).toHaveLength(302);
  expect(rows[1]).toMatchObject({ line: 2, message: expect.stringContaining("never closed") });
  expect(rows[2]).toMatchObject({ line: 3 });
});
