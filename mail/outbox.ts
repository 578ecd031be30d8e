import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Logger } from "pino";
import { isPostgres } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { frozenUntil } from "#db/marks.ts";
import { createRecurringWork, untilWritten } from "#db/recurring-work.ts";
import type { Database, Db } from "#db/tables.ts";
import {
  type Deliverer,
  type Deliverers,
  type OutboxKind,
  PermanentDeliveryError,
  RefusedDeliveryError,
} from "./outbox-jobs.ts";

// Jobs are written in the caller's transaction and delivered at least once under one id.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The first wait, which doubles up to the longest. */
export type Backoff = { baseMs: number; capMs: number; maxAttempts: number };

/** About a day and a half. */
export const defaultBackoff: Backoff = { baseMs: 10_000, capMs: 4 * hourMs, maxAttempts: 23 };

/** Mails an hour: a small firm's mail account can send this much in any hour. */
const defaultPaces: Partial<Record<OutboxKind, number>> = {
  "contact-email": 300,
  "confirmation-email": 1_000,
};

async function leftOfPace(
  db: Db,
  kind: OutboxKind,
  { perHour, now }: { perHour: number; now: Date },
) {
  const anHourAgo = new Date(now.getTime() - hourMs).toISOString();
  const { delivered } = await db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("delivered"))
    .where("kind", "=", kind)
    .where("delivered_at", ">", anHourAgo)
    .executeTakeFirstOrThrow();
  return perHour - delivered;
}

/** `attempts` counts from 1. By chance up to half as long, so that jobs don't retry together. */
export function backoffDelayMs(attempts: number, { baseMs, capMs }: Backoff): number {
  const ceilingMs = Math.min(capMs, baseMs * 2 ** (attempts - 1));
  return Math.round(ceilingMs * (0.5 + 0.5 * Math.random()));
}

const defaultOutboxLimits = {
  pollMs: 1_000,
  outagePollMs: 10_000,
  deliveryTimeoutMs: minuteMs,
  /** Longer than any attempt. */
  leaseMs: 2 * minuteMs,
  /** By kind, so that a dead mail server delays only mail. */
  concurrencyPerKind: 4,
  paces: defaultPaces,
  backoff: defaultBackoff,
  maxRefusals: 5,
};

export type OutboxLimits = typeof defaultOutboxLimits;

type ClaimedJob = Selectable<Database["outbox"]>;

/** False where another worker has taken the job over. */
async function settleJob(
  db: Db,
  { id, claimed_by }: ClaimedJob,
  change: Partial<ClaimedJob> | "delete",
): Promise<boolean> {
  const isOurs = sql<SqlBool>`id = ${id} and claimed_by = ${claimed_by}`;
  const released = { claimed_by: null, claimed_until: null };
  const query =
    change === "delete"
      ? db.deleteFrom("outbox").where(isOurs).returning("id")
      : db
          .updateTable("outbox")
          .set({ ...released, ...change })
          .where(isOurs)
          .returning("id");
  return (await query.execute()).length > 0;
}

/** Removes control characters and lone surrogates of other servers' words. */
function describeError(error: unknown): string {
  return describeCauses(error)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .slice(0, 1_000)
    .toWellFormed();
}

type OutboxWorkerOptions = {
  db: Db;
  deliverers: Deliverers;
  log: Pick<Logger, "info" | "warn" | "error">;
  limits?: Partial<OutboxLimits>;
};

export type OutboxWorker = ReturnType<typeof createOutboxWorker>;

export function createOutboxWorker({ db, deliverers, log, ...options }: OutboxWorkerOptions) {
  const limits = { ...defaultOutboxLimits, ...options.limits };
  const { leaseMs, deliveryTimeoutMs } = limits;
  const claimant = randomUUID();
  const underWay = new Map<Promise<void>, OutboxKind>();
  const aborting = new AbortController();
  let isOpen = true;

  const looking = createRecurringWork(async () => {
    // Sign-ups are answered before they are mailed.
    await delay(50);
    try {
      for (const kind of Object.keys(deliverers) as OutboxKind[]) await claim(kind);
      return limits.pollMs;
    } catch (err) {
      log.error({ err, retryInMs: limits.outagePollMs }, "The outbox can't be read");
      return limits.outagePollMs;
    }
  });

  async function claim(kind: OutboxKind) {
    const busy = underWay.values().reduce((sum, other) => sum + (other === kind ? 1 : 0), 0);
    const limit = limits.concurrencyPerKind - busy;
    if (!isOpen || limit <= 0) return;
    const leaseEndsAt = performance.now() + leaseMs;
    for (const job of await claimJobs(kind, { limit, underWay: busy, now: new Date() })) {
      const work = attempt(kind, job, leaseEndsAt).finally(() => {
        underWay.delete(work);
        looking.wake();
      });
      underWay.set(work, kind);
    }
  }

  /** Counts the attempt here, so that a job that kills the process is given up. */
  async function claimJobs(
    kind: OutboxKind,
    { limit, underWay, now }: { limit: number; underWay: number; now: Date },
  ): Promise<ClaimedJob[]> {
    const at = now.toISOString();
    const due = sql`select id from outbox where delivered_at is null and failed_at is null
      and kind = ${kind} and created_at > ${frozenUntil} and next_attempt_at <= ${at}
      and (claimed_until is null or claimed_until < ${at})`;
    // Avoids a write lock.
    if ((await sql`${due} limit 1`.execute(db)).rows.length === 0) return [];
    const perHour = limits.paces[kind];
    const allowed = perHour ? (await leftOfPace(db, kind, { perHour, now })) - underWay : limit;
    if (allowed <= 0) return [];
    const claimedUntil = new Date(now.getTime() + leaseMs).toISOString();
    // PostgreSQL could otherwise rerun the inner select and exceed the limit.
    const { rows } = await sql<ClaimedJob>`
      with due as materialized (${due} order by next_attempt_at, id
        limit ${Math.min(limit, allowed)} ${isPostgres(db) ? sql`for update skip locked` : sql``})
      update outbox set claimed_by = ${claimant}, claimed_until = ${claimedUntil},
        attempts = attempts + 1
      where id in (select id from due) returning *`.execute(db);
    return rows.toSorted((a, b) => a.id - b.id);
  }

  async function attempt(kind: OutboxKind, job: ClaimedJob, leaseEndsAt: number) {
    const requestId = job.request_id ?? undefined;
    const about = { delivery: job.delivery_id, kind, attempt: job.attempts, requestId };
    const lease = { leaseEndsAt, leaseMs, isOpen: () => isOpen };
    try {
      const outcome = isOpen ? await deliver(kind, job) : null;
      if (outcome?.ok) {
        const delivered = { delivered_at: new Date().toISOString(), last_error: null };
        const change = job.erased_at === null ? delivered : "delete";
        const ours = await untilWritten(lease, () => settleJob(db, job, change));
        log.info({ ...about, ours }, "Delivered");
      } else if (outcome === null || aborting.signal.aborted) {
        await settleJob(db, job, { attempts: job.attempts - 1 });
        log.info(about, "Unfinished delivery returned to the outbox");
      } else {
        const { error } = outcome;
        const change = afterFailure(job, error);
        await settleJob(db, job, change);
        const givenUp = "failed_at" in change;
        log.warn({ ...about, err: error, givenUp }, "Delivery attempt failed");
      }
    } catch (err) {
      // After the lease the job is delivered again with the same id.
      log.error({ ...about, err }, "The outcome of a delivery could not be stored");
    }
  }

  async function deliver(kind: OutboxKind, job: ClaimedJob) {
    const timeout = AbortSignal.timeout(deliveryTimeoutMs);
    const signal = AbortSignal.any([timeout, aborting.signal]);
    try {
      if (job.attempts > limits.backoff.maxAttempts) {
        throw new PermanentDeliveryError("The server ended during every attempt");
      }
      const payload = readPayload(kind, job.payload);
      const { delivery_id: deliveryId, created_at: createdAt } = job;
      const deliverer = deliverers[kind] as Deliverer<unknown>;
      const delivering = deliverer({ deliveryId, payload, createdAt, signal });
      const silence = once(signal, "abort").then(() =>
        Promise.reject(new Error(`No answer within ${deliveryTimeoutMs} ms`)),
      );
      await Promise.race([delivering, silence]);
      return { ok: true } as const;
    } catch (error) {
      return { ok: false, error } as const;
    }
  }

  function afterFailure(job: ClaimedJob, error: unknown) {
    const isRefusal = error instanceof RefusedDeliveryError;
    const refusals = job.refusals + (isRefusal ? 1 : 0);
    const isLast =
      error instanceof PermanentDeliveryError ||
      job.attempts >= limits.backoff.maxAttempts ||
      refusals >= limits.maxRefusals;
    const outcome = { refusals, last_error: describeError(error) };
    if (isLast) return { ...outcome, failed_at: new Date().toISOString() };
    // Quick retries of a refused mail harm the sender's reputation.
    const failures = isRefusal ? refusals + 10 : job.attempts;
    const waitMs = backoffDelayMs(failures, limits.backoff);
    return { ...outcome, next_attempt_at: new Date(Date.now() + waitMs).toISOString() };
  }

  return {
    start: looking.start,
    wake: looking.wake,
    /** Waits for attempts up to the deadline, then aborts them and returns their leases. */
    async stop({ deadlineMs = 10_000 } = {}) {
      isOpen = false;
      await looking.stop();
      await Promise.race([
        Promise.all(underWay.keys()),
        delay(deadlineMs, undefined, { ref: false }),
      ]);
      aborting.abort(new Error("The server stops"));
      await Promise.all(underWay.keys());
    },
  };
}

const isInState = {
  waiting: sql<SqlBool>`delivered_at is null and failed_at is null`,
  failed: sql<SqlBool>`delivered_at is null and failed_at is not null`,
};

const waitsSince = sql<string>`case when attempts = 0 then next_attempt_at else created_at end`;

/** Jobs that were tried in vain or have waited for ten minutes, with a receiver's words; null if there are none. */
export async function findLateJobs(db: Db, now: Date) {
  const before = new Date(now.getTime() - 10 * 60_000).toISOString();
  const { rows } = await sql<{ count: number; since: string; words: string | null }>`
    select count(*) as count, min(${waitsSince}) as since, (
        select last_error from outbox where ${isInState.waiting} and last_error is not null
        order by id desc limit 1) as words
    from outbox where ${isInState.waiting}
      and (${waitsSince} < ${before} or last_error is not null)
      and created_at > ${frozenUntil}`.execute(db);
  const [late] = rows;
  return late && late.count > 0 ? late : null;
}

/** Jobs that wait and that have failed, with the words of the last failure. */
export async function countOutbox(db: Db) {
  const { rows } = await sql<{ waiting: number; failed: number; lastFailure: string | null }>`select
    (select count(*) from outbox where ${isInState.waiting}) as waiting,
    (select count(*) from outbox where ${isInState.failed}) as failed,
    (select last_error from outbox where ${isInState.failed} order by id desc limit 1)
      as "lastFailure"`.execute(db);
  return rows[0] ?? { waiting: 0, failed: 0, lastFailure: null };
}

export async function retryFailedDeliveries(db: Db, { now }: { now: Date }) {
  const result = await db
    .updateTable("outbox")
    .set({ failed_at: null, attempts: 0, refusals: 0, next_attempt_at: now.toISOString() })
    .where(isInState.failed)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Its refusal is without the parser's words, which quote what somebody wrote. */
function readPayload(kind: OutboxKind, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PermanentDeliveryError(`The payload is not that of a ${kind}`);
  }
}
