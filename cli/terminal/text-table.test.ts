import { expect, it } from "vitest";
import { formatTable } from "./text-table.ts";
import { textWidth } from "./text-width.ts";

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

it("aligns its columns", () => {
  expect(
    table(
      [
        { id: 1, words: "a" },
        { id: 100, words: "b" },
      ],
      null,
    ),
  ).toEqual([" Id  Words", "  1  a", "100  b"]);
});

it("fits a terminal by cutting the flexible column, and cuts nothing in a pipe", () => {
  const rows = [{ id: 1, words: "x".repeat(60) }];
  expect(table(rows, 30).every((line) => textWidth(line) <= 30)).toBe(true);
  expect(table(rows, 30)[1]).toMatch(/x…$/);
  expect(table(rows, null)[1]).toContain("x".repeat(60));
});

it("counts wide characters, accents and emoji as a terminal draws them", () => {
  expect(textWidth("日本")).toBe(4);
  expect(textWidth("e\u0301")).toBe(1);
  expect(textWidth("👍🏽")).toBe(2);
  expect(textWidth("a\u200bb")).toBe(2);
});

it("keeps a row on one line and spells control characters out", () => {
  const [, line] = table([{ id: 1, words: "a\n\u001b[2Jb\u202ec\u009b" }], null);
  expect(line).toBe(" 1  a \\u001b[2Jb\\u202ec\\u009b");
});
