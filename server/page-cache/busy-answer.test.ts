import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBusyAnswer } from "./busy-answer.ts";

const busyAnswer = createBusyAnswer(
  { status: 503, headers: { "retry-after": "5" }, html: "<p>Very many are here" },
  [],
);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function refuse(method: string) {
  const written: unknown[] = [];
  const response = Object.assign(new EventEmitter(), {
    shouldKeepAlive: true,
    writeHead: (status: number) => written.push(status),
    end: (body?: Buffer) => written.push(body?.toString()),
  });
  busyAnswer.write({ method } as IncomingMessage, response as unknown as ServerResponse);
  return { response, written };
}

test("who is refused hears it a moment later, and asks for nothing more on that connection meanwhile", () => {
  const { response, written } = refuse("GET");
  vi.advanceTimersByTime(400);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(600);
  expect(written).toEqual([503, "<p>Very many are here"]);
  expect(response.shouldKeepAlive).toBe(true);
});

test("nothing is said to who has left, and nothing waits for them", () => {
  const { response, written } = refuse("GET");
  response.emit("close");
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(written).toEqual([]);
});

test("a form whose body was not read ends its connection", () => {
  const { response, written } = refuse("POST");
  vi.advanceTimersByTime(1_000);
  expect(written[0]).toBe(503);
  expect(response.shouldKeepAlive).toBe(false);
});
