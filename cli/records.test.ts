import { expect, it } from "vitest";
import { readAllRecords, readRecords } from "./records.ts";

const read = (text: string) => readAllRecords({ name: "file", text });

it("reads a JSON array and gives each element its line", () => {
  const text = '[\n  {"a": "x, ] \\" {"},\n\n  {"a": [1, {"b": 2}],\n   "c": null}, {"d": 1}\n]\n';
  expect(read(text)).toEqual({
    format: "json",
    records: [
      { line: 2, fields: { a: 'x, ] " {' } },
      { line: 4, fields: { a: [1, { b: 2 }], c: null } },
      { line: 5, fields: { d: 1 } },
    ],
    problems: [],
  });
});

it("names the columns of CSV, and the fields of JSON", () => {
  expect(readRecords({ name: "file", text: " a ,b\n" }).names).toEqual(["a", "b"]);
  expect(readRecords({ name: "file", text: '{"a":1}\n{"b":2}' }).names).toEqual(["a", "b"]);
});

it("reads one JSON object a line, past blank lines", () => {
  const { format, records } = read('{"a":1}\n\n{"a":2}\n');
  expect([format, records.map(({ line }) => line)]).toEqual(["ndjson", [1, 3]]);
});

it("reads CSV with an empty cell as null", () => {
  const records = [{ line: 2, fields: { a: "1", b: null } }];
  expect(read("a,b\n1,\n")).toEqual({ format: "csv", records, problems: [] });
});

it.each([
  ["a broken JSON array", '[\n{"a":1},\n{"a":2,}\n]', 3],
  ["a JSON array cut off", '[\n{"a":1},\n{"a":', 3],
  ["an element that is no object", '[{"a":1},\n2]', 2],
  ["a broken line of NDJSON", '{"a":1}\n{"a":\n', 2],
  ["a CSV row with too many cells", "a,b\n1,2\n1,2,3\n", 3],
  ["a CSV quote that is never closed", 'a\n"1\n', 2],
])("names the line of %s", (_what, text, line) => {
  expect(read(text).problems.map((problem) => problem.line)).toEqual([line]);
});

it("never repeats the file's words in a JSON fault", () => {
  expect(JSON.stringify(read('[{"secret words here" 1}]').problems)).not.toContain("secret");
});

it("reads a string of two megabytes", () => {
  const body = '<p class="x">\n'.repeat(150_000);
  const { records } = read(`[\n${JSON.stringify({ body })},\n{"a":1}\n]`);
  expect(records.map(({ line }) => line)).toEqual([2, 3]);
});
