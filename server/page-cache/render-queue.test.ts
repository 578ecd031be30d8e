import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "#tests/until.ts";
import { createRenderQueue } from "./render-queue.ts";

/** Work that ends when it is told to, and what has begun so far. */
function work() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    named: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    },
    async endOne() {
      ends.shift()?.();
      await delay(5);
    },
  };
}

test("runs a few at a time, in the order they came, the urgent ones first", async () => {
  const queue = createRenderQueue({ concurrency: 2 });
  const { begun, named, endOne } = work();
  for (const name of ["a", "b", "c", "d"]) void queue.run(named(name), { from: name });
  void queue.run(named("urgent"), { from: null, isUrgent: true });
  expect(begun).toEqual(["a", "b"]);
  await endOne();
  expect(begun).toEqual(["a", "b", "urgent"]);
  await endOne();
  await endOne();
  expect(begun).toEqual(["a", "b", "urgent", "c", "d"]);
});

test("refuses at once what finds the queue full, and takes more when there is room", async () => {
  const queue = createRenderQueue({ concurrency: 1, waitingMax: 1 });
  const { named, endOne, begun } = work();
  const first = queue.run(named("first"), { from: "a" });
  void queue.run(named("second"), { from: "b" });
  expect(await queue.run(named("third"), { from: "c" })).toEqual({
    ok: false,
    reason: "queue_full",
  });
  await endOne();
  expect(await first).toEqual({ ok: true, value: "first" });
  void queue.run(named("fourth"), { from: "c" });
  await endOne();
  expect(begun).toEqual(["first", "second", "fourth"]);
});

test("leaves room for others beside one who asks for much", async () => {
  const queue = createRenderQueue({ concurrency: 1, waitingPerAskerMax: 2 });
  const { named, endOne, begun } = work();
  for (let n = 0; n < 10; n += 1) void queue.run(named("crowd"), { from: "a" });
  void queue.run(named("visitor"), { from: "b" });
  for (let n = 0; n < 4; n += 1) await endOne();
  expect(begun).toEqual(["crowd", "visitor", "crowd", "crowd"]);
});

test("gives up on what has waited too long, and never begins it", async () => {
  const queue = createRenderQueue({ concurrency: 1, waitMaxMs: 20 });
  const { named, endOne, begun } = work();
  void queue.run(named("long"), { from: "a" });
  expect(await queue.run(named("late"), { from: "b" })).toEqual({
    ok: false,
    reason: "waited_too_long",
  });
  await endOne();
  expect(begun).toEqual(["long"]);
});

test("urgent work is waited for longer", async () => {
  const queue = createRenderQueue({ concurrency: 1, waitMaxMs: 20 });
  const { named, endOne, begun } = work();
  void queue.run(named("long"), { from: "a" });
  const urgent = queue.run(named("page"), { from: "b", isUrgent: true });
  expect(await queue.run(named("search"), { from: "c" })).toMatchObject({ ok: false });
  await endOne();
  await endOne();
  expect(await urgent).toEqual({ ok: true, value: "page" });
  expect(begun).toEqual(["long", "page"]);
});

test("hands its place on where the work fails", async () => {
  const queue = createRenderQueue({ concurrency: 1 });
  const failing = queue.run(() => Promise.reject(new Error("no database")), { from: null });
  const next = queue.run(async () => "made", { from: null });
  await expect(failing).rejects.toThrow("no database");
  expect(await next).toEqual({ ok: true, value: "made" });
});

test("urgent work has room of its own beside a crowd, and the queue tells for whom it is full", async () => {
  const queue = createRenderQueue({ concurrency: 1, waitingMax: 1, waitingUrgentMax: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  const run = (name: string, isUrgent: boolean) =>
    queue.run(async () => void done.push(name), { from: null, isUrgent });
  const first = queue.run(() => promise, { from: null });
  const crowd = run("crowd", false);
  expect(queue.isFullFor({ from: null })).toBe(true);
  expect(queue.isFullFor({ from: null, isUrgent: true })).toBe(false);
  const form = run("form", true);
  expect(queue.isFullFor({ from: null, isUrgent: true })).toBe(true);
  resolve();
  await Promise.all([first, crowd, form]);
  expect(done).toEqual(["form", "crowd"]);
});

test("goes by what was done for each lately: who asks once comes before who asks again and again", async () => {
  const queue = createRenderQueue({ concurrency: 1, waitingMax: 3 });
  const { named, endOne, begun } = work();
  const crowd = ["2001:db8:1:1::1", "2001:db8:2:2::1", "2001:db8:3:3::1", "2001:db8:4:4::1"];
  for (const from of crowd) {
    const served = queue.run(named(`first of ${from}`), { from });
    await delay(from === crowd[0] ? 40 : 2);
    await endOne();
    await served;
  }
  begun.length = 0;
  // Another address of the same network counts as the same asker.
  const again = crowd.map((from) => queue.run(named("again"), { from: from.replace(/1$/, "2") }));
  expect(queue.isFullFor({ from: "2001:db8:1:1::3" })).toBe(true);
  expect(queue.isFullFor({ from: "203.0.113.1" })).toBe(false);
  void queue.run(named("visitor"), { from: "203.0.113.1" });
  for (let n = 0; n < 4; n += 1) await endOne();
  expect(begun).toEqual(["again", "visitor", "again", "again"]);
  const outcomes = await Promise.all(again);
  expect(outcomes.filter(({ ok }) => !ok)).toEqual([{ ok: false, reason: "queue_full" }]);
});

test("every other turn is for whoever has waited long, however many come for whom less was done", async () => {
  const queue = createRenderQueue({ concurrency: 1, longWaitMs: 20 });
  const { named, endOne, begun } = work();
  const cold = queue.run(named("cold"), { from: "known" });
  await delay(40);
  await endOne();
  await cold;
  void queue.run(named("under way"), { from: "other" });
  void queue.run(named("known again"), { from: "known" });
  for (const from of ["a", "b"]) void queue.run(named(from), { from });
  await delay(40);
  for (const from of ["c", "d"]) void queue.run(named(from), { from });
  begun.length = 0;
  for (let n = 0; n < 5; n += 1) await endOne();
  expect(begun).toEqual(["known again", "a", "b", "c", "d"]);
});

test("what isn't urgent lets others go first, for a moment and no longer", async () => {
  let isFormUnderWay = true;
  const queue = createRenderQueue({ concurrency: 1, letsOthersFirst: () => isFormUnderWay });
  const { named, endOne, begun } = work();
  for (const name of ["a", "b", "c"]) void queue.run(named(name), { from: name });
  await endOne();
  expect(begun).toEqual(["a"]);
  void queue.run(named("urgent"), { from: "d", isUrgent: true });
  await until(() => begun.length === 2);
  expect(begun).toEqual(["a", "urgent"]);
  await endOne();
  isFormUnderWay = false;
  await until(() => begun.length === 3);
  isFormUnderWay = true;
  await endOne();
  await until(() => begun.length === 4);
  expect(begun).toEqual(["a", "urgent", "b", "c"]);
});
