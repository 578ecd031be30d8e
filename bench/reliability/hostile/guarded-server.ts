import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BuiltServer, startBuiltServer } from "../../built-server.ts";
import { serverCores } from "../../cores.ts";
import { createMemoryGroup, statusBytes } from "../../memory-group.ts";

/** What a copy of the site has, in bytes (issue: "in a memory group of 512 MB"). */
export const groupBytes = 512 * 2 ** 20;

const sampleMs = 100;

export type GuardedServer = {
  readonly pid: number;
  port: number;
  url: string;
  how: string;
  /** How often the process ended without having been told to, and by what. */
  deaths: string[];
  /** Errors in the log, of all processes. */
  errors(): string[];
  /** Of the group and of the process, the most so far. */
  peak(): { groupBytes: number; residentBytes: number };
  stop(): Promise<void>;
};

/**
 * The built server in its memory group and on a core of its own, on a copy of a data folder; started again where it dies,
 * as a supervisor would.
 */
export async function startGuardedServer(template: string): Promise<GuardedServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "chalkline-guarded-"));
  await cp(template, dataDir, { recursive: true });
  const group = createMemoryGroup(groupBytes);
  const pin = `taskset -cp ${serverCores} $$ >/dev/null 2>&1`;
  const before = [...(group.surroundings.before ?? []), pin];
  const surroundings = { ...group.surroundings, before, dataDir };
  const past: BuiltServer[] = [];
  let stopping = false;
  const deaths: string[] = [];
  const most = { groupBytes: 0, residentBytes: 0 };

  let server = await startBuiltServer({}, surroundings);
  const { url } = server;
  const port = Number(new URL(url).port);
  const supervising = supervise();
  const sampling = setInterval(sample, sampleMs);

  async function supervise() {
    while (!stopping) {
      const how = await server.ended;
      if (stopping) return;
      deaths.push(how);
      past.push(server);
      server = await startBuiltServer({ PORT: String(port) }, surroundings);
      if (stopping) await server.stop();
    }
  }
  function sample() {
    try {
      most.groupBytes = Math.max(most.groupBytes, group.peakBytes(server.pid));
      const residentBytes = statusBytes(server.pid, "VmHWM");
      if (residentBytes > most.residentBytes) most.residentBytes = residentBytes;
    } catch {
      // It has just died.
    }
  }

  return {
    get pid() {
      return server.pid;
    },
    port,
    url,
    how: group.how,
    deaths,
    errors: () => [...past, server].flatMap((each) => each.errors),
    peak() {
      sample();
      return most;
    },
    async stop() {
      stopping = true;
      clearInterval(sampling);
      await server.stop();
      await supervising;
      group.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
