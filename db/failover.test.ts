import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { listInbox } from "#contact/inbox.ts";
import { type PostgresCluster, startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { startWay } from "#tests/databases/way.ts";
import { sendMessage } from "#tests/visitors.ts";
import { migrateToLatest } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

const dataDir = "";

async function startServer(): Promise<PostgresCluster> {
  const cluster = await startPostgresCluster();
  onTestFinished(() => cluster.stop());
  const open = await openDatabase({ dataDir, databaseUrl: cluster.url });
  await migrateToLatest(open);
  await open.close();
  return cluster;
}

async function makeReadOnly({ url }: PostgresCluster) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("alter system set default_transaction_read_only = on");
  await client.query("select pg_reload_conf()");
  await client.end();
}

async function write(open: Awaited<ReturnType<typeof openDatabase>>) {
  await sql`insert into marks (name, set_at) values (${String(Math.random())}, 'now')`.execute(
    open.db,
  );
}

test("sessions of a former primary are closed, and writing and readiness come back by themselves", async () => {
  const [former, next] = await Promise.all([startServer(), startServer()]);
  const way = await startWay(former.url);
  const open = await openDatabase({ dataDir, databaseUrl: way.url });
  onTestFinished(() => open.close());
  await Promise.all([1, 2, 3, 4].map(() => write(open)));
  await makeReadOnly(former);
  await expect.poll(() => open.ping().catch((error) => error.code)).toBe("25006");
  way.leadTo(next.url);
  await expect
    .poll(async () => {
      const written = await Promise.allSettled([1, 2, 3, 4].map(() => write(open)));
      return written.every(({ status }) => status === "fulfilled");
    })
    .toBe(true);
  await open.ping();
});

test("a connection that has gone silent is closed, so that the next statement takes another", async () => {
  const way = await startWay((await startServer()).url);
  const options = { maxConnections: 1, statementMs: 500 };
  const open = await openDatabase({ dataDir, databaseUrl: way.url }, options);
  onTestFinished(() => open.close());
  await write(open);
  way.silence();
  await expect(write(open)).rejects.toThrow("timeout");
  await write(open);
});

test("a role that may hold three connections serves forty visitors at once by them", async () => {
  const server = await startServer();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query("create role panel login password 'pw' connection limit 3");
  await admin.query("grant all on all tables in schema public to panel");
  await admin.end();
  const url = new URL(server.url);
  Object.assign(url, { username: "panel", password: "pw" });
  const open = await openDatabase({ dataDir, databaseUrl: url.href });
  onTestFinished(() => open.close());
  await write(open);
  const visits = Array.from({ length: 40 }, () => write(open));
  expect((await Promise.allSettled(visits)).filter(({ status }) => status === "rejected")).toEqual(
    [],
  );
});

test("a primary whose connections are all busy is not taken for one that has gone", async () => {
  const [primary, standby] = await Promise.all([startServer(), startServer()]);
  await makeReadOnly(standby);
  const databaseUrl = primary.url.replace(/(?=\/postgres$)/, `,${new URL(standby.url).host}`);
  const open = await openDatabase({ dataDir, databaseUrl }, { maxConnections: 1 });
  onTestFinished(() => open.close());
  await open.db.transaction().execute(async () => {
    await expect(write(open)).rejects.toThrow("timeout exceeded when trying to connect");
  });
  await write(open);
});

async function makeDatabase(name: string, encoding: string) {
  const { url } = await startServer();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const locale = "lc_collate 'C' lc_ctype 'C' template template0";
  await client.query(`create database ${name} encoding '${encoding}' ${locale}`);
  await client.end();
  const open = await openDatabase({ dataDir, databaseUrl: url.replace(/postgres$/, name) });
  onTestFinished(() => open.close());
  return open;
}

test("a database that can't store every letter is refused, with the way to make one that can", async () => {
  const open = await makeDatabase("latin", "LATIN1");
  await expect(open.ping()).rejects.toThrow("encoding is LATIN1");
});

test("a database that takes every byte stores every letter, and finds words as they are typed", async () => {
  const open = await makeDatabase("bytes", "SQL_ASCII");
  await migrateToLatest(open);
  await sendMessage(open.db, { firstName: "Étienne", company: "O'Hara 100%" });
  const found = async (find: string) =>
    (await listInbox(open.db, { today: "2026-11-20", find, limit: 5 })).map(
      ({ firstName }) => firstName,
    );
  for (const find of ["Étienne", "o'HARA", "100%"]) expect(await found(find)).toEqual(["Étienne"]);
  expect(await found("10_%")).toEqual([]);
});
