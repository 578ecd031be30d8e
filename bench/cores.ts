import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";

const count = cpus().length;

/** The core that a measured server has for itself, as the list that taskset takes. */
export const serverCores = "0";

/** Those of the programs that measure it: one that waits for a core of the server's measures the waiting. */
export const measuringCores = count > 1 ? `1-${count - 1}` : "0";

/** Past the time that a program was to take before it is killed. */
const graceMs = 30_000;

/**
 * Runs a program of ours on the cores that measure and reads the JSON that it prints. `nice` makes way for the others
 * there, 19 for all of them. Rejects where it fails, or takes half a minute more than it was to.
 */
export async function runBeside<Result>(
  entry: string,
  order: { seconds: number },
  { nice = 0 } = {},
): Promise<Result> {
  const program = ["-c", measuringCores, "nice", "-n", String(nice), process.execPath];
  const child = spawn("taskset", [...program, entry, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  const timeout = setTimeout(kill, order.seconds * 1_000 + graceMs);
  process.once("exit", kill);
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code, signal] = await once(child, "close");
  clearTimeout(timeout);
  process.off("exit", kill);
  if (code !== 0) throw new Error(`${entry} ended with ${signal ?? code}.`);
  return JSON.parse(printed) as Result;
}
