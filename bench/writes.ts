import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { needTool, startBuiltServer } from "./built-server.ts";
import { type LoadResult, loadNote, measureLoads } from "./load.ts";
import type { Table } from "./report.ts";

const bareSeconds = 2;
/** Without the limits on the forms: the load comes from one address. */
const entry = "bench/server-without-limits.ts";
const script = path.join(import.meta.dirname, "sign-up.lua");

/** Sign-ups on both databases, each acknowledged after its commit, while the outbox sends their mail. */
export async function writes(): Promise<Table> {
  needTool("wrk");
  const bare = await bareInsertsPerSecond();
  const sqlite = await signUps({});
  const cluster = await startPostgresCluster({ isDurable: true });
  try {
    const postgres = await signUps({ DATABASE_URL: cluster.url });
    const client = new pg.Client(cluster.url);
    await client.connect();
    const { rows } = await client.query("select count(*) as count from subscribers");
    await client.end();
    return {
      title: "Sign-ups, one commit each",
      note: `${loadNote} A bare insert into SQLite, one commit each with nothing around it: ${bare.toFixed(0)} a second in the same run. PostgreSQL with \`fsync\`, on the same machine; it stored ${rows[0]?.count} in all. To hold: 500 a second on SQLite, 200 on PostgreSQL, p99 under 250 ms.`,
      columns: ["database", "a second", "p50 / p99 ms", "failed"],
      rows: [rowOf("SQLite", sqlite), rowOf("PostgreSQL", postgres)],
    };
  } finally {
    await cluster.stop();
  }
}

async function signUps(settings: { DATABASE_URL?: string }): Promise<LoadResult> {
  const server = await startBuiltServer(settings, { entry });
  try {
    const [result] = await measureLoads([{ url: server.url, script }]);
    return result as LoadResult;
  } finally {
    await server.stop();
  }
}

function rowOf(database: string, { perSecond, p50Ms, p99Ms, failed }: LoadResult): string[] {
  return [database, perSecond.toFixed(0), `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`, `${failed}`];
}

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
  database.close();
  await rm(folder, { recursive: true, force: true });
  return count / bareSeconds;
}
