import { expect, test } from "vitest";
import { rememberWork } from "./recent-work.ts";

test("adds up what was done for each, and forgets half of it in every half-life", () => {
  let time = 0;
  const work = rememberWork({ halfLifeMs: 1_000, now: () => time });
  work.add("a", 40);
  time = 1_000;
  expect(work.of("a")).toBe(20);
  work.add("a", 10);
  expect([work.of("a"), work.of("b")]).toEqual([30, 0]);
});

test("remembers so many askers and no more, those who asked last", () => {
  const work = rememberWork({ askersMax: 2, now: () => 0 });
  for (const asker of ["a", "b", "a", "c"]) work.add(asker, 1);
  expect(["a", "b", "c"].map(work.of)).toEqual([2, 0, 1]);
});
