import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";

const count = cpus().length;

/** The core that a measured server has for itself, as the list that taskset takes. */
export const serverCores = "0";

/** Those of the programs that measure it: one that waits for a core of the server's measures the waiting. */
const measuringCores = count > 1 ? `1-${count - 1}` : "0";

/** Past the time that a program was to take before it is killed. */
const graceMs = 30_000;

type Beside<Result> = {
  /** The JSON that the program prints at its end. Rejects where it fails or goes on for too long. */
  result: Promise<Result>;
  /** Has it end before its time. */
  end(): void;
};

/**
 * Runs a program of ours on the cores that measure; it ends by itself after `seconds`, or when its standard input ends.
 * `nice` makes way for the others there, 19 for all of them.
 */
export function startBeside<Result>(
  entry: string,
  order: Order,
  { nice = 0 } = {},
): Beside<Result> {
  const program = ["-c", measuringCores, "nice", "-n", String(nice), process.execPath];
  const child = spawn("taskset", [...program, entry, JSON.stringify(order)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  const timeout = setTimeout(kill, order.seconds * 1_000 + graceMs);
  process.once("exit", kill);
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  async function read(): Promise<Result> {
    const [code, signal] = await once(child, "close");
    clearTimeout(timeout);
    process.off("exit", kill);
    if (code !== 0) throw new Error(`${entry} ended with ${signal ?? code}.`);
    return JSON.parse(printed) as Result;
  }
  return { result: read(), end: () => child.stdin.end() };
}

/** Does the work with a program of ours beside it, and gives what both found; the program ends with the work. */
export async function whileBeside<Result, Found>(
  beside: Beside<Result>,
  work: () => Promise<Found>,
): Promise<{ found: Found; seen: Result }> {
  try {
    return { found: await work(), seen: await ended() };
  } finally {
    await ended();
  }
  function ended() {
    beside.end();
    return beside.result;
  }
}

/** What the program is told, as it reads it itself. */
type Order = { seconds: number; [more: string]: unknown };

/** Runs a program of ours on the cores that measure, to its end. */
export function runBeside<Result>(...parameters: Parameters<typeof startBeside>): Promise<Result> {
  return startBeside<Result>(...parameters).result;
}
