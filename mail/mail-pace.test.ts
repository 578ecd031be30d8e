import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { submitMessage } from "#contact/messages.ts";
import type { Priority } from "#db/tables.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { mailerForEachTest } from "#tests/mailer-for-each-test.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import { createDeliverers } from "./deliverers.ts";
import type { MailPace } from "./mail-pace.ts";
import { claimJobs, createOutboxWorker, type OutboxWorker } from "./outbox.ts";
import { enqueue } from "./outbox-jobs.ts";
import { listOutbox } from "./outbox-list.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");
const minuteMs = 60_000;
const pace: MailPace = { name: "confirmations", atOnce: 3, everyMs: minuteMs };

describeOnEachDatabase("mail at a pace", (database) => {
  async function add(
    email: string,
    { priority = 0, afterMs = 0 }: { priority?: Priority; afterMs?: number },
  ) {
    const now = new Date(start + afterMs);
    const payload = { email, token: "t" };
    await enqueue(database.db, { kind: "confirmation-email", payload, now, priority });
  }

  /** Addresses of the mails that go out at that moment. */
  async function sendAt(afterMs: number, { limit = 10, db = database.db } = {}) {
    const now = new Date(start + afterMs);
    const kind = "confirmation-email";
    const claim = { kind, limit, claimant: "worker", now, leaseMs: 60_000, pace } as const;
    const jobs = await claimJobs(db, claim);
    for (const { id } of jobs) {
      const delivered_at = now.toISOString();
      await db.updateTable("outbox").set({ delivered_at }).where("id", "=", id).execute();
    }
    return jobs.map((job) => JSON.parse(job.payload).email.split("@")[0]);
  }

  const notes = async () =>
    (await listOutbox(database.db)).filter(({ kind }) => kind === "paced-email").length;

  test("goes out at once up to its number, and then one in each interval, from whichever instance", async () => {
    for (let n = 0; n < 6; n += 1) await add(`${n}@example.com`, { afterMs: n });
    const other = (await database.connect()).db;
    expect(await sendAt(10)).toEqual(["0", "1", "2"]);
    for (const afterMs of [20, 1_000, 59_000]) expect(await sendAt(afterMs)).toEqual([]);
    expect(await sendAt(20, { db: other })).toEqual([]);
    expect(await sendAt(minuteMs + 20)).toEqual(["3"]);
    expect(await sendAt(minuteMs + 30, { db: other })).toEqual([]);
    // After a quiet hour the first number may go again.
    expect(await sendAt(62 * minuteMs)).toEqual(["4", "5"]);
  });

  test("is told of to the operator once, and again a day later", async () => {
    for (let n = 0; n < 20; n += 1) await add(`${n}@example.com`, {});
    await sendAt(10);
    expect(await notes()).toBe(0);
    for (let n = 0; n < 5; n += 1) await sendAt(1_000 + n);
    expect(await notes()).toBe(1);
    await sendAt(25 * 60 * minuteMs);
    expect(await notes()).toBe(1);
    await sendAt(25 * 60 * minuteMs + 1_000);
    expect(await notes()).toBe(2);
  });
});

describeOnEachDatabase("a flood of messages", (database) => {
  const mailing = mailerForEachTest();
  let worker: OutboxWorker;

  beforeEach(() => {
    const { mailer } = mailing;
    const contactTo = "desk@chalkline.example";
    worker = createOutboxWorker({
      db: database.db,
      deliverers: createDeliverers({ mailer, contactTo, site: testSite, webhook: null }),
      log: pino({ level: "silent" }),
      limits: {
        pollMs: 20,
        paces: { "contact-email": { name: "messages", atOnce: 2, everyMs: 400 } },
      },
    });
  });

  afterEach(() => worker.stop({ deadlineMs: 0 }));

  test("is all kept and all mailed, a stranger's first before it, and the firm is told", async () => {
    const send = (firstName: string, priority: Priority) =>
      submitMessage(
        { db: database.db, wakeOutbox: () => worker.wake() },
        { ...contactMessage, firstName },
        { idempotencyKey: null, clientAddress: null, priority },
      );
    for (let n = 0; n < 3; n += 1) await send("Flood", 2);
    await send("Real", 0);
    worker.start();
    const { received } = mailing.server;
    await until(() => received.length === 5);
    const subjects = received.map(({ email }) => email.subject ?? "");
    const messages = subjects.filter((subject) => subject.startsWith("Contact form"));
    expect(messages).toHaveLength(4);
    expect(messages.slice(0, 2)).toContain("Contact form, from Real Souza");
    const notes = received.filter(({ email }) => email.subject?.startsWith("Many"));
    expect(notes).toHaveLength(1);
    expect(notes[0]?.to).toEqual(["desk@chalkline.example"]);
    expect(notes[0]?.email.text).toContain("npm run site -- messages list");
  });
});
