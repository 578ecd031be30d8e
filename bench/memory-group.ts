import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Surroundings } from "./built-server.ts";

/** A bound on what a server and all it starts may hold; past it the kernel kills. */
type MemoryGroup = {
  /** How the bound is kept, in words for the report. */
  how: string;
  /** What puts a server into the group as it starts. */
  surroundings: Pick<Surroundings, "before" | "runBy">;
  /** The most in use so far, by the kernel's own count, with what the files read and written take in its cache. */
  peakBytes(pid: number): number;
  remove(): void;
};

const controllers = "/sys/fs/cgroup";
const namePrefix = "chalkline-bench-";
const watchEvery = "0.05";

/**
 * A memory group by the best means that the machine has: a scope of systemd's, a control group of either version made
 * by hand, or else a watch that looks at the resident memory and kills.
 */
export function createMemoryGroup(limitBytes: number): MemoryGroup {
  const name = `${namePrefix}${process.pid}-${Math.round(performance.now())}`;
  return (
    systemdScope(name, limitBytes) ??
    controlGroup(name, limitBytes) ??
    controlGroupOfVersion1(name, limitBytes) ??
    watched(limitBytes)
  );
}

function systemdScope(name: string, limitBytes: number): MemoryGroup | null {
  const options = ["--scope", "--quiet", `--property=MemoryMax=${limitBytes}`];
  const program = ["systemd-run", ...options, "--property=MemorySwapMax=0"];
  const [command = "", ...parameters] = [...program, "true"];
  if (spawnSync(command, parameters, { stdio: "ignore" }).status !== 0) return null;
  return {
    how: "systemd-run --scope, MemoryMax",
    surroundings: { runBy: [...program, `--unit=${name}`] },
    peakBytes(pid) {
      const group = /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "";
      return readNumber(path.join(controllers, group, "memory.peak"));
    },
    remove() {},
  };
}

function controlGroup(name: string, limitBytes: number): MemoryGroup | null {
  const folder = path.join(controllers, name);
  try {
    removeLeftOver(controllers);
    if (!existsSync(path.join(controllers, "cgroup.controllers"))) return null;
    writeFileSync(path.join(controllers, "cgroup.subtree_control"), "+memory");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "memory.max"), String(limitBytes));
  } catch {
    return null;
  }
  return ofFolder("control group, memory.max", folder, "memory.peak");
}

function controlGroupOfVersion1(name: string, limitBytes: number): MemoryGroup | null {
  const folder = path.join(controllers, "memory", name);
  try {
    removeLeftOver(path.dirname(folder));
    mkdirSync(folder);
    writeFileSync(path.join(folder, "memory.limit_in_bytes"), String(limitBytes));
  } catch {
    return null;
  }
  return ofFolder(
    "control group (version 1), memory.limit_in_bytes",
    folder,
    "memory.max_usage_in_bytes",
  );
}

/** Groups of runs that were killed: a group can be removed once nobody is in it. */
function removeLeftOver(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(namePrefix)) continue;
    try {
      rmdirSync(path.join(parent, name));
    } catch {
      // Another run is in it.
    }
  }
}

function ofFolder(how: string, folder: string, peakFile: string): MemoryGroup {
  return {
    how,
    surroundings: { before: [`echo $$ > ${folder}/cgroup.procs`] },
    peakBytes: () => readNumber(path.join(folder, peakFile)),
    remove() {
      rmdirSync(folder);
    },
  };
}

/** `/proc/PID/status`, which shells can read too: the server is killed by what it has left beside it. */
function watched(limitBytes: number): MemoryGroup {
  const limitKb = Math.floor(limitBytes / 1024);
  const resident = "awk '/^VmRSS/ {print $2}' /proc/$$/status 2>/dev/null";
  const look = `[ "$(${resident})" -gt ${limitKb} ] 2>/dev/null && kill -9 $$`;
  return {
    how: `no group to be had: resident memory looked at every ${watchEvery} s, killed past the limit`,
    surroundings: {
      before: [`(while kill -0 $$ 2>/dev/null; do ${look}; sleep ${watchEvery}; done) &`],
    },
    peakBytes: (pid) => statusBytes(pid, "VmHWM"),
    remove() {},
  };
}

/** A line of `/proc/PID/status` in bytes, such as VmRSS, what is resident, or VmHWM, the most that ever was. */
export function statusBytes(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

function readNumber(file: string): number {
  return Number(readFileSync(file, "utf8").trim());
}
