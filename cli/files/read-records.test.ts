import { expect, it } from "vitest";
import { readRecords } from "./read-records.ts";

function read(text: string) {
  return readRecords({ name: "file", text });
}

it("reads a JSON array and gives each element its line", () => {
  const result = read(
    '[\n  {"a": "x, ] \\" {"},\n\n  {"a": [1, {"b": 2}],\n   "c": null}, {"d": 1}\n]\n',
  );
  expect(result).toEqual({
    ok: true,
    format: "json",
    records: [
      { line: 2, fields: { a: 'x, ] " {' } },
      { line: 4, fields: { a: [1, { b: 2 }], c: null } },
      { line: 5, fields: { d: 1 } },
    ],
  });
});

it("reads one JSON object a line, past blank lines", () => {
  const result = read('{"a":1}\n\n{"a":2}\n');
  expect(result).toMatchObject({ ok: true, format: "ndjson" });
  expect(result.ok && result.records.map(({ line }) => line)).toEqual([1, 3]);
});

it("reads CSV with an empty cell as null", () => {
  expect(read("a,b\n1,\n")).toEqual({
    ok: true,
    format: "csv",
    records: [{ line: 2, fields: { a: "1", b: null } }],
  });
});

it.each([
  ["a broken JSON array", '[\n{"a":1},\n{"a":2,}\n]', 3],
  ["a JSON array cut off", '[\n{"a":1},\n{"a":', 3],
  ["an element that is no object", '[{"a":1},\n2]', 2],
  ["a broken line of NDJSON", '{"a":1}\n{"a":\n', 2],
  ["a CSV row with too many cells", "a,b\n1,2\n1,2,3\n", 3],
  ["a CSV quote that is never closed", 'a\n"1\n', 2],
])("names the line of %s", (_what, text, line) => {
  const result = read(text);
  expect(result.ok).toBe(false);
  expect(!result.ok && result.problems.map((problem) => problem.line)).toEqual([line]);
});

it("never repeats the file's words in a JSON fault", () => {
  const result = read('[{"secret words here" 1}]');
  expect(JSON.stringify(result)).not.toContain("secret");
});

it("takes a two-megabyte string in its stride", () => {
  const body = '<p class="x">\n'.repeat(150_000);
  const result = read(`[\n${JSON.stringify({ body })},\n{"a":1}\n]`);
  expect(result.ok && result.records.map(({ line }) => line)).toEqual([2, 3]);
});
