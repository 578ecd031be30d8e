import { expect, test } from "vitest";

const modules = import.meta.glob(["./**/*.ts", "!./**/*.test.ts"], { eager: true });

test("speaks of agents and of listings, never by marks that are somebody's in Canada", () => {
  expect(Object.keys(modules).length).toBeGreaterThan(20);
  for (const [file, words] of Object.entries(modules)) {
    const marks = JSON.stringify(words).match(/\bMLS\b|\brealtors?\b/gi) ?? [];
    expect(marks, file).toEqual([]);
  }
});
