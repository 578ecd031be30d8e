import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { endProcess } from "#tests/end-process.ts";
import { bareEnvironment, type SiteServerSettings, siteAddress } from "#tests/site-server.ts";
import { startProgram } from "#tests/start-program.ts";
import { findOrInstallProgram } from "../scripts/install-debian-packages.ts";

/**
 * Starts the production build as `npm start` does, on a free port with a new data folder and none of the machine's
 * settings. Rejects with the server's output when it doesn't start.
 */
export async function startBuiltServer(
  settings: SiteServerSettings = {},
  { entry = "server/start.mjs" } = {},
) {
  const dataDir = await mkdtemp(path.join(tmpdir(), "chalkline-bench-"));
  const own = { PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  const env = { ...bareEnvironment, NODE_ENV: "production", ...own, ...settings };
  const { child, match: url } = await startProgram([entry], env, siteAddress);
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  return {
    url,
    dataDir,
    /** The process's resident memory now, in MB. */
    residentMb() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    async stop() {
      await endProcess(child);
      process.off("exit", kill);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Installs the load generator where it is missing. Throws where it can't. */
export function needWrk(): void {
  if (!findOrInstallProgram("wrk")) throw new Error("Install wrk first: apt-get install wrk");
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
