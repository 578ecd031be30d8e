import { randomUUID } from "node:crypto";
import { createDeliveryQueue, type DeliveryQueue, type QueueOptions } from "./delivery-queue.ts";
import { defaultOutboxLimits, type OutboxLimits } from "./outbox-limits.ts";
import type { OutboxKind } from "./payloads.ts";

type OutboxWorkerOptions = Omit<QueueOptions, "kind" | "workerId" | "clock" | "limits"> & {
  clock?: () => Date;
  limits?: Partial<OutboxLimits>;
};

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
  /** The queues that have room again: one that drains doesn't have all others asked with it. */
  const hungry = new Set<DeliveryQueue>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let lookedAtAllAt = Number.NEGATIVE_INFINITY;
  let submissions = 0;

  function isInStorm(): boolean {
    const sinceMs = Math.max(limits.restMs, performance.now() - lookedAt);
    const isStorm = submissions > (sinceMs / 1000) * limits.stormPerSecond;
    submissions = 0;
    return isStorm;
  }

  async function fillQueues() {
    const inStorm = isInStorm();
    const isForAll = hungry.size === 0 || performance.now() - lookedAtAllAt >= limits.pollMs;
    if (isForAll) lookedAtAllAt = performance.now();
    const filled = isForAll ? queues : [...hungry];
    hungry.clear();
    const results = await Promise.allSettled(filled.map((queue) => queue.fill({ inStorm })));
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
    looking = fillQueues().finally(() => {
      looking = undefined;
      lookedAt = performance.now();
      if (state !== "running") return;
      lookIn(outagePollMs);
      if (hungry.size > 0) lookSoon();
    });
  }

  function lookIn(delayMs: number) {
    clearTimeout(timer);
    if (delayMs <= 0) look();
    else timer = setTimeout(look, delayMs);
  }

  // During an outage the timer alone decides: a stream of wakes must not become a stream of failing queries.
  function lookSoon() {
    if (state !== "running" || outagePollMs !== limits.pollMs || looking) return;
    lookIn(limits.restMs - (performance.now() - lookedAt));
  }

  function wake(awake: readonly DeliveryQueue[]) {
    for (const queue of awake) hungry.add(queue);
    lookSoon();
  }

  return {
    start() {
      if (state !== "new") return;
      state = "running";
      for (const queue of queues) queue.onFree(() => wake([queue]));
      look();
    },
    wake() {
      submissions += 1;
      wake(queues);
    },
    async stop({ deadlineMs = stopDeadlineMs } = {}) {
      state = "stopped";
      clearTimeout(timer);
      for (const queue of queues) queue.close();
      await looking;
      await Promise.all(queues.map((queue) => queue.settleAll(deadlineMs)));
    },
  };
}
