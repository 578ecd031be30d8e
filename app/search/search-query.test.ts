import { expect, test } from "vitest";
import { queryMaxLength, readQuery, searchAddress } from "./search-query.ts";

const queryOf = (q: string) => readQuery(new URLSearchParams({ q }));

test("a query is one line of bounded length without control characters", () => {
  expect(queryOf("  change\n\torders\u0000 \u200b ")).toBe("change orders");
  expect(queryOf("x".repeat(5_000))).toHaveLength(queryMaxLength);
  expect(queryOf("\ud800lead").isWellFormed()).toBe(true);
  expect(readQuery(new URLSearchParams())).toBe("");
});

test("an address leads back to its query", () => {
  for (const query of ["change orders", "a&b=c", "“50 %” + 1"]) {
    expect(readQuery(new URL(searchAddress(query), "http://x").searchParams)).toBe(query);
  }
});
