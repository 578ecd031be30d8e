import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { until } from "#tests/until.ts";
import { answerInPieces } from "./answer-in-pieces.ts";

const pieces = ["a", "b", "c"].map((piece) => async () => piece);

test("sends its parts one after the other, and says once that it's done", async () => {
  const done = vi.fn();
  const body = answerInPieces(pieces, { timeoutMs: 10_000, done });
  expect(await new Response(body).text()).toBe("abc");
  expect(done).toHaveBeenCalledTimes(1);
});

test("breaks off what isn't taken in its time, without a failing body", async () => {
  const done = vi.fn();
  const cutOff = vi.fn();
  const body = answerInPieces(pieces, { timeoutMs: 20, done, cutOff });
  const reader = body.getReader();
  await reader.read();
  await until(() => cutOff.mock.calls.length === 1);
  // As the adapter does once the connection has gone.
  await reader.cancel();
  await expect(reader.closed).resolves.toBeUndefined();
  expect(done).toHaveBeenCalledTimes(1);
});

test("tells of no failure where the client leaves while a part is made", async () => {
  const { promise: isMade, resolve } = Promise.withResolvers<string>();
  const onFailure = vi.fn();
  const done = vi.fn();
  const cutOff = vi.fn();
  const body = answerInPieces([() => isMade], { done, onFailure, cutOff });
  const reader = body.getReader();
  const read = reader.read();
  await delay(5);
  await reader.cancel();
  resolve("a");
  expect((await read).done).toBe(true);
  await delay(5);
  expect(onFailure).not.toHaveBeenCalled();
  expect(cutOff).not.toHaveBeenCalled();
  expect(done).toHaveBeenCalledTimes(1);
});

test("breaks off where a part can't be made, and tells of it", async () => {
  const failing = async () => {
    throw new Error("The database is away");
  };
  const onFailure = vi.fn();
  const done = vi.fn();
  let reader: ReadableStreamDefaultReader | null = null;
  const body = answerInPieces([async () => "a", failing], {
    done,
    onFailure,
    cutOff: () => void reader?.cancel(),
  });
  reader = body.getReader();
  await reader.read();
  expect((await reader.read()).done).toBe(true);
  expect(onFailure).toHaveBeenCalledWith(
    expect.objectContaining({ message: "The database is away" }),
  );
  expect(done).toHaveBeenCalledTimes(1);
});
