import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type SettingName, settingNames } from "#settings/setting-declarations.ts";
import { findOrInstallProgram } from "../scripts/install-debian-packages.ts";

const projectRoot = path.join(import.meta.dirname, "..");

export type BuiltServer = {
  url: string;
  dataDir: string;
  /** The process's resident memory now, in MB. */
  residentMb(): number;
  isRunning(): boolean;
  stop(): Promise<void>;
};

/**
 * Starts the production build as `npm start` does, on a free port with a new data folder and none of the machine's
 * settings. Rejects with the server's output when it doesn't start.
 */
export async function startBuiltServer(
  settings: Partial<Record<SettingName, string>> = {},
  { entry = "server/start.mjs", flags = [] as string[] } = {},
): Promise<BuiltServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "chalkline-bench-"));
  const server = spawn(process.execPath, [...flags, entry], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      ...Object.fromEntries(settingNames.map((name) => [name, ""])),
      ...{ PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir, LOG_LEVEL: "warn" },
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = () => server.kill("SIGKILL");
  process.once("exit", kill);
  const isRunning = () => server.exitCode === null && server.signalCode === null;
  async function stop() {
    if (isRunning()) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    process.off("exit", kill);
    await rm(dataDir, { recursive: true, force: true });
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk).slice(-10_000);
      const port = /is running at http:\S+?:(\d+)/.exec(output)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  }
  server.once("exit", () => reject(new Error(`The server did not start:\n${output}`)));
  try {
    return { url: await promise, dataDir, residentMb, isRunning, stop };
  } catch (error) {
    await stop();
    throw error;
  }
  function residentMb() {
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }
}

/** Installs a program of Debian's where it is missing. Throws where it can't. */
export function needTool(tool: "nginx" | "wrk"): void {
  if (!findOrInstallProgram(tool))
    throw new Error(`Install ${tool} first: apt-get install ${tool}`);
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
