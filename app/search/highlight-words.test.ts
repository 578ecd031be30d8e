import { expect, test } from "vitest";
import { excerptOf, highlightWords } from "./highlight-words.server.ts";
import type { HighlightedText } from "./search-outcome.ts";

const written = (text: HighlightedText) =>
  text.map((part, index) => (index % 2 === 1 ? `[${part}]` : part)).join("");

test("words are highlighted whole, whatever their case, accents, apostrophes and number", () => {
  const text = "Client’s INVOICES, invoice-ready: Révisé. Reinvoiced.";
  expect(written(highlightWords(text, new Set(["invoice", "client", "revise"])))).toBe(
    "[Client’s] [INVOICES], [invoice]-ready: [Révisé]. Reinvoiced.",
  );
});

test("a text is the same when its parts are joined", () => {
  for (const text of ["", "<b>a & b</b>", "  two  spaces ", "$5.44 per $1…", "👷🏽 crew", "''’’"]) {
    expect(highlightWords(text, new Set(["b", "crew"])).join("")).toBe(text);
  }
});

test("the passage with most of the words is taken, cut around the first of them", () => {
  const long = `${"Nothing to see here. ".repeat(20)}The hallway change order is ${"priced later on. ".repeat(20)}`;
  const excerpt = written(excerptOf(["A change.", long], new Set(["change", "order"])));
  expect(excerpt).toMatch(/^… .*hallway \[change\] \[order\] is .* …$/);
  expect(excerpt.length).toBeLessThan(260);
});

test("a very long text without spaces is searched in time and cut", () => {
  // Looked at again from each of its letters, it would take longer than a test may.
  const text = `${"a".repeat(1_000_000)} invoice`;
  expect(written(excerptOf([text], new Set(["invoice"])))).toBe("… [invoice]");
});
