import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import { needTool } from "../debian-tools.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import { median } from "../median.ts";
import { type LoadResult, medianByRate, sendLoad } from "./load.ts";

const warmUpSeconds = 5;
const runSeconds = 10;
const rounds = 3;
const bareSeconds = 2;
/** What is left of a bare insert when it comes as a request, is checked, and its mail is written. */
const bareShareBar = 0.5;
/** Of SQLite's rate, which needs no round trips. */
const sqliteShareBar = 0.8;

const subjects = [
  { what: "sign-up", script: "sign-up.lua", table: "subscribers" },
  { what: "contact message", script: "contact-message.lua", table: "contact_messages" },
] as const;

/**
 * Sign-ups and messages on SQLite and on PostgreSQL, each acknowledged after its commit is on the disk, while the outbox
 * mails them.
 */
export const writes: Measurement = {
  name: "writes",
  async run({ say }) {
    needTool("wrk");
    const rows: string[][] = [];
    for (const subject of subjects) {
      say(`${subject.what}: ${rounds} rounds of ${runSeconds} s on each database`);
      // Before the server runs, whose mail would be written meanwhile.
      const bare: number[] = [];
      for (let round = 0; round < rounds; round += 1) bare.push(await bareInsertsPerSecond());
      const sqlite = await onSqlite(subject);
      const postgres = await onPostgres(subject);
      rows.push(
        rowOf(subject, "SQLite", sqlite, { perSecond: median(bare), bar: bareShareBar }),
        rowOf(subject, "PostgreSQL", postgres, {
          perSecond: sqlite.perSecond,
          bar: sqliteShareBar,
        }),
      );
    }
    return [tableOf(rows)];
  },
};

type Subject = (typeof subjects)[number];
type Measured = LoadResult & { acknowledged: number; stored: number };

// A server and a database of its own for each, so that none has another's mail still to send.
const entry = "bench/performance/server-without-limits.ts";

async function onSqlite(subject: Subject): Promise<Measured> {
  const server = await startBuiltServer({}, { entry });
  try {
    const loaded = await load(server, subject);
    return { ...loaded, stored: countRows(server, subject.table) };
  } finally {
    await server.stop();
  }
}

async function onPostgres(subject: Subject): Promise<Measured> {
  const cluster = await startPostgresCluster({ isDurable: true });
  try {
    const server = await startBuiltServer({ DATABASE_URL: cluster.url }, { entry });
    const loaded = await load(server, subject).finally(() => server.stop());
    const client = new pg.Client(cluster.url);
    await client.connect();
    const { rows } = await client.query(`select count(*) as count from ${subject.table}`);
    await client.end();
    return { ...loaded, stored: Number(rows[0]?.count) };
  } finally {
    await cluster.stop();
  }
}

async function load(server: BuiltServer, { script }: Subject) {
  const file = path.join(import.meta.dirname, script);
  const warmUp = await sendLoad({ url: server.url, seconds: warmUpSeconds, script: file });
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    results.push(await sendLoad({ url: server.url, seconds: runSeconds, script: file }));
  }
  return {
    ...medianByRate(results),
    acknowledged: [warmUp, ...results].reduce((sum, { requests }) => sum + requests, 0),
    failed: results.reduce((sum, result) => sum + result.failed, warmUp.failed),
  };
}

function rowOf(
  { what }: Subject,
  database: string,
  { perSecond, p50Ms, p99Ms, failed, acknowledged, stored }: Measured,
  yardstick: { perSecond: number; bar: number },
): string[] {
  const share = perSecond / yardstick.perSecond;
  return [
    what,
    database,
    Math.round(perSecond).toLocaleString("en-CA"),
    Math.round(yardstick.perSecond).toLocaleString("en-CA"),
    `${share.toFixed(2)}${share < yardstick.bar ? " !" : ""}`,
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    String(failed),
    acknowledged.toLocaleString("en-CA"),
    stored.toLocaleString("en-CA"),
  ];
}

function countRows({ dataDir }: BuiltServer, table: string): number {
  const database = new DatabaseSync(path.join(dataDir, "chalkline.sqlite"), { readOnly: true });
  const row = database.prepare(`select count(*) as count from ${table}`).get();
  database.close();
  return Number(row?.count);
}

/** One small row a commit, each waiting for the disk: what SQLite gives on this machine with nothing around it. */
async function bareInsertsPerSecond(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-bare-"));
  const database = new DatabaseSync(path.join(folder, "bare.sqlite"));
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec("create table t (id integer primary key, email text not null) strict");
  const insert = database.prepare("insert into t (email) values (?)");
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < bareSeconds * 1000) {
    insert.run(`reader-${count}@example.com`);
    count += 1;
  }
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  database.close();
  await rm(folder, { recursive: true, force: true });
  return perSecond;
}

function tableOf(rows: string[][]): BenchTable {
  return {
    title: "Sign-ups and messages, durable",
    note: `\`wrk\`, 64 connections, one thread, ${runSeconds} s, median of ${rounds} rounds, over HTTP to the built server on SQLite (\`synchronous=FULL\`) and on PostgreSQL (\`fsync\` and \`synchronous_commit\` on, on the same machine), with the outbox writing the mail of what came in at the same time. The limits on both forms are off, since the load comes from one address. A bare insert into SQLite is a small row and a commit each, with nothing around it, for ${bareSeconds} s, ${rounds} times before the server starts; the middle one. SQLite is held against those, PostgreSQL against SQLite. The bars are 3,000 sign-ups a second, ${bareShareBar} of the bare inserts and ${sqliteShareBar} of SQLite (! is under it), and a p99 under 60 ms. "In the database" may be above "acknowledged" by the answers that the end of a round cut off, never below.`,
    columns: [
      "what",
      "database",
      "a second",
      "held against",
      "share",
      "p50 ms",
      "p99 ms",
      "failed",
      "acknowledged",
      "in the database",
    ],
    rows,
  };
}
