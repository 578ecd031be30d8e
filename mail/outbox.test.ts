import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listOutbox } from "#tests/list-outbox.ts";
import { until } from "#tests/until.ts";
import type { OutboxLimits } from "./outbox.ts";
import {
  createOutboxWorker,
  defaultBackoff,
  type OutboxWorker,
  retryFailedDeliveries,
} from "./outbox.ts";
import { type Deliverers, type Delivery, enqueue } from "./outbox-jobs.ts";

const log = pino({ level: "silent" });
const quick = { pollMs: 20, backoff: { ...defaultBackoff, baseMs: 1, capMs: 1, maxAttempts: 3 } };
const workers: OutboxWorker[] = [];

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop({ deadlineMs: 0 });
});

function startWorker(db: Db, deliverers: Partial<Deliverers>, limits: Partial<OutboxLimits> = {}) {
  const worker = createOutboxWorker({
    db,
    deliverers: deliverers as Deliverers,
    log,
    limits: { ...quick, ...limits },
  });
  workers.push(worker);
  worker.start();
  return worker;
}

async function addConfirmation(db: Db, email: string, now = new Date()) {
  return await enqueue(db, { kind: "confirmation-email", payload: { email, token: "t" }, now });
}

async function addWebhook(db: Db, email: string) {
  const now = new Date();
  const payload = {
    type: "newsletter.subscribed",
    timestamp: now.toISOString(),
    data: { email },
  } as const;
  return await enqueue(db, { kind: "newsletter-webhook", payload, now });
}

/** A deliverer that never ends by itself, and doesn't look at the signal. */
function hang() {
  return new Promise<undefined>(() => {});
}

describeOnEachDatabase("the outbox worker", (database) => {
  test("tries again with the same id and payload until the delivery succeeds", async () => {
    const { db } = database;
    const attempts: Delivery<unknown>[] = [];
    const id = await addConfirmation(db, "a@example.com");
    startWorker(db, {
      "confirmation-email": async (delivery) => {
        attempts.push(delivery);
        if (attempts.length < 3) throw new Error("not yet");
        return undefined;
      },
    });
    await until(async () => (await listOutbox(db, { state: "delivered" })).length === 1);
    expect(attempts.map((attempt) => attempt.deliveryId)).toEqual([id, id, id]);
    expect(attempts[2]?.payload).toEqual({ email: "a@example.com", token: "t" });
    const [row] = await listOutbox(db);
    expect(row).toMatchObject({ attempts: 3, lastError: null, failedAt: null });
  });

  test("keeps a delivery as failed after the last attempt, and the operator's retry begins anew", async () => {
    const { db } = database;
    const id = await addConfirmation(db, "a@example.com");
    let down = true;
    startWorker(db, {
      "confirmation-email": async () => {
        if (down) throw new Error("connect", { cause: new Error("ECONN\u0000REFUSED \ud800") });
        return undefined;
      },
    });
    await until(async () => (await listOutbox(db, { state: "failed" })).length === 1);
    const [failed] = await listOutbox(db);
    expect(failed).toMatchObject({ attempts: 3, state: "failed" });
    expect(failed?.lastError).toBe("connect: ECONN REFUSED \ufffd");
    await delay(60);
    expect((await listOutbox(db))[0]?.attempts).toBe(3);

    down = false;
    expect(await retryFailedDeliveries(db, { now: new Date() })).toBe(1);
    await until(async () => (await listOutbox(db, { state: "delivered" })).length === 1);
    expect((await listOutbox(db))[0]).toMatchObject({ deliveryId: id, attempts: 1 });
  });

  test("a mail server that never answers holds up no webhook, and no more mail than fits", async () => {
    const { db } = database;
    let mailing = 0;
    const hooks: string[] = [];
    for (let n = 0; n < 10; n += 1) await addConfirmation(db, `${n}@example.com`);
    await addWebhook(db, "a@example.com");
    startWorker(
      db,
      {
        "confirmation-email": () => {
          mailing += 1;
          return hang();
        },
        "newsletter-webhook": async ({ payload }) => void hooks.push(payload.data.email),
      },
      { concurrencyPerKind: 2 },
    );
    await until(() => hooks.length === 1 && mailing === 2);
    await delay(100);
    expect(mailing).toBe(2);
  });

  test("gives up an attempt that takes too long, even one that ignores its signal", async () => {
    const { db } = database;
    await addConfirmation(db, "a@example.com");
    startWorker(db, { "confirmation-email": hang }, { deliveryTimeoutMs: 30 });
    await until(async () => (await listOutbox(db, { state: "failed" })).length === 1);
    expect((await listOutbox(db))[0]?.lastError).toBe("No answer within 30 ms");
  });

  test("mails no more in an hour than its pace, by however many instances", async () => {
    const { db } = database;
    const other = (await database.connect()).db;
    const delivered: string[] = [];
    for (let n = 0; n < 7; n += 1) await addConfirmation(db, `${n}@example.com`, new Date(n));
    const deliverers: Partial<Deliverers> = {
      "confirmation-email": async ({ payload }) => void delivered.push(payload.email),
    };
    const paced = {
      paces: { "confirmation-email": 3 },
      concurrencyPerKind: 1,
    };
    const first = startWorker(db, deliverers, paced);
    await until(() => delivered.length === 3);
    await first.stop();
    startWorker(other, deliverers, paced);
    const waiting = async () => (await listOutbox(db, { state: "waiting" })).length;
    const anHour = 60 * 60_000;
    const pass = async (ms: number) => {
      const before = new Date(Date.now() - ms).toISOString();
      await db
        .updateTable("outbox")
        .set({ delivered_at: before })
        .where("delivered_at", "is not", null)
        .execute();
    };
    await pass(anHour - 60_000);
    expect(await waiting()).toBe(4);
    await pass(anHour);
    await until(async () => (await waiting()) === 1);
    expect(delivered.map((email) => email[0])).toEqual(["0", "1", "2", "3", "4", "5"]);
  });

  test("two workers on one database share the work and deliver nothing twice", async () => {
    const { db } = database;
    const other = (await database.connect()).db;
    const delivered: string[] = [];
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) ids.push(await addConfirmation(db, `${n}@example.com`));
    const deliverer: Partial<Deliverers> = {
      "confirmation-email": async ({ deliveryId }) => {
        await delay(1);
        delivered.push(deliveryId);
        return undefined;
      },
    };
    startWorker(db, deliverer);
    startWorker(other, deliverer);
    await until(async () => (await listOutbox(db, { state: "delivered" })).length === 60);
    expect(delivered.toSorted()).toEqual(ids.toSorted());
  });

  test("does not deliver again what arrived while the database was away for a moment", async () => {
    const { db } = database;
    let deliveries = 0;
    await addConfirmation(db, "a@example.com");
    startWorker(
      db,
      {
        "confirmation-email": async () => {
          deliveries += 1;
          await db.schema.alterTable("outbox").renameTo("away").execute();
          return undefined;
        },
      },
      { deliveryTimeoutMs: 10_000, leaseMs: 30_000 },
    );
    await until(() => deliveries === 1);
    await delay(300);
    await db.schema.alterTable("away").renameTo("outbox").execute();
    await until(async () => (await listOutbox(db, { state: "delivered" })).length === 1);
    expect(deliveries).toBe(1);
  });
});
