import { setTimeout as delay } from "node:timers/promises";
import type { CompiledQuery, Kysely } from "kysely";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import type { Database } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { until } from "#tests/until.ts";
import type { Deliverers, Delivery } from "./delivery.ts";
import { enqueueAll } from "./enqueue.ts";
import { countOutbox } from "./list-outbox.ts";
import { defaultOutboxLimits, type OutboxLimits } from "./outbox-limits.ts";
import { createOutboxWorker, type OutboxWorker } from "./outbox-worker.ts";

const backlog = 1_000;
const workers: OutboxWorker[] = [];

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop({ deadlineMs: 0 });
});

async function fill(db: Kysely<Database>, count: number) {
  const now = new Date();
  const payload = (n: number) => ({ email: `${n}@example.com`, token: "t" });
  for (let n = 0; n < count; n += 500) {
    await enqueueAll(
      db,
      Array.from({ length: Math.min(500, count - n) }, (_, index) => ({
        kind: "confirmation-email" as const,
        payload: payload(n + index),
        now,
      })),
    );
  }
}

function start(
  db: Kysely<Database>,
  deliver: (delivery: Delivery<unknown>) => Promise<undefined>,
  limits: Partial<OutboxLimits> = {},
) {
  const worker = createOutboxWorker({
    db,
    deliverers: { "confirmation-email": deliver } as Partial<Deliverers> as Deliverers,
    log: pino({ level: "silent" }),
    limits: { paces: {}, ...limits },
  });
  workers.push(worker);
  worker.start();
  return worker;
}

/** Counts the statements that are built for the outbox, for both databases alike. */
function countStatements(db: Kysely<Database>) {
  const counting = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  });
  const executor = counting.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  let statements = 0;
  executor.executeQuery = <Row>(query: CompiledQuery) => {
    statements += 1;
    return execute<Row>(query);
  };
  return { db: counting, read: () => statements };
}

describeOnEachDatabase("a backlog in the outbox", (database) => {
  const waiting = async () => (await countOutbox(database.db)).waiting;

  test("goes out in batches: each once, with a statement for many, and never more at once than allowed", async () => {
    await fill(database.db, backlog);
    const counted = countStatements(database.db);
    const sent: string[] = [];
    let atOnce = 0;
    let mostAtOnce = 0;
    start(counted.db, async ({ deliveryId }) => {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await delay(0);
      atOnce -= 1;
      sent.push(deliveryId);
      return undefined;
    });
    await until(async () => (await waiting()) === 0);
    expect(sent).toHaveLength(backlog);
    expect(new Set(sent).size).toBe(backlog);
    expect(mostAtOnce).toBe(defaultOutboxLimits.concurrencyPerKind);
    // A claim and an outcome of its own for each would be twice as many as there are.
    expect(counted.read()).toBeLessThan(backlog);
  });

  test("is given back by a server that stops, but for what is under way", async () => {
    await fill(database.db, backlog);
    const gate = Promise.withResolvers<undefined>();
    let begun = 0;
    const worker = start(database.db, async () => {
      begun += 1;
      return begun > 100 ? gate.promise : undefined;
    });
    await until(() => begun === 104);
    const stopped = worker.stop();
    gate.resolve(undefined);
    await stopped;
    const left = await database.db
      .selectFrom("outbox")
      .select(["attempts", "claimed_by"])
      .where("delivered_at", "is", null)
      .execute();
    expect(left).toHaveLength(backlog - 104);
    expect(left.filter(({ attempts, claimed_by }) => attempts > 0 || claimed_by)).toEqual([]);
  });

  test("is claimed no further than a receiver has room for that has just failed", async () => {
    await fill(database.db, backlog);
    let begun = 0;
    start(database.db, async () => {
      begun += 1;
      if (begun <= 300) return undefined;
      // As many as a batch may have been, and then it stands still.
      if (begun <= 480) throw new Error("421 too busy");
      return new Promise<undefined>(() => {});
    });
    const { concurrencyPerKind } = defaultOutboxLimits;
    await until(() => begun === 480 + concurrencyPerKind);
    // What has failed is put off a moment later; more than stands still would stay claimed.
    await until(async () => {
      const held = await database.db
        .selectFrom("outbox")
        .select("id")
        .where("claimed_by", "is not", null)
        .execute();
      return held.length === concurrencyPerKind;
    });
  });
});
