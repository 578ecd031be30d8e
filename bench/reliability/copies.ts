import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { loadMigrations } from "#db/migrate.ts";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { runCommand } from "#tests/site-commands.ts";
import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import type { BenchTable, Measurement } from "../measurement.ts";

const copies = 20;
/** Twenty copies of ten, and the commands beside them; PostgreSQL's own is 100. */
const maxConnections = 250;
/** On a small machine all of them share its cores. */
const startTimeoutMs = 120_000;
const seenBarMs = 1_000;
const askEveryMs = 100;

/** Twenty copies that start at the same moment on an empty PostgreSQL, and an issue that is published to all of them. */
export const copiesAtOnce: Measurement = {
  name: "copies",
  async run({ say }) {
    const cluster = await startPostgresCluster({
      isDurable: true,
      settings: [`max_connections=${maxConnections}`],
    });
    const folder = await mkdtemp(path.join(tmpdir(), "chalkline-copies-"));
    let servers: BuiltServer[] = [];
    try {
      say(`${copies} copies start at once`);
      const started = await Promise.allSettled(
        Array.from({ length: copies }, () =>
          startBuiltServer({ DATABASE_URL: cluster.url }, { startTimeoutMs }),
        ),
      );
      servers = started.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
      const failures = started.length - servers.length;
      const connections = await countRows(
        cluster.url,
        "pg_stat_activity where usename is not null",
      );
      const migrations = await countRows(cluster.url, "kysely_migration");
      say("an issue is published");
      await Promise.all(servers.map(({ url }) => fetch(`${url}/newsletter`)));
      const file = path.join(folder, "issue.html");
      await writeFile(file, "<p>Seen everywhere</p>");
      const command = ["issues", "publish", file, "--title", "Seen everywhere"];
      const published = await runCommand(command, { env: { DATABASE_URL: cluster.url } });
      if (published.exitCode !== 0) throw new Error(published.stderr);
      const publishedAt = performance.now();
      const seenMs = await Promise.all(
        servers.map(async ({ url }) => {
          await untilSeen(url);
          return performance.now() - publishedAt;
        }),
      );
      for (const line of new Set(servers.flatMap(({ errors }) => errors.map(messageOf)))) say(line);
      const known = Object.keys(await loadMigrations()).length;
      return [tableOf({ servers, failures, migrations, known, connections, seenMs })];
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** What a line of the log says, with the cause's own words. */
function messageOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line);
    return `${msg}: ${err?.message ?? ""}`;
  } catch {
    return line;
  }
}

async function untilSeen(url: string): Promise<void> {
  for (;;) {
    const page = await fetch(`${url}/newsletter`).then((response) => response.text());
    if (page.includes("Seen everywhere")) return;
    await delay(askEveryMs);
  }
}

async function countRows(url: string, from: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(`select count(*) as count from ${from}`);
  await client.end();
  return Number(rows[0]?.count);
}

type Seen = {
  servers: BuiltServer[];
  failures: number;
  migrations: number;
  known: number;
  connections: number;
  seenMs: number[];
};

function tableOf({ servers, failures, migrations, known, connections, seenMs }: Seen): BenchTable {
  const last = Math.max(...seenMs);
  const slowest = Math.max(...servers.map(({ startedInMs }) => startedInMs));
  const errors = servers.reduce((sum, server) => sum + server.errors.length, 0);
  return {
    title: "Twenty copies at once on an empty PostgreSQL",
    note: `${copies} servers started at the same moment on this machine, on one empty database with \`max_connections = ${maxConnections}\`; then an issue is published by command, and every copy is asked for the archive every ${askEveryMs} ms from the end of the command. All of them make the page anew at the same moment, on the processors of this one machine. The bar is ${seenBarMs} ms for the last of them (! is over it), and no start that fails.`,
    columns: [
      "copies",
      "starts that failed",
      "the last one ran after",
      "migrations carried out",
      "connections",
      "first saw the issue, ms",
      "last saw it, ms",
      "errors in the logs",
    ],
    rows: [
      [
        String(servers.length),
        String(failures),
        `${(slowest / 1000).toFixed(1)} s`,
        `${migrations} of ${known}`,
        String(connections),
        Math.min(...seenMs).toFixed(0),
        `${last.toFixed(0)}${last > seenBarMs ? " !" : ""}`,
        String(errors),
      ],
    ],
  };
}
