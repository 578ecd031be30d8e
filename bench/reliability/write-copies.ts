import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { startBuiltServer } from "../built-server.ts";
import { needTool } from "../debian-tools.ts";
import type { Measurement } from "../measurement.ts";
import { sendLoad } from "../performance/load.ts";
import { processorMs } from "../processor-time.ts";
import { watchWaits } from "./lock-waits.ts";

const mostCopies = 3;
const warmUpSeconds = 4;
const runSeconds = 8;
const entry = "bench/performance/server-with-wide-limits.ts";
const subjects = [
  { what: "sign-up", script: "sign-up.lua" },
  { what: "contact message", script: "contact-message.lua" },
];

/**
 * What more copies of the server on one PostgreSQL bring to both forms, what each write costs them, and what it waits
 * for.
 */
export const writeCopies: Measurement = {
  name: "write-copies",
  async run({ say }) {
    needTool("wrk");
    const rows: string[][] = [];
    for (const { what, script } of subjects) {
      for (let copies = 1; copies <= mostCopies; copies += 1) {
        say(`${what}: ${copies} at once, ${runSeconds} s`);
        rows.push([what, ...(await measure(copies, path.join(loadFolder, script)))]);
      }
    }
    return [
      {
        title: "Sign-ups and messages on one PostgreSQL, by copies of the server",
        note: `\`wrk\`, 64 connections to each copy, ${runSeconds} s after ${warmUpSeconds} s to warm up, \`fsync\` and \`synchronous_commit\` on, all on the same machine, the load too. The limits count as always, under keys that all of it shares since it comes from one address, and are too wide to refuse anybody. Processor time is that of all threads, for each write; "busy" is how many processors server and database took together. Waits are shares of the looks at connections at work (\`pg_stat_activity\`, every 10 ms): for what another connection holds locked, and for the log to be written. A lock that kept copies apart would show as waits that grow with them while processors stand idle.`,
        columns: [
          "what",
          "copies",
          "a second",
          "failed",
          "server, µs each",
          "PostgreSQL, µs each",
          "busy",
          "waits for locks",
          "waits for the log",
        ],
        rows,
      },
    ];
  },
};

const loadFolder = path.join(import.meta.dirname, "../performance");

async function measure(copies: number, script: string): Promise<string[]> {
  const cluster = await startPostgresCluster({ isDurable: true });
  const servers: Awaited<ReturnType<typeof startBuiltServer>>[] = [];
  try {
    // One after the other: the first one makes the tables.
    for (let copy = 0; copy < copies; copy += 1) {
      servers.push(await startBuiltServer({ DATABASE_URL: cluster.url }, { entry }));
    }
    const loadAll = (seconds: number) =>
      Promise.all(servers.map(({ url }) => sendLoad({ url, seconds, script })));
    await loadAll(warmUpSeconds);
    const postmaster = await postmasterOf(cluster.url);
    const spent = () => ({
      server: servers.reduce((sum, { pid }) => sum + processorMs(pid), 0),
      postgres: postgresMs(postmaster),
    });
    const waits = watchWaits(cluster.url);
    const before = spent();
    const results = await loadAll(runSeconds);
    const after = spent();
    const { forLocks, forDisk } = await waits.stop();
    const writes = results.reduce((sum, { requests }) => sum + requests, 0);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    const each = (ms: number) => ((ms * 1000) / writes).toFixed(0);
    const busyMs = after.server - before.server + after.postgres - before.postgres;
    return [
      String(copies),
      Math.round(writes / runSeconds).toLocaleString("en-CA"),
      String(failed),
      each(after.server - before.server),
      each(after.postgres - before.postgres),
      (busyMs / 1000 / runSeconds).toFixed(2),
      `${(100 * forLocks).toFixed(1)} %`,
      `${(100 * forDisk).toFixed(1)} %`,
    ];
  } finally {
    for (const server of servers) await server.stop();
    await cluster.stop();
  }
}

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const postmaster = parentOf(Number(rows[0].pid));
  await client.end();
  return postmaster;
}

/** Of the server's processes that run now; connections are kept, so that none of weight has ended. */
function postgresMs(postmaster: number): number {
  let ms = processorMs(postmaster);
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      if (parentOf(Number(name)) === postmaster) ms += processorMs(Number(name));
    } catch {
      // It has ended since the folder was read.
    }
  }
  return ms;
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
