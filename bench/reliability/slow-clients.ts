import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import { needTool } from "../debian-tools.ts";
import type { BenchContext, BenchTable, Measurement } from "../measurement.ts";
import { runSlowHttpTest } from "./slowhttptest.ts";

const slowClients = 1_000;
/** Opened in a second. */
const slowClientsRate = 250;
const attackSeconds = 40;
/** Late in the attack: who is connected then is not cut off. */
const openAfterSeconds = 35;
/** Between two visits of each of the other visitors. */
const visitEveryMs = 100;
const visitorsAtOnce = 4;
/** A visitor who waits longer, or gets no page, counts as delayed. */
const delayedAfterMs = 1_000;
const visitTimeoutMs = 5_000;

/** Stands for the address of the largest script, which every build names anew. */
const largestFile = "largest file";

/** The attacks of slowhttptest: what is slow, and its options. */
const attacks: { name: string; path: string; options: string[] }[] = [
  { name: "slow headers", path: "/", options: ["-H", "-i", "3", "-x", "24"] },
  {
    name: "slow body",
    path: "/functions/v1/newsletter-signup",
    options: ["-B", "-i", "3", "-s", "8192", "-x", "10", "-f", "application/json"],
  },
  {
    name: "slow body of a form",
    path: "/contact",
    options: ["-B", "-i", "3", "-s", "8192", "-x", "10"],
  },
  // Ten times the largest file on each connection: more than the system takes in for a reader.
  {
    name: "slow read",
    path: largestFile,
    options: ["-X", "-w", "10", "-y", "20", "-n", "3", "-z", "8", "-k", "10"],
  },
];

/** A thousand slow clients at a time, by slowhttptest, beside visitors who want a page. */
export const slowClientAttacks: Measurement = {
  name: "slow-clients",
  async run(context) {
    needTool("slowhttptest");
    const rows: string[][] = [];
    rows.push(await measure({ name: "none, for comparison", path: "/", options: [] }, context));
    for (const attack of attacks) rows.push(await measure(attack, context));
    return [table(rows)];
  },
};

function table(rows: string[][]): BenchTable {
  return {
    title: "Slow clients",
    note: `slowhttptest opens ${slowClients} connections and keeps at it for ${attackSeconds} s. Beside it ${visitorsAtOnce} visitors load /, /newsletter and a page that is never kept. Delayed: no page within ${delayedAfterMs / 1_000} s.`,
    columns: [
      "Attack",
      "Slow clients held at most",
      `Still held after ${openAfterSeconds} s`,
      "Visits",
      "Visitors delayed",
      "Slowest visit",
      "Peak memory",
    ],
    rows,
  };
}

async function measure(attack: (typeof attacks)[number], { say }: BenchContext): Promise<string[]> {
  say(`${attack.name} …`);
  const server = await startBuiltServer();
  try {
    const stopping = new AbortController();
    const visits: number[] = [];
    const visitors = Array.from({ length: visitorsAtOnce }, () =>
      visit(server, visits, stopping.signal),
    );
    const watching = watch(server, stopping.signal);
    const late = delay(openAfterSeconds * 1_000).then(() => connectionsOf(server));
    if (attack.options.length > 0) await attackWith(server, attack);
    const open = await late;
    stopping.abort();
    await Promise.all(visitors);
    const { openMax, peakBytes } = await watching;
    const delayed = visits.filter((ms) => ms > delayedAfterMs).length;
    return [
      attack.name,
      String(Math.max(0, openMax - visitorsAtOnce)),
      String(Math.max(0, open - visitorsAtOnce)),
      String(visits.length),
      String(delayed),
      `${Math.max(...visits).toFixed(0)} ms`,
      `${(peakBytes / 2 ** 20).toFixed(0)} MiB`,
    ];
  } finally {
    await server.stop();
  }
}

/** Visits one page after the other and keeps the time of each; a visit that fails counts as one that never ends. */
async function visit(server: BuiltServer, visits: number[], signal: AbortSignal): Promise<void> {
  const paths = ["/", "/newsletter", "/search?q=lead", "/pricing"];
  for (let turn = 0; !signal.aborted; turn += 1) {
    const startedAt = performance.now();
    try {
      const response = await fetch(server.url + paths[turn % paths.length], {
        signal: AbortSignal.timeout(visitTimeoutMs),
      });
      await response.text();
      visits.push(response.ok ? performance.now() - startedAt : visitTimeoutMs);
    } catch {
      visits.push(visitTimeoutMs);
    }
    await delay(visitEveryMs);
  }
}

/** The most connections and the most memory that the server had, looked at several times a second. */
async function watch(server: BuiltServer, signal: AbortSignal) {
  let openMax = 0;
  let peakBytes = 0;
  while (!signal.aborted) {
    openMax = Math.max(openMax, connectionsOf(server));
    const [, pages = "0"] = readFileSync(`/proc/${server.pid}/statm`, "utf8").split(" ");
    peakBytes = Math.max(peakBytes, Number(pages) * 4096);
    await delay(200);
  }
  return { openMax, peakBytes };
}

/** Established connections of the server's port, by the kernel's own list. */
function connectionsOf(server: BuiltServer): number {
  const port = Number(new URL(server.url).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return lines.filter((line) => new RegExp(`^ *\\d+: [0-9A-F]{8}:${port} \\S+ 01 `).test(line))
    .length;
}

async function pathOf(server: BuiltServer, path: string): Promise<string> {
  if (path !== largestFile) return path;
  const home = await (await fetch(server.url)).text();
  const script = /\/assets\/entry\.client-[\w-]+\.js/.exec(home)?.[0];
  if (!script) throw new Error("The home page names no script.");
  return script;
}

async function attackWith(server: BuiltServer, attack: (typeof attacks)[number]): Promise<void> {
  await runSlowHttpTest({
    url: server.url + (await pathOf(server, attack.path)),
    options: attack.options,
    connections: slowClients,
    rate: slowClientsRate,
    seconds: attackSeconds,
  });
}
