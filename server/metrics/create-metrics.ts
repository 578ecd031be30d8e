import type { Kysely } from "kysely";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Database } from "#backend/database/tables.ts";
import type { Counts } from "./counts.ts";
import { readStoredFigures } from "./stored-figures.ts";

/** The database is looked at no more often, however many read the figures. */
const storedForMs = 10_000;

export type Metrics = {
  /** All figures in Prometheus' text format. */
  read(): Promise<{ contentType: string; text: string }>;
};

/**
 * The figures for Prometheus: the server's own counts, what the database holds, and those of the process that
 * prom-client knows how to read. Loaded only where somebody wants them.
 */
export function createMetrics({
  counts,
  db,
  now = Date.now,
}: {
  counts: Counts;
  /** Null with a hosted backend. */
  db: Kysely<Database> | null;
  /** Milliseconds since 1970. */
  now?: () => number;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const showCounts = countMetrics(registry, counts);
  const showStored = db && storedMetrics(registry, db, now);
  return {
    async read() {
      showCounts();
      await showStored?.();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function countMetrics(registry: Registry, counts: Counts): () => void {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `chalkline_${name}`, help, labelNames, registers });
  const requests = counter("http_requests_total", "Answers by what made them and how they ended.", [
    "kind",
    "status",
  ]);
  const lookups = counter("page_cache_lookups_total", "Looks for a kept page.", ["result"]);
  const renders = counter("page_renders_total", "Pages made anew for the page cache.");
  const functions = counter("function_answers_total", "Calls of the forms' functions.", [
    "function",
    "outcome",
  ]);
  const attempts = counter("delivery_attempts_total", "Attempts at mails and webhook calls.", [
    "kind",
    "result",
  ]);
  const databaseErrors = counter("database_errors_total", "Queries that the database refused.");
  const lost = counter("database_connections_lost_total", "Idle connections that broke.");
  const deletionFailures = counter("deletion_failures_total", "Deletions by age that failed.");
  const lastDeletion = new Gauge({
    name: "chalkline_last_deletion_timestamp_seconds",
    help: "When what is no longer to be kept was last deleted.",
    registers,
  });

  return function show() {
    requests.reset();
    const showRequests = (kind: string, byClass: number[]) => {
      for (const [digit, count] of byClass.entries()) {
        if (count > 0) requests.inc({ kind, status: `${digit}xx` }, count);
      }
    };
    const { fromMemory, keptPages } = counts;
    showRequests("kept_page", keptPages);
    showRequests(
      "file",
      fromMemory.map((count, digit) => count - (keptPages[digit] ?? 0)),
    );
    for (const [kind, byClass] of counts.answers) showRequests(kind, byClass);

    set(lookups, { result: "hit" }, counts.cacheHits, true);
    set(lookups, { result: "miss" }, counts.cacheMisses);
    set(renders, {}, counts.renders, true);
    functions.reset();
    for (const [name, count] of counts.functionAnswers) {
      const [called = "", outcome = ""] = name.split(" ");
      functions.inc({ function: called, outcome }, count);
    }
    attempts.reset();
    for (const [name, count] of counts.deliveryAttempts) {
      const [kind = "", result = ""] = name.split(" ");
      attempts.inc({ kind, result }, count);
    }
    set(databaseErrors, {}, counts.databaseErrors, true);
    set(lost, {}, counts.connectionsLost, true);
    set(deletionFailures, {}, counts.deletionFailures, true);
    if (counts.lastDeletionAt !== null) lastDeletion.set(counts.lastDeletionAt / 1000);
  };
}

/** A counter shows a number that is counted elsewhere, so it begins anew each time. */
function set<Label extends string>(
  counter: Counter<Label>,
  labels: Partial<Record<Label, string>>,
  count: number,
  begins = false,
): void {
  if (begins) counter.reset();
  counter.inc(labels, count);
}

function storedMetrics(registry: Registry, db: Kysely<Database>, now: () => number) {
  const registers = [registry];
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `chalkline_${name}`, help, labelNames, registers });
  const up = gauge("database_up", "1 where the database could be read for these figures.");
  const outbox = gauge("outbox_deliveries", "Mails and webhook calls that have not arrived.", [
    "kind",
    "state",
  ]);
  const oldest = gauge("outbox_oldest_waiting_seconds", "Age of the oldest that waits.", ["kind"]);
  const attempts = gauge(
    "outbox_waiting_attempts",
    "Attempts made so far at the first thousand that wait.",
    ["kind"],
  );
  const subscribers = gauge("subscribers", "Subscribers.", ["state"]);
  const messages = gauge("messages", "Contact messages kept.", ["state"]);
  let readAt = Number.NEGATIVE_INFINITY;

  return async function show() {
    if (now() - readAt < storedForMs) return;
    readAt = now();
    const figures = await readStoredFigures(db).catch(() => null);
    up.set(figures ? 1 : 0);
    for (const one of [outbox, oldest, attempts, subscribers, messages]) one.reset();
    if (!figures) return;
    for (const { kind, waiting, failed, ...those } of figures.outbox) {
      outbox.set({ kind, state: "waiting" }, waiting);
      outbox.set({ kind, state: "failed" }, failed);
      attempts.set({ kind }, those.attempts);
      const ageMs = those.oldestAt === null ? 0 : now() - Date.parse(those.oldestAt);
      oldest.set({ kind }, Math.max(0, ageMs) / 1000);
    }
    for (const [state, count] of Object.entries(figures.subscribers)) {
      subscribers.set({ state }, count);
    }
    for (const [state, count] of Object.entries(figures.messages)) messages.set({ state }, count);
  };
}
