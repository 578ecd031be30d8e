import type { Kysely } from "kysely";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Database } from "#db/tables.ts";
import type { Counts } from "./counts.ts";
import { readStoredMetrics, type StoredMetrics } from "./stored-metrics.ts";

/** The database is looked at no more often, however many read the metrics. */
const storedForMs = 10_000;

type Metrics = {
  /** All metrics in Prometheus' text format. */
  read(): Promise<{ contentType: string; text: string }>;
};

/** What a metric shows when it is read: a number for each set of labels. */
type Samples<Label extends string> = [Partial<Record<Label, string>>, number][];

/**
 * The metrics for Prometheus: the server's own counts, what the database holds, and those of the process that
 * prom-client knows how to read. Loaded only where somebody wants them.
 */
export function createMetrics({
  counts,
  db,
  isBackendReady,
  now = Date.now,
}: {
  counts: Counts;
  /** Null with a hosted backend. */
  db: Kysely<Database> | null;
  /** Whether a hosted backend gives its issues. */
  isBackendReady?: (() => Promise<boolean>) | undefined;
  /** Milliseconds since 1970. */
  now?: () => number;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addCounts(registry, counts);
  if (db) {
    addLastDeletion(registry, counts);
    addStored(registry, db, now);
  }
  if (isBackendReady) addDatabaseUp(registry, isBackendReady);
  return {
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function addCounts(registry: Registry, counts: Counts): void {
  /** A counter of what is counted elsewhere, so it begins anew each time that it is read. */
  function counter<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    samples: () => Samples<Label>,
  ) {
    new Counter({
      name: `chalkline_${name}`,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [labels, count] of samples()) this.inc(labels, count);
      },
    });
  }
  counter(
    "http_requests_total",
    "Answers by what made them and how they ended.",
    ["kind", "status"],
    () => requestSamples(counts),
  );
  counter("page_cache_lookups_total", "Looks for a cached page.", ["result"], () => [
    [{ result: "hit" }, counts.cacheHits],
    [{ result: "miss" }, counts.cacheMisses],
  ]);
  counter("page_renders_total", "Pages made anew for the page cache.", [], () => [
    [{}, counts.renders],
  ]);
  counter("function_answers_total", "Calls of the forms' functions.", ["function", "outcome"], () =>
    pairSamples(counts.functionAnswers, "function", "outcome"),
  );
  counter(
    "delivery_attempts_total",
    "Attempts at mails and webhook calls.",
    ["kind", "result"],
    () => pairSamples(counts.deliveryAttempts, "kind", "result"),
  );
  counter("bounce_reports_total", "Messages read in the bounce mailbox.", ["outcome"], () =>
    [...counts.bounceReports].map(([outcome, count]) => [{ outcome }, count]),
  );
  counter("visits_total", "Pages and issues shown to people who may be counted.", [], () => [
    [{}, counts.visits],
  ]);
  counter(
    "events_total",
    "What visits are for: bookings opened, messages, readers.",
    ["event"],
    () => [...counts.events].map(([event, count]) => [{ event }, count]),
  );
  counter("database_errors_total", "Queries that the database refused.", [], () => [
    [{}, counts.databaseErrors],
  ]);
  counter("database_connections_lost_total", "Idle connections that broke.", [], () => [
    [{}, counts.connectionsLost],
  ]);
  counter("deletion_failures_total", "Deletions by age that failed.", [], () => [
    [{}, counts.deletionFailures],
  ]);
}

/** A site without a database of its own deletes nothing, and would seem to be late with it for ever. */
function addLastDeletion(registry: Registry, counts: Counts): void {
  const startedAt = Date.now() - process.uptime() * 1000;
  new Gauge({
    name: "chalkline_last_deletion_timestamp_seconds",
    help: "When what is no longer to be kept was last deleted; before the first time, when the process began.",
    registers: [registry],
    collect() {
      this.set((counts.lastDeletionAt ?? startedAt) / 1000);
    },
  });
}

function requestSamples({ fromMemory, cachedPages, answers }: Counts): Samples<"kind" | "status"> {
  const files = fromMemory.map((count, digit) => count - (cachedPages[digit] ?? 0));
  const byKind = Object.entries({ kept_page: cachedPages, file: files, ...answers });
  return byKind.flatMap(([kind, byClass]) =>
    byClass.flatMap(
      // Errors from the beginning, so that the first one is a rise.
      (count, digit): Samples<"kind" | "status"> =>
        count > 0 || digit === 5 ? [[{ kind, status: `${digit}xx` }, count]] : [],
    ),
  );
}

/** What is counted by two words with a blank between them. */
function pairSamples<Label extends string>(
  counted: Map<string, number>,
  first: Label,
  second: Label,
): Samples<Label> {
  return [...counted].map(([name, count]) => {
    const [one = "", other = ""] = name.split(" ");
    return [{ [first]: one, [second]: other } as Partial<Record<Label, string>>, count];
  });
}

function addStored(registry: Registry, db: Kysely<Database>, now: () => number): void {
  let readAt = Number.NEGATIVE_INFINITY;
  let stored: Promise<StoredMetrics | null> = Promise.resolve(null);

  /** One look serves all metrics and whoever reads them soon after; null where the database can't be read. */
  function readStored(): Promise<StoredMetrics | null> {
    if (now() - readAt >= storedForMs) {
      readAt = now();
      stored = readStoredMetrics(db).catch(() => null);
    }
    return stored;
  }

  function gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    samples: (stored: StoredMetrics) => Samples<Label>,
  ) {
    new Gauge({
      name: `chalkline_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const stored = await readStored();
        this.reset();
        for (const [labels, value] of stored ? samples(stored) : []) this.set(labels, value);
      },
    });
  }
  addDatabaseUp(registry, async () => (await readStored()) !== null);
  gauge(
    "outbox_deliveries",
    "Mails and webhook calls that have not arrived.",
    ["kind", "state"],
    ({ outbox }) =>
      outbox.flatMap(
        ({ kind, waiting, failed }): Samples<"kind" | "state"> => [
          [{ kind, state: "waiting" }, waiting],
          [{ kind, state: "failed" }, failed],
        ],
      ),
  );
  gauge("outbox_oldest_waiting_seconds", "Age of the oldest that waits.", ["kind"], ({ outbox }) =>
    outbox.map(({ kind, oldestAt }) => {
      const ageMs = oldestAt === null ? 0 : now() - Date.parse(oldestAt);
      return [{ kind }, Math.max(0, ageMs) / 1000];
    }),
  );
  gauge(
    "outbox_waiting_attempts",
    "Attempts made so far at the first thousand that wait.",
    ["kind"],
    ({ outbox }) => outbox.map(({ kind, attempts }) => [{ kind }, attempts]),
  );
  gauge("subscribers", "Subscribers.", ["state"], ({ subscribers }) => stateSamples(subscribers));
  gauge("messages", "Contact messages kept.", ["state"], ({ messages }) => stateSamples(messages));
}

/** Whichever keeps the data: one alert serves copies with a database and fronts. */
function addDatabaseUp(registry: Registry, isUp: () => Promise<boolean>): void {
  new Gauge({
    name: "chalkline_database_up",
    help: "1 where the database, or a front's backend, could be read for these metrics.",
    registers: [registry],
    async collect() {
      this.set((await isUp()) ? 1 : 0);
    },
  });
}

function stateSamples(counted: Record<string, number>): Samples<"state"> {
  return Object.entries(counted).map(([state, count]) => [{ state }, count]);
}
