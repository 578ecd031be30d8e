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

/** The database is read no more often, however many read the metrics. */
const storedForMs = 10_000;

export type Metrics = ReturnType<typeof createMetrics>;

/** What the server has done since it started. */
export function createMetrics() {
  const registry = new Registry();

  /** A count begins at 0 for every label that an alert looks at: one that appears with its first event shows no rise. */
  function counter<Label extends string>(
    name: string,
    help: string,
    first: Partial<Record<Label, string>>[],
    ...labelNames: Label[]
  ) {
    const made = new Counter({
      name: `chalkline_${name}`,
      help,
      labelNames,
      registers: [registry],
    });
    for (const labels of first) made.inc(labels, 0);
    return made;
  }
  const pairs = (
    one: string,
    ofOne: readonly string[],
    other: string,
    ofOther: readonly string[],
  ) => ofOne.flatMap((first) => ofOther.map((second) => ({ [one]: first, [other]: second })));

  return {
    registry,
    requests: counter(
      "http_requests_total",
      "Answers by what made them and how they ended.",
      pairs("kind", ["kept_page", "file", "page", "form", "rest", "function", "health"], "status", [
        "5xx",
      ]),
      "kind",
      "status",
    ),
    cacheLookups: counter(
      "page_cache_lookups_total",
      "Looks for a cached page.",
      [{ result: "hit" }, { result: "miss" }],
      "result",
    ),
    renders: counter("page_renders_total", "Pages made anew for the page cache.", []),
    functionAnswers: counter(
      "function_answers_total",
      "Calls of the forms' functions.",
      pairs("function", functionNames, "outcome", functionOutcomes),
      "function",
      "outcome",
    ),
    deliveryAttempts: counter(
      "delivery_attempts_total",
      "Attempts at mails and webhook calls.",
      pairs("kind", Object.keys(outboxPayloadSchemas), "result", attemptResults),
      "kind",
      "result",
    ),
    bounceReports: counter(
      "bounce_reports_total",
      "Messages read in the bounce mailbox.",
      [],
      "outcome",
    ),
    visits: counter("visits_total", "Pages and issues shown to people who may be counted.", []),
    events: counter(
      "events_total",
      "What visits are for: bookings opened, messages, readers.",
      visitEvents.map((event) => ({ event })),
      "event",
    ),
    databaseErrors: counter("database_errors_total", "Queries that the database refused.", []),
    connectionsLost: counter("database_connections_lost_total", "Idle connections that broke.", []),
    deletionFailures: counter("deletion_failures_total", "Deletions by age that failed.", []),
  };
}

/** What is read when somebody asks: the process, the database or a hosted project, and the last deletion. */
export function addReadings(
  registry: Registry,
  {
    db,
    isBackendReady,
    lastDeletionAt,
  }: {
    /** Null with a hosted backend. */
    db: Kysely<Database> | null;
    isBackendReady: () => Promise<boolean>;
    /** Milliseconds since 1970; null before the first. */
    lastDeletionAt: () => number | null;
  },
): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let readAt = Number.NEGATIVE_INFINITY;
  let stored: ReturnType<typeof read> = Promise.resolve(null);

  async function read() {
    if (!db) return null;
    const counts = await readStoredCounts(db);
    return { ...counts, outbox: await countOutboxByKind(db) };
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
    help: "1 where the database, or a front's backend, could be read for these metrics.",
    registers,
    async collect() {
      const isUp = db ? (await readStored()) !== null : await isBackendReady();
      this.set(isUp ? 1 : 0);
    },
  });
  // A site without a database of its own deletes nothing, and would seem to be late with it for ever.
  if (!db) return;
  new Gauge({
    name: "chalkline_last_deletion_timestamp_seconds",
    help: "When what is no longer to be kept was last deleted; before the first time, when the process began.",
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
  gauge("outbox_oldest_waiting_seconds", "Age of the oldest that waits.", ["kind"], ({ outbox }) =>
    outbox.map(({ kind, oldestAt }) => {
      const ageMs = oldestAt === null ? 0 : Date.now() - Date.parse(oldestAt);
      return [{ kind }, Math.max(0, ageMs) / 1000];
    }),
  );
  gauge(
    "outbox_waiting_attempts",
    "Attempts made so far at those that wait.",
    ["kind"],
    ({ outbox }) => outbox.map(({ kind, attempts }) => [{ kind }, attempts]),
  );
  gauge("subscribers", "Subscribers.", ["state"], ({ subscribers }) =>
    Object.entries(subscribers).map(([state, count]) => [{ state }, count]),
  );
  gauge("messages", "Contact messages kept.", ["state"], ({ messages }) =>
    Object.entries(messages).map(([state, count]) => [{ state }, count]),
  );
}

export type MetricsServer = {
  /** The port really taken. */
  port: number;
  stop(): Promise<void>;
};

/**
 * Answers `GET /metrics` on an address of its own, which visitors never reach, and nothing else. Rejects with the
 * system's error where the address is taken.
 */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  registry: Registry,
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    const isAsked = request.url?.split("?")[0] === "/metrics";
    if (!isAsked || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(isAsked ? 405 : 404, { "Content-Type": "text/plain" });
      response.end("The metrics are at /metrics.\n");
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, {
        "Content-Type": registry.contentType,
        "Cache-Control": "no-store",
      });
      response.end(request.method === "HEAD" ? undefined : text);
    } catch {
      response.writeHead(500).end("The metrics could not be read.\n");
    }
  });
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
