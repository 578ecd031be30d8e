// `npm run newcomers`: starts the site as people who have just cloned it do, with each Node and npm, and on odd machines,
// and prints a table of what came of it. Takes a quarter of an hour, most of it for packages. Ends with 1 where a row failed.
// Words after it choose rows: npm run newcomers -- 'Node 20' path
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

type Row = {
  name: string;
  node?: number;
  npm?: number;
  settings?: Record<string, string>;
  /** The clone's folder; another than `clone` has the packages and the build of the one before. */
  folder?: string;
  /** Before the command, in a shell. */
  first?: string;
  asNobody?: true;
  /** As one word of what is said, where it isn't to be served. */
  says?: RegExp;
  /** Everything else is served over 127.0.0.1. */
  isIpv6?: true;
  closesTerminal?: true;
};

/** What npm needs where the registry is behind a proxy. */
const waysToTheRegistry = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(?:npm_config_registry|npm_config_cafile|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i.test(
      name,
    ),
  ),
);
const isRoot = process.getuid?.() === 0;
const projectRoot = path.join(import.meta.dirname, "..");
const work = mkdtempSync(path.join(tmpdir(), "newcomers-"));
chmodSync(work, 0o755);
const longestMs = 15 * 60_000;

const rows: Row[] = [
  { name: "Node 20, npm 10", node: 20, npm: 10 },
  { name: "Node 22, npm 10", node: 22, npm: 10 },
  { name: "Node 24, npm 11", node: 24, npm: 11 },
  {
    name: "npm's settings: omit=optional, engine-strict, bin-links=false",
    node: 20,
    npm: 10,
    settings: {
      npm_config_omit: "optional",
      npm_config_engine_strict: "true",
      npm_config_bin_links: "false",
    },
  },
  {
    name: "another user than root, no HOME, umask 077, locale C",
    asNobody: true,
    first: "umask 077; export LC_ALL=C; unset HOME",
  },
  { name: "Node 26, npm 11" },
  { name: "a path with a blank and an é", folder: "chalk line é" },
  { name: "a path with #", folder: "site#1", says: /whose path has a #/ },
  { name: "a path with %", folder: "100%", says: /whose path has a %/ },
  {
    name: "a checkout that can't be written to, DATA_DIR elsewhere",
    folder: "read-only",
    asNobody: true,
    settings: { DATA_DIR: path.join(work, "data") },
  },
  { name: "IPv6 alone", folder: "ipv6", isIpv6: true },
  { name: "HOST=::1", folder: "ipv6-loopback", settings: { HOST: "::1" } },
  {
    name: "HOST as conda sets it",
    folder: "conda",
    settings: { HOST: "x86_64-conda-linux-gnu" },
    says: /HOST is x86_64-conda-linux-gnu/,
  },
  { name: "HOST as csh sets it", folder: "csh", first: 'export HOST="$(hostname)"' },
  { name: "a terminal that is closed", folder: "terminal", closesTerminal: true },
];

const chosen = process.argv.slice(2);
/** The others begin with a copy of this one. */
const lastFresh = rows.findLast(isFresh);
const results: { name: string; verdict: string; seconds: number; said: string }[] = [];
const bare = path.join(work, "origin");
execFileSync("git", ["clone", "--quiet", "--bare", projectRoot, bare]);
let built = "";
for (const row of rows) {
  const isNeeded = row === lastFresh && built === "";
  if (chosen.length > 0 && !isNeeded && !chosen.some((word) => row.name.includes(word))) continue;
  const startedAt = performance.now();
  console.log(`== ${row.name}`);
  const { verdict, said } = await tryRow(row).catch((error) => ({
    verdict: "FAIL",
    said: String(error),
  }));
  const seconds = (performance.now() - startedAt) / 1000;
  results.push({ name: row.name, verdict, seconds, said });
}
rmSync(work, { recursive: true, force: true });

console.log("\n| who starts it | what came of it | s |\n|---|---|---|");
for (const { name, verdict, seconds, said } of results)
  console.log(`| ${name} | ${verdict}: ${said.replaceAll("|", "\\|")} | ${seconds.toFixed(0)} |`);
process.exitCode = results.some(({ verdict }) => verdict === "FAIL") ? 1 : 0;

function isFresh({ folder }: Row): boolean {
  return folder === undefined;
}

async function tryRow(row: Row): Promise<{ verdict: string; said: string }> {
  if (!isRoot && (row.asNobody || row.isIpv6))
    return { verdict: "NOT CHECKED", said: "needs root to become another user" };
  if (row.folder !== undefined && built === "")
    return { verdict: "NOT CHECKED", said: "no clone was built" };
  const programs = await programsOf(row.node ?? 26, row.npm ?? 11);
  const clone = placeOf(row);
  const { child, said } = start(row, clone, programs);
  try {
    const url = await served(child, said);
    if (row.says) {
      const sentence = said()
        .trim()
        .split("\n")
        .find((line) => row.says?.test(line));
      return sentence ? { verdict: "ok", said: sentence } : { verdict: "FAIL", said: last(said()) };
    }
    if (url === null) return { verdict: "FAIL", said: last(said()) };
    const page = await getPage(url, row, child);
    if (!page.includes("</html>")) return { verdict: "FAIL", said: `no page at ${url}` };
    if (row === lastFresh) built = clone;
    if (row.closesTerminal && !(await endsWithTerminal(child, url)))
      return { verdict: "FAIL", said: "the server lives on" };
    return { verdict: "ok", said: row.closesTerminal ? "served, and ended with it" : "served" };
  } finally {
    await end(child);
    if (clone !== built) rmSync(clone, { recursive: true, force: true });
  }
}

/** A clone of the last commit; or a copy of the one that was built, as if its packages had come there. */
function placeOf({ folder, asNobody }: Row): string {
  const isCopy = folder !== undefined;
  const clone = path.join(work, folder ?? `clone-${results.length}`);
  if (isCopy) execFileSync("cp", ["-a", built, clone]);
  else execFileSync("git", ["clone", "--quiet", bare, clone]);
  if (asNobody && !isCopy) execFileSync("chown", ["-R", "nobody", clone]);
  if (asNobody && isCopy) {
    execFileSync("chmod", ["-R", "a+rX", clone]);
    mkdirSync(path.join(work, "data"));
    execFileSync("chown", ["nobody", path.join(work, "data")]);
  }
  return clone;
}

function start(row: Row, clone: string, programs: string) {
  const command = `${row.first ?? ":"}; exec npm start`;
  const own = row.asNobody ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  const noIpv4 = "ip link set lo up; ip addr del 127.0.0.1/8 dev lo";
  const apart = row.isIpv6 ? ["unshare", "--net", "sh", "-c", `${noIpv4}; exec "$@"`, "sh"] : [];
  const [program = "", ...words] = [...apart, ...own, "sh", "-c", command];
  const child = spawn(program, words, {
    cwd: clone,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...waysToTheRegistry,
      PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin`,
      HOME: path.join(work, "home"),
      PORT: "0",
      ...row.settings,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return { child, said: () => output };
}

/** The address that it says; null where it ended before. */
async function served(child: ChildProcess, said: () => string): Promise<string | null> {
  const deadline = performance.now() + longestMs;
  while (performance.now() < deadline) {
    const url = /is running at (http:\/\/(?:\[\S+\]|[^\s:]+):\d+)/.exec(said())?.[1];
    if (url) return url;
    if (child.exitCode !== null || child.signalCode !== null) return null;
    await delay(200);
  }
  throw new Error(`Nothing was served within ${longestMs / 60_000} minutes: ${last(said())}`);
}

async function getPage(url: string, { isIpv6 }: Row, { pid }: ChildProcess): Promise<string> {
  if (!isIpv6) return await fetch(url).then((response) => response.text());
  const inside = ["--target", String(pid), "--net", "curl", "--silent", "--max-time", "20"];
  const address = `http://[::1]:${new URL(url).port}/`;
  return spawnSync("nsenter", [...inside, address], { encoding: "utf8" }).stdout;
}

async function endsWithTerminal(child: ChildProcess, url: string): Promise<boolean> {
  const closed = once(child, "close");
  process.kill(-(child.pid ?? 0), "SIGHUP");
  await Promise.race([closed, delay(15_000)]);
  return await fetch(url).then(
    () => false,
    () => true,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  process.kill(-(child.pid ?? 0), "SIGTERM");
  await Promise.race([closed, delay(15_000)]);
}

/** A folder with this Node and this npm, from npm's own packages of both. */
async function programsOf(node: number, npm: number): Promise<string> {
  const folder = path.join(work, `node-${node}-npm-${npm}`);
  const bin = path.join(folder, "bin");
  const runtime = `node-linux-${process.arch}`;
  if (spawnSync("test", ["-e", bin]).status === 0) return bin;
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), "{}");
  const wanted = [`${runtime}@${node}`, `npm@${npm}`];
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...wanted], {
    cwd: folder,
  });
  symlinkSync(path.join(folder, "node_modules", runtime, "bin/node"), path.join(bin, "node"));
  const cli = path.join(folder, "node_modules/npm/bin/npm-cli.js");
  writeFileSync(path.join(bin, "npm"), `#!/bin/sh\nexec node '${cli}' "$@"\n`, { mode: 0o755 });
  return bin;
}

function last(said: string): string {
  return said.trim().split("\n").slice(-3).join(" / ");
}
