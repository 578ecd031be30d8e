import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type PostgresCluster, startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { freePort } from "#tests/free-port.ts";
import { startMailServer } from "#tests/mail-server.ts";
import { startShippedNginx } from "#tests/shipped-nginx.ts";
import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import { startBeside } from "../cores.ts";
import { needTool } from "../debian-tools.ts";
import { seedDatabase } from "../growth/seed.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import { type Absence, lossTable, visitorsTable } from "./two-copies/count-losses.ts";
import type { LoadReport } from "./two-copies/mixed-load.ts";
import { makeNextRelease } from "./two-copies/next-release.ts";

const loadProgram = path.join(import.meta.dirname, "two-copies", "mixed-load.ts");
const assetsFolder = path.join(import.meta.dirname, "..", "..", "build", "client", "assets");
const issues = 12;
const assetsCount = 20;
const loadSeconds = 90;
/** Between two disturbances. */
const calmMs = 8_000;
/** As systemd does by our unit. */
const restartAfterMs = 2_000;
const postgresDownMs = 1_000;
const startTimeoutMs = 60_000;
const drainTimeoutMs = 120_000;
const lookEveryMs = 20;

/**
 * Two copies and PostgreSQL behind the shipped nginx, while visitors come at a steady rate: everything is killed or
 * restarted in turn, and what visitors saw of it and what of their forms arrived is counted.
 */
export const twoCopies: Measurement = {
  name: "two-copies",
  async run({ say }): Promise<BenchTable[]> {
    needTool("nginx");
    const cluster = await startPostgresCluster({ isDurable: true });
    const mailServer = await startMailServer();
    const release = await makeNextRelease();
    const copies = new Map<number, BuiltServer>();
    const ports = [await freePort(), await freePort()] as const;
    let nginx: Awaited<ReturnType<typeof startShippedNginx>> | null = null;
    try {
      await seedDatabase({ dataDir: "", databaseUrl: cluster.url }, { issues });
      const settings = {
        DATABASE_URL: cluster.url,
        SMTP_URL: mailServer.url,
        TRUSTED_PROXIES: "127.0.0.1",
        SITE_URL: "https://www.example.com",
      };
      const errors: string[] = [];
      const start = async (port: number, root?: string) => {
        const server = await startBuiltServer(
          { ...settings, PORT: String(port) },
          { startTimeoutMs, root },
        );
        copies.set(port, server);
        server.ended.then(() => errors.push(...server.errors));
      };
      for (const port of ports) await start(port);
      nginx = await startShippedNginx(ports);
      const order = {
        port: nginx.https,
        seconds: loadSeconds,
        assets: (await readdir(assetsFolder))
          .filter((name) => /\.(?:js|css|woff2)$/.test(name))
          .slice(0, assetsCount)
          .map((name) => `/assets/${name}`),
        issues,
      };
      say("visitors come");
      const load = startBeside<LoadReport>(loadProgram, order);
      const { absences, disturbances } = await disturb({
        ...{ cluster, copies, ports, start, say },
        nextRelease: release.root,
      });
      const report = await load.result;
      say("the rest of the mail goes out");
      await untilDrained(cluster.url);
      const stored = await readStored(cluster.url);
      const logged = [...errors, ...[...copies.values()].flatMap((copy) => copy.errors)];
      for (const line of (await nginx.errors()).split("\n").slice(0, 10)) if (line) say(line);
      return [
        visitorsTable({ report, absences, disturbances }),
        lossTable({ report, stored, mails: mailServer.received, logged }),
      ];
    } finally {
      await nginx?.stop();
      await Promise.all([...copies.values()].map((copy) => copy.stop()));
      await cluster.stop();
      await mailServer.close();
      await release.remove();
    }
  },
};

type Scene = {
  cluster: PostgresCluster;
  copies: Map<number, BuiltServer>;
  ports: readonly [number, number];
  start(port: number, root?: string): Promise<void>;
  say(line: string): void;
  nextRelease: string;
};

/** Everything in turn; when the database was away, and when each thing happened. */
async function disturb({ cluster, copies, ports, start, say, nextRelease }: Scene) {
  const absences: Absence[] = [];
  const disturbances: Absence[] = [];
  async function during(what: string, work: () => Promise<void>) {
    await delay(calmMs);
    say(what);
    const from = Date.now();
    await work();
    disturbances.push({ what, from, until: Date.now() });
  }
  async function away(what: string, work: () => Promise<void>) {
    await during(what, async () => {
      const from = Date.now();
      const isBack = untilAnswers(cluster.url);
      await work();
      await isBack;
      absences.push({ what, from, until: Date.now() });
    });
  }
  for (const [index, port] of ports.entries()) {
    await during(`copy ${index + 1} is killed, and started again`, async () => {
      process.kill(copies.get(port)?.pid ?? 0, "SIGKILL");
      await delay(restartAfterMs);
      await start(port);
    });
  }
  await away("PostgreSQL is restarted", () => cluster.restart());
  await away("PostgreSQL crashes, and is started again", () => cluster.crash(postgresDownMs));
  const [first, second] = ports;
  const update = async (port: number) => {
    await copies.get(port)?.stop();
    await start(port, nextRelease);
  };
  await during("copy 1 is updated, and migrates", () => update(first));
  await during("copy 2 goes on as it was, on the newer schema", () => delay(calmMs));
  await during("copy 2 is updated", () => update(second));
  return { absences, disturbances };
}

/** Resolves when it has been away and answers again. */
async function untilAnswers(url: string): Promise<void> {
  let hasBeenAway = false;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
    client.on("error", () => {});
    const answers = await client
      .connect()
      .then(() => client.query("select 1"))
      .then(
        () => true,
        () => false,
      );
    await client.end().catch(() => {});
    if (!answers) hasBeenAway = true;
    else if (hasBeenAway) return;
    await delay(lookEveryMs);
  }
}

async function untilDrained(url: string): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < drainTimeoutMs) {
    const [row] = await rowsOf(
      url,
      "select count(*)::int as waiting from outbox where delivered_at is null and failed_at is null",
    );
    if (row?.waiting === 0) return;
    await delay(500);
  }
}

async function readStored(url: string) {
  const messages = await rowsOf(url, "select email from contact_messages");
  const readers = await rowsOf(url, "select email from subscribers");
  return {
    messages: messages.map(({ email }) => String(email)),
    "sign-ups": readers.map(({ email }) => String(email)),
  };
}

async function rowsOf(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(query);
  await client.end();
  return rows;
}
