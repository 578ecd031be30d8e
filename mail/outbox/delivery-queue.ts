import type { Kysely } from "kysely";
import type { Logger } from "pino";
import * as v from "valibot";
import type { Database } from "#db/tables.ts";
import { type ClaimedRow, claimDeliveries } from "./claim.ts";
import { createClaimedBatches } from "./claimed-batches.ts";
import type { Deliverer, Deliverers } from "./delivery.ts";
import { PermanentDeliveryError } from "./delivery.ts";
import type { OutboxLimits } from "./outbox-limits.ts";
import { type OutboxKind, outboxPayloadSchemas } from "./payloads.ts";
import { handBack, isLastAttempt, markFailedAttempt } from "./settle.ts";
import { createDeliveredBatcher } from "./settle-delivered.ts";
import { undoClockSkew } from "./undo-clock-skew.ts";
import { whileLeased } from "./while-leased.ts";

/**
 * So many times what is carried out side by side may wait for its outcome to be written down: enough that nobody waits
 * for the database, and few that a crash in between makes again.
 */
const unsettledFactor = 4;

/** `failed` is tried again later, `given_up` is not. */
export const attemptResults = ["delivered", "failed", "given_up", "handed_back"] as const;

export type AttemptResult = (typeof attemptResults)[number];

export type QueueOptions = {
  db: Kysely<Database>;
  deliverers: Deliverers;
  log: Logger;
  /** Told how each attempt ended, for counting. */
  onAttempt?: (kind: OutboxKind, result: AttemptResult) => void;
  kind: OutboxKind;
  clock: () => Date;
  limits: OutboxLimits;
  workerId: string;
};

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

/**
 * The deliveries of one kind, worked on side by side. They are claimed in batches, which grow for as long as each is soon
 * carried out, and what arrives at the same time is written down in one go: a backlog goes out as fast as its receiver
 * takes it.
 */
export function createDeliveryQueue(options: QueueOptions) {
  const { db, deliverers, log, clock, kind, limits, workerId } = options;
  const count = (result: AttemptResult) => options.onAttempt?.(kind, result);
  /** What is carried out or waits for its outcome to be written down. */
  const running = new Map<Promise<void>, AbortController>();
  let delivering = 0;
  const batches = createClaimedBatches(limits);
  const settleDelivered = createDeliveredBatcher(db, {
    clock,
    maxUnsettled: unsettledFactor * limits.concurrencyPerKind,
    isDelivering: () => delivering > 0,
  });
  let claims = 0;
  let checkClockAt = Number.NEGATIVE_INFINITY;
  /** While the pace allows no more, nobody need look. */
  let pacedUntil = Number.NEGATIVE_INFINITY;
  let open = true;
  let handingBack = false;
  let whenFree = () => {};

  async function fill({ inStorm = false } = {}) {
    const limit = batches.room(delivering, { inStorm });
    if (!open || limit <= 0 || performance.now() < pacedUntil) return;
    await checkClock();
    claims += 1;
    const claimant = `${workerId}/${kind}/${claims}`;
    const { leaseMs } = limits;
    const now = clock();
    const claimedAt = performance.now();
    const claim = { kind, limit, claimant, now, leaseMs };
    const { rows, nextAt } = await claimDeliveries(db, claim, limits.paces[kind]);
    if (nextAt) pacedUntil = performance.now() + nextAt.getTime() - now.getTime();
    batches.add({ rows, claimedAt, isFull: rows.length === limit });
    await beginNext();
  }

  /** As many of what is claimed as there is room for. */
  async function beginNext() {
    const { concurrencyPerKind } = limits;
    while (
      open &&
      delivering < concurrencyPerKind &&
      running.size < unsettledFactor * concurrencyPerKind
    ) {
      const next = batches.take();
      if (!next) break;
      begin(next.row, next.claimedAt);
    }
    const late = open ? batches.takeLate() : batches.takeAll();
    // Where that can't be written down, their leases run out by themselves.
    if (late.length > 0) await handBack(db, late);
  }

  async function checkClock() {
    if (performance.now() < checkClockAt) return;
    const undone = await undoClockSkew(db, { kind, now: clock(), limits });
    checkClockAt = performance.now() + limits.clockCheckMs;
    if (undone > 0) {
      log.warn(
        { kind, undone },
        "The clock has been set back: deliveries that would have waited are due",
      );
    }
  }

  function begin(row: ClaimedRow, claimedAt: number) {
    const controller = new AbortController();
    const work = attempt(row, claimedAt, controller).finally(() => {
      running.delete(work);
      goOn();
    });
    running.set(work, controller);
  }

  function goOn() {
    beginNext().catch((err) => log.error({ kind, err }, "Deliveries could not be handed back"));
    if (batches.room(delivering) > 0) whenFree();
  }

  async function attempt(row: ClaimedRow, claimedAt: number, controller: AbortController) {
    const about = {
      delivery: row.delivery_id,
      kind,
      attempt: row.attempts,
      // The request that the delivery follows from, where it was one.
      requestId: row.request_id ?? undefined,
    };
    const { deliveryTimeoutMs } = limits;
    const timer = setTimeout(
      () => controller.abort(new Error(`No answer within ${deliveryTimeoutMs} ms`)),
      deliveryTimeoutMs,
    );
    try {
      if (!open) return void (await handBack(db, [row]));
      delivering += 1;
      const outcome = await deliver(row, controller.signal);
      delivering -= 1;
      if (outcome.ok) {
        goOn();
        const ours = await whileLeased(
          { since: claimedAt, leaseMs: limits.leaseMs, isOpen: () => open },
          () => settleDelivered(row),
        );
        log.info({ ...about, note: outcome.note, ours }, "Delivered");
        count("delivered");
      } else if (handingBack) {
        await handBack(db, [row]);
        log.info(about, "Unfinished delivery handed back");
        count("handed_back");
      } else {
        const { error } = outcome;
        batches.shrink();
        await markFailedAttempt(db, row, { error, now: clock(), retries: limits });
        const givenUp = isLastAttempt(row, error, limits);
        log.warn({ ...about, err: error, givenUp }, "Delivery attempt failed");
        count(givenUp ? "given_up" : "failed");
      }
    } catch (err) {
      // The database is away: the lease runs out by itself, and the delivery is made again with the same id.
      log.error({ ...about, err }, "The outcome of a delivery could not be written down");
    } finally {
      clearTimeout(timer);
    }
  }

  type Outcome = { ok: true; note: string | undefined } | { ok: false; error: unknown };

  async function deliver(row: ClaimedRow, signal: AbortSignal): Promise<Outcome> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      if (row.attempts > limits.backoff.maxAttempts) {
        throw new PermanentDeliveryError("The server ended during every attempt");
      }
      // A row's kind is its queue's, so its payload is what this deliverer reads.
      const deliverer = deliverers[kind] as Deliverer<unknown>;
      const payload = readPayload(kind, row.payload);
      const delivery = {
        deliveryId: row.delivery_id,
        payload,
        createdAt: row.created_at,
        signal,
      };
      // A deliverer that overlooks the signal must not keep its place in the queue.
      return { ok: true, note: await Promise.race([deliverer(delivery), aborted]) };
    } catch (error) {
      return { ok: false, error };
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  return {
    fill,
    onFree(callback: () => void) {
      whenFree = callback;
    },
    close() {
      open = false;
    },
    async settleAll(deadlineMs: number) {
      await beginNext().catch((err) =>
        log.error({ kind, err }, "Deliveries could not be handed back"),
      );
      const { promise: deadline, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, deadlineMs);
      await Promise.race([Promise.all(running.keys()), deadline]);
      clearTimeout(timer);
      handingBack = true;
      for (const controller of running.values()) controller.abort(new Error("The server stops"));
      await Promise.all(running.keys());
    },
  };
}

function readPayload(kind: OutboxKind, text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new PermanentDeliveryError("The payload is not JSON", { cause });
  }
  const parsed = v.safeParse(outboxPayloadSchemas[kind], json);
  if (parsed.success) return parsed.output;
  throw new PermanentDeliveryError(`The payload is not that of a ${kind}`, {
    cause: new Error(v.summarize(parsed.issues)),
  });
}
