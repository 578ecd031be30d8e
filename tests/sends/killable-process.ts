import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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
