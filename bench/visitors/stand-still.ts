// Asks for a kept page every few milliseconds on one kept connection, as a process of its own; prints the longest wait
// as JSON. A server whose event loop stands still answers nobody, so that is how long it stood.
import { Agent, get } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { untilTold } from "./until-told.ts";

type ProbeOrder = { port: number; seconds: number };

export type ProbeReport = {
  asked: number;
  failed: number;
  p99Ms: number;
  longestMs: number;
  /** How late the probe itself was at its timers, at most: so much of the longest wait may be its own. */
  ownLongestMs: number;
};

const everyMs = 5;
const timeoutMs = 20_000;

const order = JSON.parse(process.argv[2] ?? "") as ProbeOrder;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
for (let index = 0; index < 20; index += 1) await ask();
const loopDelay = monitorEventLoopDelay({ resolution: 1 });
loopDelay.enable();
const waits: number[] = [];
let failed = 0;
const isOver = untilTold(order.seconds);
while (!isOver()) {
  const wait = await ask();
  if (wait === null) failed += 1;
  else waits.push(wait);
  await delay(everyMs);
}
waits.sort((a, b) => a - b);
const report: ProbeReport = {
  asked: waits.length + failed,
  failed,
  p99Ms: waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.NaN,
  longestMs: waits.at(-1) ?? Number.NaN,
  ownLongestMs: loopDelay.max / 1e6,
};
process.stdout.write(JSON.stringify(report), () => process.exit());

/** Milliseconds to the last byte; null where there was no answer. The page is of the kind that shows no issues. */
function ask(): Promise<number | null> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const headers = { "accept-encoding": "br" };
    const asked = get({ port: order.port, path: "/pricing", agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(performance.now() - startedAt));
      answer.once("error", () => resolve(null));
    });
    asked.setTimeout(timeoutMs, () => asked.destroy());
    asked.once("error", () => resolve(null));
  });
}
