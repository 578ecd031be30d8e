import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type SettingName, settingNames } from "#contracts/environment.ts";

const projectRoot = path.join(import.meta.dirname, "..");
const productEntry = "server/start.ts";
const startTimeoutMs = 20_000;

export type BuiltServer = {
  /** Origin of the site by its address, without a trailing slash: nothing measured waits for a name to be looked up. */
  url: string;
  pid: number;
  dataDir: string;
  /** Milliseconds from starting the process until it said that it is running. */
  startedInMs: number;
  /** Ends the server in order and removes its data. */
  stop(): Promise<void>;
};

/** What `npm start` ends with, once everything is built: the server with the runtime's own settings. */
function startCommand(entry: string): string {
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  const [, command] = String(scripts.start).split(" && ");
  if (!command?.endsWith(productEntry)) throw new Error("`npm start` is not what it was.");
  return command.replace(productEntry, entry);
}

/**
 * Starts the production build as `npm start` does, as a process of its own on a free port of the loopback, with an
 * empty data folder and none of the machine's settings. Rejects with what the server wrote where it doesn't start.
 */
export async function startBuiltServer(
  settings: Partial<Record<SettingName, string>> = {},
  entry = productEntry,
): Promise<BuiltServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "chalkline-bench-"));
  const env = {
    PATH: process.env.PATH,
    ...Object.fromEntries(settingNames.map((name) => [name, ""])),
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    ...settings,
  };
  const spawnedAt = performance.now();
  const server = spawn("sh", ["-c", startCommand(entry)], {
    cwd: projectRoot,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  async function stop() {
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, "exit");
      server.kill("SIGTERM");
      await exited;
    }
    await rm(dataDir, { recursive: true, force: true });
  }
  try {
    const url = await readAddress(server);
    const startedInMs = performance.now() - spawnedAt;
    return { url, pid: server.pid ?? 0, dataDir, startedInMs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for the line that says where the server is running. What comes later is read and dropped. */
function readAddress(server: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  let isRunning = false;
  const refuse = (why: string) => reject(new Error(`The server ${why}:\n${output}`));
  const timeout = setTimeout(refuse, startTimeoutMs, "did not start in time");
  const collect = (chunk: Buffer) => {
    if (isRunning) return;
    output += chunk.toString();
    const port = /is running at http:\S+?:(\d+)/.exec(output)?.[1];
    if (!port) return;
    isRunning = true;
    resolve(`http://127.0.0.1:${port}`);
  };
  server.stdout?.on("data", collect);
  server.stderr?.on("data", collect);
  server.once("exit", () => refuse("ended"));
  return promise.finally(() => clearTimeout(timeout));
}
