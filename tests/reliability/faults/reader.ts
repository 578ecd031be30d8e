import { setTimeout as delay } from "node:timers/promises";
import type { Scene } from "../scene.ts";

const readEveryMs = 25;
const readTimeoutMs = 20_000;

/** Somebody who reads while a fault lasts, and somebody who watches whether the server calls itself ready. */
export function createReader({ server }: Scene) {
  const reads = new Map<string, number>();
  const readiness = new Set<string>();
  let longestMs = 0;
  let isReading = false;
  let loops: Promise<unknown> = Promise.resolve();

  async function ask(path: string): Promise<string> {
    try {
      const signal = AbortSignal.timeout(readTimeoutMs);
      const response = await fetch(`${server.origin}${path}`, { signal });
      await response.arrayBuffer();
      return String(response.status);
    } catch {
      return "no answer";
    }
  }

  async function read() {
    while (isReading) {
      const askedAt = performance.now();
      const answer = await ask("/rest/v1/final_newsletters?select=id,title");
      longestMs = Math.max(longestMs, performance.now() - askedAt);
      reads.set(answer, (reads.get(answer) ?? 0) + 1);
      await delay(readEveryMs);
    }
  }

  async function watch() {
    while (isReading) {
      readiness.add(await ask("/readyz"));
      await delay(readEveryMs);
    }
  }

  return {
    start() {
      isReading = true;
      loops = Promise.all([read(), watch()]);
    },
    async stop() {
      isReading = false;
      await loops;
    },
    longestMs: () => longestMs,
    visitor: () =>
      `reads meanwhile: ${describeAnswers(reads)}, longest wait ${inSeconds(longestMs)}`,
    operator: () => `/readyz meanwhile: ${[...readiness].sort().join(" and ")}`,
  };
}

/** `200 ×12, 503 ×3`. */
export function describeAnswers(answers: Map<string, number>): string {
  const sorted = [...answers].sort(([one], [other]) => one.localeCompare(other));
  return sorted.map(([answer, count]) => `${answer} ×${count}`).join(", ");
}

export function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`;
}
