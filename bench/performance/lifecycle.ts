import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sitePages } from "#tests/every-page/routes.ts";
import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import { needTool } from "../debian-tools.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import { median } from "../median.ts";
import { sendLoad } from "./load.ts";

const projectRoot = path.join(import.meta.dirname, "..", "..");
const starts = 5;
const loadSeconds = 10;
const settleMs = 5_000;
const megabyte = 1_000_000;

/** Building, starting, the first rendering of each page, and memory. */
export const lifecycle: Measurement = {
  name: "lifecycle",
  async run({ say }) {
    needTool("wrk");
    say("Building");
    const built = build();
    say("Starting");
    const compiled = path.join(projectRoot, "node_modules", ".cache", "node");
    rmSync(compiled, { recursive: true, force: true });
    const first = await firstPageMs();
    const later: number[] = [];
    for (let start = 0; start < starts; start += 1) later.push(await firstPageMs());
    say("Rendering every page for the first time");
    const rendered = await renderEveryPage();
    say("Memory");
    return [
      tableOfTimes(built, first, later, rendered),
      await memoryTable("server/start.ts", "bench/performance/server-without-limits.ts"),
    ];
  },
};

/** Seconds that `npm run build` takes. */
function build(): number {
  const startedAt = performance.now();
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: projectRoot,
    stdio: "ignore",
  });
  if (status !== 0) throw new Error("The site could not be built.");
  return (performance.now() - startedAt) / 1000;
}

/** From starting the process to the last byte of the home page; the database is made meanwhile. */
async function firstPageMs(): Promise<number> {
  const startedAt = performance.now();
  const server = await startBuiltServer();
  try {
    await fetch(server.url).then((response) => response.text());
    return performance.now() - startedAt;
  } finally {
    await server.stop();
  }
}

async function renderEveryPage(): Promise<number[]> {
  const server = await startBuiltServer();
  try {
    const times: number[] = [];
    for (const { path: address, status } of sitePages) {
      if (status !== 200) continue;
      const startedAt = performance.now();
      await fetch(server.url + address).then((response) => response.text());
      times.push(performance.now() - startedAt);
    }
    return times;
  } finally {
    await server.stop();
  }
}

function tableOfTimes(
  buildSeconds: number,
  firstMs: number,
  laterMs: number[],
  renderedMs: number[],
): BenchTable {
  const ms = (value: number) => `${Math.round(value)} ms`;
  return {
    title: "Building, starting, rendering",
    note: "A start is the time from `node` starting, with an empty data folder, to the last byte of the home page. A first rendering is that of a page that nobody has asked for yet, with its compression in four encodings; afterwards it is answered from memory.",
    columns: ["what", "took", "bar"],
    rows: [
      ["`npm run build`", `${buildSeconds.toFixed(1)} s`, "under 15 s"],
      ["first start after the build", ms(firstMs), "under 1,000 ms"],
      [`later starts, median of ${starts}`, ms(median(laterMs)), "under 1,000 ms"],
      [`first rendering, median of ${renderedMs.length} pages`, ms(median(renderedMs)), ""],
      ["first rendering, slowest page", ms(Math.max(...renderedMs)), ""],
    ],
  };
}

async function memoryTable(product: string, withoutLimits: string): Promise<BenchTable> {
  const rows: string[][] = [];
  const add = (what: string, server: BuiltServer, bar = "") =>
    rows.push([what, `${Math.round(residentBytes(server.pid) / megabyte)} MB`, bar]);
  const reader = await startBuiltServer({}, { entry: product });
  await delay(settleMs);
  add("idle after the start", reader);
  for (const { path: address } of sitePages) {
    await fetch(reader.url + address).then((response) => response.text());
  }
  add("after rendering every page", reader);
  for (const address of ["/", "/newsletter/1"]) {
    const headers = { "accept-encoding": "br" };
    await sendLoad({ url: reader.url + address, seconds: loadSeconds, headers });
  }
  add(`after ${2 * loadSeconds} s of page load over 64 connections`, reader, "under 150 MB");
  await reader.stop();
  const writer = await startBuiltServer({}, { entry: withoutLimits });
  const script = path.join(import.meta.dirname, "sign-up.lua");
  await sendLoad({ url: writer.url, seconds: loadSeconds, script });
  await delay(settleMs);
  add(`another server, after ${loadSeconds} s of sign-ups over 64 connections`, writer);
  await writer.stop();
  return { title: "Resident memory", columns: ["when", "resident", "bar"], rows };
}

/** `VmRSS` of the kernel: pages of the Node program itself are in it, 70 MB of which all Node processes share. */
function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
