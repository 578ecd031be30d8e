import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Kysely } from "kysely";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { functionNames, functionOutcomes } from "#api/functions.ts";
import { visitEvents } from "#contracts/ports.ts";
import type { Database } from "#db/tables.ts";
import { attemptResults } from "#mail/outbox.ts";
import { outboxPayloadSchemas } from "#mail/outbox-jobs.ts";
import { countOutboxByKind } from "#mail/outbox-list.ts";
import { readStoredCounts } from "./stored-counts.ts";

/** However often the metrics are read, the database is asked no more often than this. */
const storedForMs = 10_000;

export type Metrics = ReturnType<typeof createMetrics>;

/** What this instance has done since it started. Names and labels are documented in docs/operating.md. */
export function createMetrics() {
  const registry = new Registry();

  /** Counts from 0 for each value listed: an alert sees no rise in a label that appears with its first event. */
  function counter<Label extends string = never>(
    name: string,
    help: string,
    labels = {} as Record<Label, readonly string[]>,
  ) {
    const labelNames = Object.keys(labels) as Label[];
    const made = new Counter({
      name: `chalkline_${name}`,
      help,
      labelNames,
      registers: [registry],
    });
    const combinations = labelNames.reduce<Partial<Record<Label, string>>[]>(
      (sets, label) =>
        sets.flatMap((set) => labels[label].map((value) => ({ ...set, [label]: value }))),
      [{}],
    );
    for (const combination of combinations) made.inc(combination, 0);
    return made;
  }

  return {
    registry,
    requests: counter("http_requests_total", "Answers by what made them and how they ended.", {
      kind: ["kept_page", "file", "page", "form", "rest", "function", "health"],
      status: ["5xx"],
    }),
    cacheLookups: counter("page_cache_lookups_total", "Lookups in the page cache.", {
      result: ["hit", "miss"],
    }),
    renders: counter("page_renders_total", "Pages rendered for the page cache."),
    functionAnswers: counter("function_answers_total", "Calls of the forms' functions.", {
      function: functionNames,
      outcome: functionOutcomes,
    }),
    deliveryAttempts: counter("delivery_attempts_total", "Attempts at mails and webhook calls.", {
      kind: Object.keys(outboxPayloadSchemas),
      result: attemptResults,
    }),
    bounceReports: counter("bounce_reports_total", "Messages read in the bounce mailbox.", {
      outcome: [],
    }),
    visits: counter("visits_total", "Pages and issues shown to people who may be counted."),
    events: counter("events_total", "Bookings opened, messages sent, subscribers confirmed.", {
      event: visitEvents,
    }),
    databaseErrors: counter("database_errors_total", "Queries that the database refused."),
    connectionsLost: counter("database_connections_lost_total", "Idle connections that broke."),
    deletionFailures: counter("deletion_failures_total", "Deletions by age that failed."),
  };
}

type Readings = {
  /** Null with a hosted backend. */
  db: Kysely<Database> | null;
  isBackendReady: () => Promise<boolean>;
  /** Milliseconds since 1970; null before the first. */
  lastDeletionAt: () => number | null;
};

/** Adds what is read when the metrics are asked for: the process, the database or hosted project, the last deletion. */
export function addReadings(
  registry: Registry,
  { db, isBackendReady, lastDeletionAt }: Readings,
): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let readAt = Number.NEGATIVE_INFINITY;
  let stored: ReturnType<typeof read> = Promise.resolve(null);

  async function read() {
    if (!db) return null;
    return { ...(await readStoredCounts(db)), outbox: await countOutboxByKind(db) };
  }

  function readStored() {
    if (Date.now() - readAt >= storedForMs) {
      readAt = Date.now();
      stored = read().catch(() => null);
    }
    return stored;
  }

  type Stored = NonNullable<Awaited<ReturnType<typeof read>>>;
  function gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    samples: (stored: Stored) => [Partial<Record<Label, string>>, number][],
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
    help: "1 if the database or the hosted backend could be read for these metrics, else 0.",
    registers,
    async collect() {
      const isUp = db ? (await readStored()) !== null : await isBackendReady();
      this.set(isUp ? 1 : 0);
    },
  });
  // With a hosted backend this server deletes nothing, and would seem to be late for ever.
  if (!db) return;
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
  gauge("outbox_waiting_attempts", "Attempts so far at the waiting ones.", ["kind"], ({ outbox }) =>
    outbox.map(({ kind, attempts }) => [{ kind }, attempts]),
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
}

/**
 * Answers `GET /metrics` on an address of its own, which visitors never reach. Rejects with the system's error if the
 * address is taken.
 */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  registry: Registry,
) {
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    if (!/^\/metrics(?:\?|$)/.test(url) || !["GET", "HEAD"].includes(method)) {
      response.writeHead(404, { "Content-Type": "text/plain" });
      response.end("The metrics are at /metrics.\n");
      return;
    }
    try {
      const text = await registry.metrics();
      response.setHeader("Content-Type", registry.contentType);
      response.setHeader("Cache-Control", "no-store");
      response.end(text);
    } catch {
      response.writeHead(500).end("The metrics could not be read.\n");
    }
  });
  server.listen({ host, port });
  await once(server, "listening");
  return {
    /** The port that was taken, for a setting of 0. */
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
