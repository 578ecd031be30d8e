// `npm start`: brings packages and build up to date, then serves in the project's own runtime. Plain JavaScript for any
// Node from 20 on, like prepare.mjs.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import path from "node:path";
import "./prepare.mjs";

const projectRoot = path.join(import.meta.dirname, "..");
const runtime = path.join(projectRoot, "node_modules/.bin/node");
const server = spawn(runtime, ["server/start.mjs"], {
  cwd: projectRoot,
  env: { ...process.env, NODE_ENV: "production" },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
  process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
