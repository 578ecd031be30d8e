import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type PostgresCluster, startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
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

/** One address that leads to whichever server is the primary. */
async function startBalancer(first: PostgresCluster) {
  let target = Number(new URL(first.url).port);
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.pipe(upstream).pipe(client);
    onTestFinished(() => void upstream.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = new URL(first.url);
  url.port = String((server.address() as AddressInfo).port);
  const leadTo = (other: PostgresCluster) => {
    target = Number(new URL(other.url).port);
  };
  return { url: url.href, leadTo };
}

async function write(open: Awaited<ReturnType<typeof openDatabase>>) {
  await sql`insert into marks (name, set_at) values (${String(Math.random())}, 'now')`.execute(
    open.db,
  );
}

test("sessions of a former primary are closed, and writing and readiness come back by themselves", async () => {
  const [former, next] = await Promise.all([startServer(), startServer()]);
  const balancer = await startBalancer(former);
  const open = await openDatabase({ dataDir, databaseUrl: balancer.url });
  onTestFinished(() => open.close());
  await Promise.all([1, 2, 3, 4].map(() => write(open)));
  await makeReadOnly(former);
  await expect.poll(() => open.ping().catch((error) => error.code)).toBe("25006");
  balancer.leadTo(next);
  await expect
    .poll(async () => {
      const written = await Promise.allSettled([1, 2, 3, 4].map(() => write(open)));
      return written.every(({ status }) => status === "fulfilled");
    })
    .toBe(true);
  await open.ping();
});

test("of several hosts in the address, the one that takes writes is used", async () => {
  const [former, next] = await Promise.all([startServer(), startServer()]);
  const databaseUrl = former.url.replace(/(?=\/postgres$)/, `,${new URL(next.url).host}`);
  const open = await openDatabase({ dataDir, databaseUrl });
  onTestFinished(() => open.close());
  await write(open);
  await former.stop();
  await expect
    .poll(() =>
      write(open).then(
        () => "written",
        (error) => String(error),
      ),
    )
    .toBe("written");
});

test("a database that can't store every letter is refused, with the way to make one that can", async () => {
  const { url } = await startServer();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0",
  );
  await client.end();
  const databaseUrl = url.replace(/\/postgres$/, "/latin");
  const open = await openDatabase({ dataDir, databaseUrl });
  onTestFinished(() => open.close());
  await expect(open.ping()).rejects.toThrow("encoding is LATIN1");
});
