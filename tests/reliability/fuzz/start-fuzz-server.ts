import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bareEnvironment } from "../../site-server.ts";
import { isErrorLine } from "../is-error-line.ts";

const startTimeoutMs = 30_000;

export type FuzzServer = {
  port: number;
  dataDir: string;
  /** Log lines of failures so far. */
  errors: string[];
  /** Why the process ended, where it did by itself. */
  crash(): string | null;
  /** Bytes held after a full collection of what isn't in use: JavaScript's heap, and the whole process. */
  settledMemory(): Promise<{ heapBytes: number; residentBytes: number }>;
  /** Bytes that the process holds right now. */
  residentBytes(): number;
  close(): Promise<void>;
};

/** Starts the server that is fuzzed, on a free port with an empty data folder. Needs the production build. */
export async function startFuzzServer(): Promise<FuzzServer> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "chalkline-fuzz-"));
  const server = fork(path.join(import.meta.dirname, "fuzz-server.ts"), {
    env: {
      ...bareEnvironment,
      NODE_ENV: "production",
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      LOG_LEVEL: "error",
    },
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const errors = collectErrors(server);
  const pid = server.pid ?? 0;
  let isClosing = false;
  const close = async () => {
    isClosing = true;
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, "exit");
      server.kill("SIGKILL");
      await exited;
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { port } = await messageOf<{ port: number }>(server);
    return {
      port,
      dataDir,
      errors,
      crash() {
        if (isClosing || (server.exitCode === null && server.signalCode === null)) return null;
        return `ended with ${server.exitCode ?? server.signalCode}: ${errors.at(-1) ?? ""}`;
      },
      async settledMemory() {
        const answer = messageOf<{ memory: NodeJS.MemoryUsage }>(server);
        server.send("memory");
        const { memory } = await answer;
        return { heapBytes: memory.heapUsed + memory.external, residentBytes: memory.rss };
      },
      residentBytes: () => residentBytes(pid),
      close,
    };
  } catch (error) {
    await close();
    throw new Error(`The server did not start: ${errors.join("\n")}`, { cause: error });
  }
}

function collectErrors(server: ChildProcess): string[] {
  const errors: string[] = [];
  let partial = "";
  server.stderr?.on("data", (chunk: Buffer) => {
    const lines = (partial + chunk.toString()).split("\n");
    partial = lines.pop() ?? "";
    errors.push(...lines.filter(isErrorLine));
  });
  return errors;
}

async function messageOf<Message>(server: ChildProcess): Promise<Message> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(startTimeoutMs)]);
  const ended = once(server, "exit", { signal }).then(() => {
    throw new Error("The process ended.");
  });
  ended.catch(() => {});
  try {
    const [message] = await Promise.race([once(server, "message", { signal }), ended]);
    return message as Message;
  } finally {
    done.abort();
  }
}

function residentBytes(pid: number): number {
  try {
    const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    return Number(pages) * 4096;
  } catch {
    return 0;
  }
}
