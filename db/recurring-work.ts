import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Database } from "./tables.ts";

export type RecurringWork = {
  start(): void;
  stop(): Promise<void>;
};

/** Runs work at the start and again after the milliseconds it returns. It must never reject. */
export function createRecurringWork(work: (stopping: AbortSignal) => Promise<number>) {
  const stopping = new AbortController();
  let waking = new AbortController();
  let running = Promise.resolve();

  async function repeat() {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      const nextInMs = await work(stopping.signal);
      const { signal } = waking;
      await delay(nextInMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    start() {
      running = repeat();
    },
    wake: () => waking.abort(),
    async stop() {
      stopping.abort();
      waking.abort();
      await running;
    },
  };
}

export type LookReport = { failed: (error: unknown) => void };

/** Looks for a change every second. Keeps the last result while that fails, and reports the first failure of a row. */
export function createRecurringLook(look: () => Promise<void>, report: LookReport) {
  let isFailing = false;
  return createRecurringWork(async () => {
    try {
      await look();
      isFailing = false;
    } catch (error) {
      if (!isFailing) report.failed(error);
      isFailing = true;
    }
    return 1_000;
  });
}

type Lease = { name: string; holder: string; now: Date; leaseMs: number };

/** Takes or renews a lease. Returns whether the holder has it. */
export async function takeLease(db: Kysely<Database>, { name, holder, now, leaseMs }: Lease) {
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
  const { numAffectedRows = 0n } = await sql`
    insert into leases (name, held_by, held_until) values (${name}, ${holder}, ${after(leaseMs)})
    on conflict (name) do update set held_by = excluded.held_by, held_until = excluded.held_until
    where leases.held_by = ${holder} or leases.held_until <= ${after(0)}`.execute(db);
  return numAffectedRows > 0n;
}

export async function endLease(
  db: Kysely<Database>,
  { name, holder, until }: Pick<Lease, "name" | "holder"> & { until: Date },
): Promise<void> {
  await db
    .updateTable("leases")
    .set({ held_by: "", held_until: until.toISOString() })
    .where("name", "=", name)
    .where("held_by", "=", holder)
    .execute();
}

/** A lost outcome would cause a second delivery. */
export async function untilWritten<Result>(
  { leaseEndsAt, leaseMs, isOpen }: { leaseEndsAt: number; leaseMs: number; isOpen(): boolean },
  write: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isOpen() || performance.now() >= leaseEndsAt) throw error;
      await delay(leaseMs / 20);
    }
  }
}
