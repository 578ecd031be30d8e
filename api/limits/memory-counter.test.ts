import { expect, test } from "vitest";
import { createMemoryCounter } from "./memory-counter.ts";

const minute = { count: 2, windowSeconds: 60 };

test("counts up to the limit within the window that begins with the first, and says when it ends", async () => {
  let now = 0;
  const counter = createMemoryCounter(minute, { now: () => now });
  expect(await counter.count("a")).toEqual({ ok: true, nth: 1, windowEndsInSeconds: 60 });
  now = 59_001;
  expect(await counter.count("a")).toEqual({ ok: true, nth: 2, windowEndsInSeconds: 1 });
  expect(await counter.count("a")).toMatchObject({ ok: false, windowEndsInSeconds: 1 });
  expect(await counter.count("b")).toMatchObject({ ok: true, nth: 1 });
  now = 60_000;
  expect(await counter.count("a")).toEqual({ ok: true, nth: 1, windowEndsInSeconds: 60 });
});

test("a refusal is not counted, and what is undone makes room", async () => {
  const counter = createMemoryCounter(minute);
  await counter.count("a");
  await counter.count("a");
  for (let n = 0; n < 5; n += 1) expect((await counter.count("a")).ok).toBe(false);
  await counter.undo("a");
  expect(await counter.count("a")).toMatchObject({ ok: true, nth: 2 });
  await counter.undo("unknown");
});

test("a flood of keys makes it forget the oldest and nothing else", async () => {
  const counter = createMemoryCounter(minute, { maxKeys: 3 });
  for (const key of ["a", "b", "c", "c", "d"]) await counter.count(key);
  expect(await counter.count("c")).toMatchObject({ ok: false });
  expect(await counter.count("a")).toMatchObject({ ok: true, nth: 1 });
  // To make room for "a", the oldest that was left has gone.
  expect(await counter.count("c")).toMatchObject({ ok: false });
  expect(await counter.count("b")).toMatchObject({ ok: true, nth: 1 });
});
