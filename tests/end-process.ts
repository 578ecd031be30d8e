import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Ends a process and waits until it has. Resolves with its exit code; null where the signal ended it. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = "SIGTERM",
): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}
