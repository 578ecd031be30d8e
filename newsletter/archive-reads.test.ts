import { type Kysely, sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { OpenDatabase } from "#db/database-handle.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { openPostgres } from "#db/open-postgres.ts";
import type { Database } from "#db/tables.ts";
import { type PostgresCluster, startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { until } from "#tests/until.ts";
import { createArchiveReads } from "./archive-reads.ts";
import { readArchiveVersion } from "./archive-version.ts";
import { createSearchThrough } from "./search-issues.ts";

let cluster: PostgresCluster;
let replicaServer: Awaited<ReturnType<PostgresCluster["startReplica"]>>;
let primary: OpenDatabase;
let replica: OpenDatabase;
const lost = () => {};

beforeAll(async () => {
  cluster = await startPostgresCluster();
  primary = await openPostgres(cluster.url, lost);
  await migrateToLatest(primary);
  replicaServer = await cluster.startReplica();
  replica = await openPostgres(replicaServer.url, lost);
});

afterEach(async () => {
  await sql`select pg_wal_replay_resume()`.execute(replica.db).catch(lost);
  await primary.db.deleteFrom("final_newsletters").execute();
});

afterAll(async () => {
  await replica?.close();
  await primary?.close();
  await replicaServer?.stop();
  await cluster?.stop();
});

async function publish(title: string) {
  const row = { title, content_markdown: "Words", publish_date: "2026-11-21" };
  await primary.db.insertInto("final_newsletters").values(row).execute();
}

const titles = async (db: Kysely<Database>) => ({
  from: db === replica.db ? "replica" : "primary",
  titles: (await db.selectFrom("final_newsletters").select("title").execute()).map(
    ({ title }) => title,
  ),
});

async function caughtUp() {
  const version = await readArchiveVersion(primary.db);
  await until(async () => (await readArchiveVersion(replica.db)) === version);
}

test("what is in the replica is read from there, and what is not yet, from the primary", async () => {
  const clock = { time: 0 };
  const reads = createArchiveReads(primary.db, replica.db, { now: () => clock.time });
  await publish("One");
  await caughtUp();
  expect(await reads.read(titles)).toEqual({ from: "replica", titles: ["One"] });

  await sql`select pg_wal_replay_pause()`.execute(replica.db);
  await publish("Two");
  // Nobody has heard of it: it is known within a second.
  expect(await reads.read(titles)).toEqual({ from: "replica", titles: ["One"] });
  clock.time += 1_001;
  expect(await reads.read(titles)).toEqual({ from: "primary", titles: ["One", "Two"] });
  // The rest of the database may be behind for as long as it likes.
  await sql`select pg_wal_replay_resume()`.execute(replica.db);
  await caughtUp();
  clock.time += 101;
  expect(await reads.read(titles)).toEqual({ from: "replica", titles: ["One", "Two"] });
});

test("what is heard of, or asked for by its version, is never read as it was before", async () => {
  const reads = createArchiveReads(primary.db, replica.db, { now: () => 0 });
  await caughtUp();
  expect(await reads.read(titles)).toEqual({ from: "replica", titles: [] });
  await sql`select pg_wal_replay_pause()`.execute(replica.db);
  await publish("One");
  await reads.version();
  expect(await reads.read(titles)).toEqual({ from: "primary", titles: ["One"] });
  await publish("Two");
  reads.lookAgain();
  expect(await reads.read(titles)).toEqual({ from: "primary", titles: ["One", "Two"] });
});

test("a replica that is away is asked again after a while, and nobody sees it", async () => {
  const clock = { time: 0 };
  const onReplicaAway = vi.fn();
  const away = await openPostgres("postgres://nobody:x@127.0.0.1:1/none", lost);
  const reads = createArchiveReads(primary.db, away.db, { now: () => clock.time, onReplicaAway });
  for (let n = 0; n < 3; n += 1) expect(await reads.read(titles)).toMatchObject({ titles: [] });
  expect(onReplicaAway).toHaveBeenCalledTimes(1);
  clock.time += 1_001;
  await reads.read(titles);
  expect(onReplicaAway).toHaveBeenCalledTimes(2);
  clock.time += 1_001;
  await reads.read(titles);
  expect(onReplicaAway).toHaveBeenCalledTimes(2);
  await away.close();
});

test("a question that is wrong in itself is the asker's, and says nothing of the replica", async () => {
  const onReplicaAway = vi.fn();
  const reads = createArchiveReads(primary.db, replica.db, { now: () => 0, onReplicaAway });
  await caughtUp();
  await expect(reads.read((db) => sql`select 1 / 0`.execute(db))).rejects.toThrow("zero");
  expect(await reads.read(titles)).toMatchObject({ from: "replica" });
  expect(onReplicaAway).not.toHaveBeenCalled();
});

test("while the primary is away, the replica is read as it is", async () => {
  const away = await openPostgres("postgres://nobody:x@127.0.0.1:1/none", lost);
  const reads = createArchiveReads(away.db, replica.db, { now: () => 0 });
  await publish("One");
  await caughtUp();
  expect(await reads.read(titles)).toEqual({ from: "replica", titles: ["One"] });
  const search = createSearchThrough(reads.read);
  const words = { groups: [[{ word: "one", isPrefix: false }]], combine: "all" as const };
  expect((await search.find(words)).inTitle).toEqual([]);
  await away.close();
});
