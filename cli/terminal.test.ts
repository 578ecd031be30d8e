import { expect, it } from "vitest";
import { formatTable } from "./terminal.ts";

const columns = [
  {
    title: "Id",
    value: (row: { id: number; words: string }) => String(row.id),
    align: "right" as const,
  },
  { title: "Words", value: (row: { words: string }) => row.words, flexible: true },
];

function table(rows: { id: number; words: string }[], width: number | null): string[] {
  return formatTable(columns, rows, { columns: width, heading: (text) => text }).split("\n");
}

it("fits a terminal by cutting the flexible column, and cuts nothing in a pipe", () => {
  const rows = [{ id: 1, words: "x".repeat(60) }];
  expect(table(rows, 30).every((line) => line.length <= 30)).toBe(true);
  expect(table(rows, 30)[1]).toMatch(/x…$/);
  expect(table(rows, null)[1]).toContain("x".repeat(60));
});

it("counts wide characters, accents and emoji as a terminal draws them", () => {
  const rows = ["日本", "e\u0301 abc", "👍🏽ab", "a\u200bbcd"].map((words, id) => ({ id, words }));
  const [, ...lines] = formatTable([...columns.slice(1), ...columns.slice(0, 1)], rows, {
    columns: null,
    heading: (text) => text,
  }).split("\n");
  expect(lines).toEqual(
    ["日本    0", "e\u0301 abc   1", "👍🏽ab    2", "a\u200bbcd    3"].map((line) =>
      expect.stringContaining(line.trimEnd()),
    ),
  );
});

it("keeps a row on one line and spells control characters out", () => {
  const [, line] = table([{ id: 1, words: "a\n\u001b[2Jb\u202ec\u009b" }], null);
  expect(line).toBe(" 1  a \\u001b[2Jb\\u202ec\\u009b");
});
