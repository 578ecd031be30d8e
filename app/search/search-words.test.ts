import { expect, test } from "vitest";
import { queryMaxLength, readPage, readQuery, searchAddress } from "./search-words.ts";

const queryOf = (q: string) => readQuery(new URLSearchParams({ q }));

test("a query is one line of bounded length without control characters", () => {
  expect(queryOf("  change\n\torders\u0000 \u200b ")).toBe("change orders");
  expect(queryOf("می\u200cخواهم")).toBe("می\u200cخواهم");
  expect(queryOf("x".repeat(5_000))).toHaveLength(queryMaxLength);
  expect(queryOf("\ud800lead").isWellFormed()).toBe(true);
  expect(readQuery(new URLSearchParams())).toBe("");
});

test("an address leads back to its query", () => {
  for (const query of ["change orders", "a&b=c", "“50 %” + 1"]) {
    expect(readQuery(new URL(searchAddress(query), "http://x").searchParams)).toBe(query);
    const later = new URL(searchAddress(query, 3), "http://x").searchParams;
    expect([readQuery(later), readPage(later)]).toEqual([query, 3]);
  }
  expect(searchAddress("leads", 1)).toBe("/search?q=leads");
});

test("anything but a page's number asks for the first page", () => {
  for (const page of ["", "0", "-1", "1.5", "2e9", "9".repeat(50), "two", " 2", "٣"]) {
    expect(readPage(new URLSearchParams({ page })), page).toBe(1);
  }
  expect(readPage(new URLSearchParams())).toBe(1);
});
