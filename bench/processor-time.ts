import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Processor time of all of a process's threads so far: the kernel's nanoseconds and not its hundredths of a second. */
export function processorMs(pid: number): number {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  }
  return ns / 1e6;
}

const lookEveryMs = 500;
const quietShare = 0.05;
/** So many looks one after the other. */
const quietLooks = 3;

/**
 * Waits until a process does next to nothing, such as one that goes through its archive after the start; for so long at
 * most. `usualShare` is what it does anyway, such as for a visitor who asks all along.
 */
export async function untilQuiet(pid: number, timeoutMs: number, usualShare = 0): Promise<void> {
  const startedAt = performance.now();
  let quiet = 0;
  while (quiet < quietLooks && performance.now() - startedAt < timeoutMs) {
    quiet = (await busyShare(pid)) - usualShare < quietShare ? quiet + 1 : 0;
  }
}

/** How much of a core a process takes, looked at for half a second. */
export async function busyShare(pid: number): Promise<number> {
  const before = processorMs(pid);
  const from = performance.now();
  await delay(lookEveryMs);
  return (processorMs(pid) - before) / (performance.now() - from);
}
