import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { needWrk, startBuiltServer } from "./built-server.ts";
import { loadNote, measureLoads } from "./load.ts";
import type { Table } from "./report.ts";

const bareSeconds = 2;
/** Without the limits on the forms: the load comes from one address. */
const entry = "bench/server-without-limits.ts";
const script = path.join(import.meta.dirname, "sign-up.lua");

/** Sign-ups on both databases, each acknowledged after its commit, while the outbox sends their mail. */
export async function writes(): Promise<Table> {
  needWrk();
  const bare = await bareInsertsPerSecond();
  const sqlite = await signUps("SQLite", {});
  const cluster = await startPostgresCluster({ isDurable: true });
  try {
    const postgres = await signUps("PostgreSQL", { DATABASE_URL: cluster.url });
    return {
      title: "Sign-ups, one commit each",
      note: `${loadNote} A bare insert into SQLite, one commit each with nothing around it: ${bare.toFixed(0)} a second in the same run. PostgreSQL with \`fsync\`, on the same machine. To hold: 500 a second on SQLite, 200 on PostgreSQL, p99 under 250 ms.`,
      columns: ["database", "a second", "p50 / p99 ms", "failed"],
      rows: [sqlite, postgres],
    };
  } finally {
    await cluster.stop();
  }
}

/** A row of the table. */
async function signUps(database: string, settings: { DATABASE_URL?: string }): Promise<string[]> {
  const server = await startBuiltServer(settings, { entry });
  const [result] = await measureLoads([{ url: server.url, script }]).finally(server.stop);
  const { perSecond = 0, p50Ms = 0, p99Ms = 0, failed = 0 } = result ?? {};
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
