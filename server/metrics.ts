import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import type { Kysely } from "kysely";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { readBackupState } from "#db/backup.ts";
import type { Database } from "#db/tables.ts";
import { countOutboxByKind } from "#mail/outbox.ts";
import { functionNames, functionOutcomes } from "./api/functions.ts";
import { readStoredCounts } from "./health/stored-counts.ts";

const requestKinds = ["kept_page", "file", "page", "form", "rest", "function", "health"];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * This instance's counts (docs/operating.md). They begin at 0, since an alert misses a rise in a
 * new label.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "chalkline_http_requests_total",
    help: "Answers by what made them and how they ended.",
    labelNames: ["kind", "status"],
    registers,
  });
  for (const kind of requestKinds) requests.inc({ kind, status: "5xx" }, 0);
  const functionAnswers = new Counter({
    name: "chalkline_function_answers_total",
    help: "Calls of the forms' functions.",
    labelNames: ["function", "outcome"],
    registers,
  });
  for (const name of functionNames) {
    for (const outcome of functionOutcomes) functionAnswers.inc({ function: name, outcome }, 0);
  }
  return {
    registry,
    requests,
    functionAnswers,
    databaseErrors: new Counter({
      name: "chalkline_database_errors_total",
      help: "Queries that the database refused.",
      registers,
    }),
    deletionFailures: new Counter({
      name: "chalkline_deletion_failures_total",
      help: "Deletions by age that failed.",
      registers,
    }),
  };
}

type Readings = {
  db: Kysely<Database>;
  dataDir: string;
  lastDeletionAt: () => number | null;
};

export function addReadings(registry: Registry, { db, dataDir, lastDeletionAt }: Readings): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let readAt = Number.NEGATIVE_INFINITY;
  let stored: Promise<Stored | null> = Promise.resolve(null);

  async function read() {
    const backups = await readBackupState({ dataDir });
    return { ...(await readStoredCounts(db)), backups, outbox: await countOutboxByKind(db) };
  }

  function readStored() {
    // Asks the database at most every ten seconds.
    if (Date.now() - readAt >= 10_000) {
      readAt = Date.now();
      stored = read().catch(() => null);
    }
    return stored;
  }

  type Stored = Awaited<ReturnType<typeof read>>;
  function gauge(
    name: string,
    help: string,
    labelNames: string[],
    samples: (stored: Stored) => [Record<string, string>, number][],
  ) {
    new Gauge({
      name: `chalkline_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        const found = await readStored();
        this.reset();
        for (const [labels, value] of found ? samples(found) : []) this.set(labels, value);
      },
    });
  }

  new Gauge({
    name: "chalkline_database_up",
    help: "1 if the database could be read for these metrics, else 0.",
    registers,
    async collect() {
      this.set((await readStored()) === null ? 0 : 1);
    },
  });
  new Gauge({
    name: "chalkline_last_deletion_timestamp_seconds",
    help: "When expired data was last deleted; before the first time, when the process began.",
    registers,
    collect() {
      this.set((lastDeletionAt() ?? Date.now() - process.uptime() * 1000) / 1000);
    },
  });
  gauge(
    "outbox_deliveries",
    "Mails and webhook calls that have not arrived.",
    ["kind", "state"],
    ({ outbox }) =>
      outbox.flatMap(({ kind, waiting, failed }) => [
        [{ kind, state: "waiting" }, waiting],
        [{ kind, state: "failed" }, failed],
      ]),
  );
  gauge("outbox_oldest_waiting_seconds", "Age of the oldest waiting one.", ["kind"], ({ outbox }) =>
    outbox.map(({ kind, oldestAt }) => {
      const ageMs = oldestAt === null ? 0 : Date.now() - Date.parse(oldestAt);
      return [{ kind }, Math.max(0, ageMs) / 1000];
    }),
  );
  gauge("subscribers", "Subscribers.", ["state"], ({ subscribers }) =>
    Object.entries(subscribers).map(([state, count]) => [{ state }, count]),
  );
  gauge("messages", "Contact messages stored.", ["state"], ({ messages }) =>
    Object.entries(messages).map(([state, count]) => [{ state }, count]),
  );
  gauge("sends_paused", "Sends that have paused themselves.", [], ({ pausedSends }) => [
    [{}, pausedSends],
  ]);
  gauge(
    "last_backup_timestamp_seconds",
    "When the last backup was made, and since when the next fails; 0 for never.",
    ["outcome"],
    ({ backups: { made, failed } }) =>
      made || failed
        ? [
            [{ outcome: "made" }, secondsOf(made?.madeAt)],
            [{ outcome: "failed" }, secondsOf(failed?.at)],
          ]
        : [],
  );
}

const secondsOf = (at: string | undefined) => (at ? Date.parse(at) / 1000 : 0);

/** Answers `GET /metrics` on its own address. Rejects with the system's error if that is taken. */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  registry: Registry,
) {
  const app = new Hono().get("/metrics", async (c) =>
    c.body(await registry.metrics(), 200, {
      "Content-Type": registry.contentType,
      "Cache-Control": "no-store",
    }),
  );
  const server = createAdaptorServer(app) as Server;
  server.listen({ host, port });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
