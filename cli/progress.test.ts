import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startProgress } from "./terminal.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function collector(isTTY: boolean) {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => text };
}

it("says nothing about work that is soon done", () => {
  const { stream, text } = collector(false);
  const progress = startProgress(stream, "Importing");
  progress.step(1, 2);
  progress.end();
  expect(text()).toBe("");
});

it("adds a line every five seconds to a log", () => {
  const { stream, text } = collector(false);
  const progress = startProgress(stream, "Importing");
  for (let second = 1; second <= 12; second += 1) {
    vi.advanceTimersByTime(1000);
    progress.step(second * 1000, 20_000);
  }
  progress.end();
  expect(text()).toBe("Importing: 5,000 of 20,000\nImporting: 10,000 of 20,000\n");
});

it("draws one line over again on a terminal, and wipes it at the end", () => {
  const { stream, text } = collector(true);
  const progress = startProgress(stream, "Importing");
  vi.advanceTimersByTime(150);
  progress.step(1, 2);
  progress.end();
  expect(text()).toBe("\rImporting: 1 of 2\u001b[K\r\u001b[K");
});
