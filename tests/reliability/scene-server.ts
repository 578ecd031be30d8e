import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { endProcess } from "../end-process.ts";
import { bareEnvironment, siteAddress } from "../site-server.ts";
import { startProgram } from "../start-program.ts";

export type ServerOrder = {
  /** With `false`, SQLite says that the disk is full as soon as the database needs another page. */
  databaseMayGrow: boolean;
};

export type SceneServer = ReturnType<typeof createSceneServer>;

export type SceneServerOptions = {
  settings: Record<string, string>;
  /** The module that the process runs: the server with quick deliveries, where none is named. */
  script?: string;
};

const quickServer = path.join(import.meta.dirname, "quick-outbox-server.ts");
/** The real server, signals and log included. */
export const plainServer = path.join(import.meta.dirname, "plain-site-server.ts");

/** The test's server as a process of its own; `start` starts it, and again after a `kill`. */
export function createSceneServer({ settings, script = quickServer }: SceneServerOptions) {
  let child: ChildProcess | null = null;
  let wasKilled = false;
  let said = "";
  let origin: string | null = null;

  return {
    get origin() {
      return origin;
    },
    /** Its log, and whatever else it says. */
    said: () => said,
    async start() {
      wasKilled = false;
      const usual = { NODE_ENV: "production", LOG_LEVEL: "warn", PORT: "0", HOST: "127.0.0.1" };
      const env = { ...bareEnvironment, ...usual, ...settings };
      const started = await startProgram([script], env, siteAddress, (text) => {
        said += text;
      });
      child = started.child;
      origin = started.match;
    },
    /** Ends the process in order, and gives its exit code. */
    stop: async () => (child ? await endProcess(child) : null),
    async kill() {
      origin = null;
      wasKilled = true;
      if (child) await endProcess(child, "SIGKILL");
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
