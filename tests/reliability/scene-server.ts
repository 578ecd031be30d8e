import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { endProcess } from "../end-process.ts";
import { bareEnvironment, siteAddress } from "../site-server.ts";

export type ServerOrder = {
  /** With `false`, SQLite says that the disk is full as soon as the database needs another page. */
  databaseMayGrow: boolean;
};

export type SceneServer = ReturnType<typeof createSceneServer>;

export type SceneServerOptions = {
  settings: Record<string, string>;
  openFilesMax?: number;
  /** The module that the process runs: the server with quick deliveries, where none is named. */
  script?: string;
};

type LogLine = { level: number; msg: string };

const quickServer = path.join(import.meta.dirname, "quick-outbox-server.ts");
/** The real server, signals and log included. */
export const plainServer = path.join(import.meta.dirname, "plain-site-server.ts");
const projectRoot = path.join(import.meta.dirname, "..", "..");

/** The test's server as a process of its own; `start` starts it, and again after a `kill`. */
export function createSceneServer({
  settings,
  openFilesMax,
  script = quickServer,
}: SceneServerOptions) {
  let child: ChildProcess | null = null;
  let wasKilled = false;
  const lines: LogLine[] = [];
  let origin: string | null = null;

  return {
    get origin() {
      return origin;
    },
    log: () => lines,
    async start() {
      // Node raises the soft limit to the hard one, so both are lowered, and before it starts.
      const limited = openFilesMax ? ["sh", "-c", `ulimit -n ${openFilesMax}; exec "$0" "$@"`] : [];
      const [program = "", ...parameters] = [...limited, process.execPath, script];
      const started = spawn(program, parameters, {
        cwd: projectRoot,
        env: {
          ...bareEnvironment,
          NODE_ENV: "production",
          LOG_LEVEL: "warn",
          PORT: "0",
          HOST: "127.0.0.1",
          ...settings,
        },
        stdio: ["ignore", "pipe", "pipe", "ipc"],
      });
      child = started;
      wasKilled = false;
      createInterface(started.stderr as NodeJS.ReadableStream).on("line", (line) =>
        lines.push(readLine(line)),
      );
      const ended = once(started, "exit").then(() => null);
      const running = new Promise<string>((resolve) => {
        createInterface(started.stdout as NodeJS.ReadableStream).on("line", (line) => {
          const at = siteAddress.exec(line)?.[1];
          if (at) resolve(at);
        });
      });
      origin = await Promise.race([running, ended]);
      if (!origin) throw new Error(`The server did not start:\n${JSON.stringify(lines)}`);
    },
    /** Ends the process in order, and gives its exit code. */
    stop: async () => (child ? await endProcess(child) : null),
    async kill() {
      origin = null;
      wasKilled = true;
      if (child) await endProcess(child, "SIGKILL");
    },
    /** Takes the processor from it for so many milliseconds. */
    async starve(ms: number) {
      child?.kill("SIGSTOP");
      await delay(ms);
      child?.kill("SIGCONT");
    },
    /** Whether the process has ended without having been told to. */
    hasDied: () => !wasKilled && (child?.exitCode !== null || child.signalCode !== null),
    async order(order: ServerOrder) {
      if (!child) throw new Error("The server does not run.");
      const done = once(child, "message");
      child.send(order);
      await done;
    },
  };
}

function readLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    // Node's own words, such as a warning.
    return { level: 40, msg: line };
  }
}
