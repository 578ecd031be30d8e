import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { onTestFinished } from "vitest";
import { bareEnvironment } from "../site-server.ts";

type ServerProcess = {
  port: number;
  process: ChildProcess;
  /** Standard error so far: the log. */
  log(): string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
};

/**
 * Starts the server without pages as a process of its own, on a free port; it is gone after the test. Without a folder of
 * its own it would write its mail among that of whoever runs the tests.
 */
export async function startServerProcess(
  settings: Record<string, string> & { DATA_DIR: string },
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "plain-site-server.ts")], {
    env: { ...bareEnvironment, PORT: "0", HOST: "127.0.0.1", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  let printed = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const port = /is running at http:\S+?:(\d+)/.exec(printed)?.[1];
    if (!port) continue;
    child.stdout.resume();
    return { port: Number(port), process: child, log: () => log, exited };
  }
  throw new Error(`The server did not start:\n${printed}${log}`);
}
