// `npm start`: brings packages and build up to date, then serves in the project's own runtime. Plain JavaScript for any
// Node from 20 on, like prepare.mjs.
//
//   npm start              in a terminal the site and the desk, otherwise the site, as with NODE_ENV=production
//   npm start -- --site    the site alone
//   npm start -- --desk    both, without a terminal too
import { spawn } from "node:child_process";
import { constants } from "node:os";
import path from "node:path";
import "./prepare.mjs";

const projectRoot = path.join(import.meta.dirname, "..");
const options = process.argv.slice(2);
const isSomebodyHere = process.stdin.isTTY && process.stdout.isTTY;
const withDesk =
  options.includes("--desk") ||
  (isSomebodyHere && process.env.NODE_ENV !== "production" && !options.includes("--site"));

const site = start(["server/start.mjs"], withDesk ? ["inherit", "pipe", "pipe"] : "inherit");
let desk;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
  process.on(signal, () => {
    site.kill(signal);
    desk?.kill(signal);
  });
}
site.on("exit", (code, signal) => {
  const exitCode = code ?? 128 + constants.signals[signal];
  if (!desk || desk.exitCode !== null || desk.signalCode !== null) process.exit(exitCode);
  if (!site.killed) console.error("The site has ended. Start it and the desk again by npm start.");
  desk.on("exit", () => process.exit(exitCode));
  desk.kill();
});

if (withDesk) {
  let said = "";
  site.stdout.setEncoding("utf8").on("data", (text) => {
    if (desk) return;
    said += text;
    const [running] = /^.* is running at http\S+/m.exec(said) ?? [];
    if (!running) return;
    console.log(running);
    // The desk finds the database as the site has brought it up to date.
    desk = start(["desk/start.mjs", "--beside-the-site"], "inherit");
  });
  // Its log is for programs: a person is told what went wrong.
  let line = "";
  site.stderr.setEncoding("utf8").on("data", (text) => {
    const lines = (line + text).split("\n");
    line = lines.pop();
    for (const each of lines) if (!/^\{"level":[1-4]0,/.test(each)) console.error(each);
  });
}

function start(words, stdio) {
  const runtime = path.join(projectRoot, "node_modules/.bin/node");
  const env = { ...process.env, NODE_ENV: "production" };
  return spawn(runtime, words, { cwd: projectRoot, env, stdio });
}
