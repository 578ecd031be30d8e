import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";

/** A child that is started, killed and started again. */
export function processOf(script: string, parameters: () => string[]) {
  let child: ChildProcess | null = null;
  return {
    async start() {
      child = spawn(process.execPath, [path.join(import.meta.dirname, script), ...parameters()], {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      await once(child, "message");
    },
    async kill() {
      if (!child) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      child = null;
    },
  };
}

/** A port that nobody has at this moment, for a server that takes it again after each kill. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
