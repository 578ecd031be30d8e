import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "../database/tables.ts";
import { defaultBackoff, defaultRefusalBackoff } from "./backoff.ts";
import type { Deliverers } from "./delivery.ts";
import { createDeliveryQueue } from "./delivery-queue.ts";
import { defaultMailPaces, type MailPace } from "./mail-paces.ts";
import type { OutboxKind } from "./payloads.ts";
import type { Retries } from "./settle.ts";

/** The times and bounds that the worker keeps to. Milliseconds. */
export type OutboxLimits = {
  /** How often the outbox is looked at when nobody wakes the worker. */
  pollMs: number;
  /** Rest between looks while there is work, so that a storm of sign-ups is answered before it is mailed. */
  restMs: number;
  /** Longest time between looks while the database can't be reached. */
  outagePollMs: number;
  /** An attempt is given up after this long. */
  deliveryTimeoutMs: number;
  /** Longer than any attempt, so that only a dead process loses its lease. */
  leaseMs: number;
  /** Deliveries under way at once, of each kind: a dead mail server holds up mail and nothing else. */
  concurrencyPerKind: number;
  /** How often it is looked for times that only a clock set back explains. */
  clockCheckMs: number;
  paces: Partial<Record<OutboxKind, MailPace>>;
} & Retries;

export const defaultOutboxLimits: OutboxLimits = {
  pollMs: 1000,
  restMs: 50,
  outagePollMs: 30_000,
  deliveryTimeoutMs: 60_000,
  leaseMs: 120_000,
  concurrencyPerKind: 4,
  clockCheckMs: 60_000,
  paces: defaultMailPaces,
  backoff: defaultBackoff,
  refusalBackoff: defaultRefusalBackoff,
};

export type OutboxWorkerOptions = {
  db: Kysely<Database>;
  deliverers: Deliverers;
  log: Logger;
  clock?: () => Date;
  limits?: Partial<OutboxLimits>;
  /** Told how each attempt ended, for counting. */
  onAttempt?: (kind: OutboxKind, result: AttemptResult) => void;
};

/** `failed` is tried again later, `given_up` is not. */
export type AttemptResult = "delivered" | "failed" | "given_up" | "handed_back";

export type OutboxWorker = {
  start(): void;
  /** Looks at once. Cheap; safe to call at any time, before `start` and after `stop` too. */
  wake(): void;
  /**
   * Takes nothing new, waits for what is under way up to the deadline, aborts the rest and hands its leases back.
   * Resolves when the worker no longer touches the database.
   */
  stop(options?: { deadlineMs?: number }): Promise<void>;
};

const stopDeadlineMs = 10_000;

/** Carries what the outbox holds to its deliverers, at least once each, for as long as it runs. */
export function createOutboxWorker(options: OutboxWorkerOptions): OutboxWorker {
  const limits = { ...defaultOutboxLimits, ...options.limits };
  if (limits.leaseMs <= limits.deliveryTimeoutMs) {
    throw new Error("leaseMs must be longer than deliveryTimeoutMs.");
  }
  const workerId = randomUUID();
  const kinds = Object.keys(options.deliverers) as OutboxKind[];
  const queues = kinds.map((kind) =>
    createDeliveryQueue({
      ...options,
      clock: options.clock ?? (() => new Date()),
      kind,
      limits,
      workerId,
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  let state: "new" | "running" | "stopped" = "new";
  let outagePollMs = limits.pollMs;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function fillQueues() {
    const results = await Promise.allSettled(queues.map((queue) => queue.fill()));
    const outage = results.find((result) => result.status === "rejected");
    if (!outage) {
      outagePollMs = limits.pollMs;
      return;
    }
    outagePollMs = Math.min(limits.outagePollMs, outagePollMs * 2);
    options.log.error({ err: outage.reason, retryInMs: outagePollMs }, "The outbox can't be read");
  }

  function look() {
    if (state !== "running" || looking) return;
    lookAgain = false;
    looking = fillQueues().finally(() => {
      looking = undefined;
      lookedAt = performance.now();
      if (state === "running") lookIn(outagePollMs);
      if (lookAgain) wake();
    });
  }

  function lookIn(delayMs: number) {
    clearTimeout(timer);
    if (delayMs <= 0) look();
    else timer = setTimeout(look, delayMs);
  }

  // During an outage the timer alone decides: a stream of wakes must not become a stream of failing queries.
  function wake() {
    if (state !== "running" || outagePollMs !== limits.pollMs) return;
    if (looking) lookAgain = true;
    else lookIn(limits.restMs - (performance.now() - lookedAt));
  }

  return {
    start() {
      if (state !== "new") return;
      state = "running";
      for (const queue of queues) queue.onFree(wake);
      look();
    },
    wake,
    async stop({ deadlineMs = stopDeadlineMs } = {}) {
      state = "stopped";
      clearTimeout(timer);
      for (const queue of queues) queue.close();
      await looking;
      await Promise.all(queues.map((queue) => queue.settleAll(deadlineMs)));
    },
  };
}
