import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { type SettingName, settingNames } from "#server/settings.ts";
import { isErrorLine } from "#tests/reliability/is-error-line.ts";

const projectRoot = path.join(import.meta.dirname, "..");
const productEntry = "server/start.ts";
const startTimeoutMs = 20_000;
/** Past the ten seconds that a stop may take (docs/reliability.md). */
const stopTimeoutMs = 15_000;
const errorsMaxCount = 1_000;

export type BuiltServer = {
  /** Origin of the site by its address, without a trailing slash: nothing measured waits for a name to be looked up. */
  url: string;
  pid: number;
  dataDir: string;
  /** Milliseconds from starting the process until it said that it is running. */
  startedInMs: number;
  /** Errors in the log since it runs, and whatever isn't of the log's form, up to the first thousand. */
  errors: string[];
  /** Resolves with the exit code or signal once the process has ended. */
  ended: Promise<string>;
  /** Ends the server in order and removes its data, where they are not the caller's. */
  stop(): Promise<void>;
};

/** Where and how the server runs, where that isn't as on an empty machine. */
export type Surroundings = {
  /** What starts it, in place of the product's own. */
  entry?: string;
  /** The caller's data folder; without one, a new and empty one that is gone after the stop. */
  dataDir?: string;
  /** Commands of the shell that becomes the server, such as one that puts it into a memory group. */
  before?: string[];
  /** A program and its parameters that run that shell. */
  runBy?: string[];
  startTimeoutMs?: number;
  /** The folder of another release; without one, this project's. */
  root?: string;
};

/** What `npm start` ends with, once everything is built: the server with the runtime's own settings. */
function startCommand(entry: string): string {
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  const [, command] = String(scripts.start).split(" && ");
  if (!command?.endsWith(productEntry)) throw new Error("`npm start` is not what it was.");
  return command.replace(productEntry, entry);
}

/**
 * Starts the production build as `npm start` does, as a process of its own on a free port of the loopback, with none of
 * the machine's settings. Rejects with what the server wrote where it doesn't start.
 */
export async function startBuiltServer(
  settings: Partial<Record<SettingName, string>> = {},
  surroundings: Surroundings = {},
): Promise<BuiltServer> {
  const { entry = productEntry, before = [], runBy = [], root = projectRoot } = surroundings;
  const dataDir = surroundings.dataDir ?? (await mkdtemp(path.join(tmpdir(), "chalkline-bench-")));
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
  const script = [...before, startCommand(entry)].join("\n");
  const [program = "", ...parameters] = [...runBy, "sh", "-c", script];
  const server = spawn(program, parameters, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(server, "exit").then(([code, signal]) => String(signal ?? code));
  const killWithUs = () => server.kill("SIGKILL");
  process.once("exit", killWithUs);
  ended.then(() => process.off("exit", killWithUs));
  async function stop() {
    if (server.exitCode === null && server.signalCode === null) {
      const kill = setTimeout(() => server.kill("SIGKILL"), stopTimeoutMs);
      server.kill("SIGTERM");
      await ended;
      clearTimeout(kill);
    }
    if (!surroundings.dataDir) await rm(dataDir, { recursive: true, force: true });
  }
  try {
    const errors: string[] = [];
    const url = await readAddress(server, errors, surroundings.startTimeoutMs ?? startTimeoutMs);
    const startedInMs = performance.now() - spawnedAt;
    return { url, pid: server.pid ?? 0, dataDir, startedInMs, errors, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for the line that says where the server is running. Of what comes later, errors are kept. */
function readAddress(server: ChildProcess, errors: string[], timeoutMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  let isRunning = false;
  const refuse = (why: string) => reject(new Error(`The server ${why}:\n${output}`));
  const timeout = setTimeout(refuse, timeoutMs, "did not start in time");
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
  if (server.stderr) {
    createInterface(server.stderr).on("line", (line) => {
      if (isRunning && errors.length < errorsMaxCount && isErrorLine(line)) errors.push(line);
    });
  }
  server.once("exit", () => refuse("ended"));
  return promise.finally(() => clearTimeout(timeout));
}
