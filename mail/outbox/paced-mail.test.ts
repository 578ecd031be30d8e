import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { submitMessage } from "#contact/submit-message.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { type MailServer, startMailServer } from "#tests/mail-server.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import { createMailer, type Mailer } from "../create-mailer.ts";
import { claimDeliveries } from "./claim.ts";
import { createDeliverers } from "./create-deliverers.ts";
import { enqueue } from "./enqueue.ts";
import { listOutbox } from "./list-outbox.ts";
import type { MailPace } from "./mail-paces.ts";
import { createOutboxWorker, type OutboxWorker } from "./outbox-worker.ts";
import { listBusyPaces } from "./pace.ts";
import type { Priority } from "./priority.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");
const minuteMs = 60_000;
const pace: MailPace = { name: "confirmations", atOnce: 3, everyMs: minuteMs };

describeOnEachDatabase("mail at a pace", (database) => {
  let claims = 0;

  async function add(
    email: string,
    { priority = 0, afterMs = 0 }: { priority?: Priority; afterMs?: number },
  ) {
    const now = new Date(start + afterMs);
    const payload = { email, token: "t" };
    await enqueue(database.db, { kind: "confirmation-email", payload, now, priority });
  }

  /** Addresses of the mails that a claim takes. */
  async function claim(afterMs: number, { limit = 10, db = database.db } = {}) {
    claims += 1;
    const now = new Date(start + afterMs);
    const claimant = `worker/${claims}`;
    const kind = "confirmation-email";
    const { rows } = await claimDeliveries(
      db,
      { kind, limit, claimant, now, leaseMs: 24 * 60 * minuteMs },
      pace,
    );
    return rows.map((row) => JSON.parse(row.payload).email.split("@")[0]);
  }

  const notes = async () =>
    (await listOutbox(database.db)).filter(({ kind }) => kind === "paced-email").length;

  test("goes out at once up to its number, and then one in each interval, however often it is looked for", async () => {
    for (let n = 0; n < 6; n += 1) await add(`${n}@example.com`, { afterMs: n });
    expect(await claim(10)).toEqual(["0", "1", "2"]);
    for (const afterMs of [20, 1_000, 59_000]) expect(await claim(afterMs)).toEqual([]);
    expect(await claim(minuteMs + 20)).toEqual(["3"]);
    expect(await claim(minuteMs + 30)).toEqual([]);
    // What nobody asked for meanwhile is not lost.
    expect(await claim(4 * minuteMs)).toEqual(["4", "5"]);
  });

  test("is spaced by all copies of the server together, and by one that starts anew", async () => {
    for (let n = 0; n < 8; n += 1) await add(`${n}@example.com`, { afterMs: n });
    const other = (await database.connect()).db;
    const both = await Promise.all([claim(10), claim(10, { db: other })]);
    expect(both.flat().toSorted()).toEqual(["0", "1", "2"]);
    expect(await claim(20, { db: (await database.connect()).db })).toEqual([]);
  });

  test("is named as busy while it holds something back, and not afterwards", async () => {
    const busy = (afterMs: number) =>
      listBusyPaces(database.db, { "confirmation-email": pace }, new Date(start + afterMs));
    for (let n = 0; n < 3; n += 1) await add(`${n}@example.com`, { afterMs: n });
    expect(await busy(5)).toEqual([]);
    await claim(10);
    expect(await busy(20)).toEqual(["confirmations"]);
    expect(await busy(minuteMs + 20)).toEqual([]);
  });

  test("of somebody who wrote once goes before that of those who wrote often", async () => {
    for (let n = 0; n < 50; n += 1)
      await add(`often-${n}@example.com`, { priority: 2, afterMs: n });
    await add("twice@example.com", { priority: 1, afterMs: 100 });
    await add("once@example.com", { afterMs: 200 });
    expect(await claim(1_000)).toEqual(["once", "twice", "often-0"]);
    await add("later@example.com", { afterMs: 2_000 });
    expect(await claim(minuteMs + 1_000)).toEqual(["later"]);
    expect(await claim(2 * minuteMs + 1_000)).toEqual(["often-1"]);
  });

  test("is told of to the operator once, and again a day later", async () => {
    for (let n = 0; n < 20; n += 1) await add(`${n}@example.com`, {});
    await claim(10);
    expect(await notes()).toBe(0);
    for (let n = 0; n < 5; n += 1) await claim(1_000 + n);
    expect(await notes()).toBe(1);
    await claim(25 * 60 * minuteMs);
    expect(await notes()).toBe(1);
    await claim(25 * 60 * minuteMs + 1_000);
    expect(await notes()).toBe(2);
  });

  test("doesn't wait for a clock that was ahead to be reached again", async () => {
    await add("ahead@example.com", {});
    await claim(365 * 24 * 60 * minuteMs);
    for (let n = 0; n < 2; n += 1) await add(`${n}@example.com`, {});
    expect(await claim(10)).toEqual([]);
    expect(await claim(minuteMs + 10)).toEqual(["0"]);
  });
});

describeOnEachDatabase("a flood of messages", (database) => {
  let mailServer: MailServer;
  let mailer: Mailer;
  let worker: OutboxWorker;

  beforeEach(async () => {
    mailServer = await startMailServer();
    mailer = createMailer({
      smtpUrl: mailServer.url,
      dataDir: "",
      from: "site@chalkline.example",
      siteUrl: testSite.url,
    });
    const contactTo = "desk@chalkline.example";
    worker = createOutboxWorker({
      db: database.db,
      deliverers: createDeliverers({ mailer, contactTo, site: testSite, webhook: null }),
      log: pino({ level: "silent" }),
      limits: {
        pollMs: 20,
        paces: { "contact-email": { name: "messages", atOnce: 2, everyMs: 2_000 } },
      },
    });
  });

  afterEach(async () => {
    await worker.stop({ deadlineMs: 0 });
    mailer.close();
    await mailServer.close();
  });

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
    await until(() => mailServer.received.length === 5);
    const subjects = mailServer.received.map(({ email }) => email.subject ?? "");
    const messages = subjects.filter((subject) => subject.startsWith("Contact form"));
    expect(messages).toHaveLength(4);
    expect(messages.slice(0, 2)).toContain("Contact form, from Real Souza");
    const notes = mailServer.received.filter(({ email }) => email.subject?.startsWith("Many"));
    expect(notes).toHaveLength(1);
    expect(notes[0]?.to).toEqual(["desk@chalkline.example"]);
    expect(notes[0]?.email.text).toContain("npm run site -- messages list");
  });
});
