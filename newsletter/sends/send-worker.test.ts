import { raw } from "hono/html";
import { sql } from "kysely";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { createMailer, type Mailer, type MailMessage, openSmtpPool } from "#mail/create-mailer.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { failOn, isFullDisk } from "#tests/full-disk.ts";
import { type MailServer, startMailServer } from "#tests/mail-server.ts";
import { beginTestSends, queueTestSend, testSender } from "#tests/sends/queue-test-send.ts";
import { quickSendLimits } from "#tests/sends/quick-send-limits.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import { releaseSubscriber, unsubscribe } from "../subscribers/subscribe.ts";
import { listSendRows, type Sender } from "./recipients.ts";
import { createSendWorker, type SendLimits, type SendWorker } from "./send-worker.ts";
import {
  cancelSend,
  countAudience,
  findSend,
  moveSend,
  pauseSend,
  resumeSend,
  rowStates,
} from "./sends.ts";

let mailServer: MailServer;
const mailers: Mailer[] = [];
const workers: SendWorker[] = [];

beforeEach(async () => {
  mailServer = await startMailServer();
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop({ deadlineMs: 500 });
  for (const mailer of mailers.splice(0)) mailer.close();
  await mailServer.close();
});

function startWorker(
  open: TestDatabase["open"],
  limits: Partial<SendLimits> = {},
  /** Runs after the mail server's answer and before the worker hears of it. */
  afterSend = async () => {},
  log = pino({ level: "silent" }),
  sender: Sender = testSender,
) {
  const pool = openSmtpPool(mailerOptions());
  const mailer = createMailer({ ...mailerOptions(), pool });
  mailers.push(mailer);
  const worker = createSendWorker({
    database: open,
    log,
    mailer: {
      async send(...mail) {
        await mailer.send(...mail);
        await afterSend();
      },
    },
    ...sender,
    returnPathOf: ({ id }) => `bounces+${id}@chalkline.example`,
    limits: { ...quickSendLimits, ...limits },
  });
  workers.push(worker);
  worker.start();
  return pool;
}

function mailerOptions() {
  const from = '"Chalkline" <matrix@chalkline.example>';
  return { smtpUrl: mailServer.url, dataDir: "", from, siteUrl: testSite.url, connections: 5 };
}

async function sendOf(db: Db, id: number) {
  const send = await findSend(db, id);
  if (!send) throw new Error("There is no such send.");
  return send;
}

async function untilState(db: Db, id: number, state: string) {
  await until(async () => (await sendOf(db, id)).state === state);
  return await sendOf(db, id);
}

async function reasonsMailed(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("outbox")
    .select("payload")
    .where("kind", "=", "paused-email")
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload).reason);
}

const recipients = () => mailServer.received.flatMap(({ to }) => to);
const nothing = Object.fromEntries(rowStates.map((state) => [state, 0]));
const leave = (db: Db, email: string) =>
  unsubscribe({ db, newsletterWebhookUrl: null, wakeOutbox: () => {} }, { email });

describeOnEachDatabase("sends", (database) => {
  test("a send mails every confirmed subscriber once, each with a link and a Message-ID of their own", async () => {
    const { db, open } = database;
    await addSubscribers(db, 30);
    await leave(db, subscriberAddress(3));
    const id = await queueTestSend(db, { beginsAt: new Date(Date.now() + 400) });
    startWorker(open);
    startWorker(await database.connect());
    const send = await untilState(db, id, "finished");
    expect(Date.parse(send.begunAt ?? "")).toBeGreaterThanOrEqual(Date.parse(send.beginsAt));
    expect(send.counts).toEqual({ ...nothing, accepted: 29 });
    const rows = await listSendRows(db, { sendId: id });
    expect(recipients().toSorted()).toEqual(rows.map(({ email }) => email).toSorted());
    expect(recipients()).not.toContain(subscriberAddress(3));
    const tokens = await db.selectFrom("subscribers").select(["email", "token"]).execute();
    for (const { email, from, to } of mailServer.received) {
      const row = rows.find((one) => one.email === to[0]);
      const token = tokens.find((one) => one.email === to[0])?.token;
      expect(from).toBe(`bounces+${row?.id}@chalkline.example`);
      expect(email.messageId).toBe(`<${row?.messageId}@chalkline.example>`);
      expect(email.html).toContain(`token=${token}"`);
      expect(email.text).toContain(`token=${token}`);
    }
  });

  test("a send that is more than six hours late pauses, and goes on when resumed", async () => {
    const { db, open } = database;
    await addSubscribers(db, 1);
    const hourMs = 60 * 60 * 1000;
    const late = await queueTestSend(db, { beginsAt: new Date(Date.now() - 7 * hourMs) });
    const inTime = { issueId: 2, beginsAt: new Date(Date.now() - 5 * hourMs) };
    const other = await queueTestSend(db, inTime);
    startWorker(open);
    await untilState(db, other, "finished");
    const { pauseReason } = await untilState(db, late, "paused");
    expect(pauseReason).toContain("more than six hours ago");
    expect(await reasonsMailed(db)).toEqual([pauseReason]);
    await resumeSend(db, late);
    expect((await untilState(db, late, "finished")).counts.accepted).toBe(1);
  });

  test("a second send mails only those who joined after the first began", async () => {
    const { db, open } = database;
    await addSubscribers(db, 3);
    const first = await queueTestSend(db);
    await expect(queueTestSend(db)).rejects.toThrow("send_open");
    startWorker(open);
    await untilState(db, first, "finished");
    await addSubscribers(db, 2, 3);
    expect(await countAudience(db, 1)).toEqual({ confirmed: 5, withoutIssue: 2 });
    const second = await untilState(db, await queueTestSend(db, { audience: "new" }), "finished");
    expect(second.counts).toEqual({ ...nothing, accepted: 2 });
    expect(recipients().toSorted()).toEqual([0, 1, 2, 3, 4].map(subscriberAddress));
  });

  test("a paused send hands nothing over, and a resumed one goes on with those who are left", async () => {
    const { db, open } = database;
    await addSubscribers(db, 20);
    const id = await queueTestSend(db);
    startWorker(open, { mailsPerSecond: 20, connections: 2 });
    await until(() => mailServer.received.length > 5);
    expect(await pauseSend(db, { id })).toMatchObject({ ok: true, state: "paused" });
    expect(await pauseSend(db, { id })).toMatchObject({ ok: false, reason: "not_possible" });
    await until(async () => (await sendOf(db, id)).counts.handed_over === 0);
    const handedOver = mailServer.received.length;
    await leave(db, subscriberAddress(19));
    expect(mailServer.received).toHaveLength(handedOver);
    await resumeSend(db, id);
    const send = await untilState(db, id, "finished");
    expect(send.counts).toEqual({ ...nothing, accepted: 19, withdrawn: 1 });
    expect(new Set(recipients()).size).toBe(19);
  });

  test("a cancelled send withdraws the unmailed, and the next mails them under the Message-ID that was tried", async () => {
    const { db, open } = database;
    await addSubscribers(db, 10);
    mailServer.mode = "defer";
    const cancelled = await queueTestSend(db);
    const backoff = { baseMs: 60_000, factor: 1, capMs: 60_000, jitter: 0, maxAttempts: 9 };
    startWorker(open, { backoff, mailsPerSecond: 10 });
    await until(async () => (await sendOf(db, cancelled)).counts.deferred > 2);
    const tried = await listSendRows(db, { sendId: cancelled });
    const result = await cancelSend(db, { id: cancelled, now: new Date() });
    expect(result).toMatchObject({ ok: true, state: "cancelled" });
    await until(async () => (await sendOf(db, cancelled)).counts.withdrawn === 10);
    expect(await resumeSend(db, cancelled)).toMatchObject({ ok: false, state: "cancelled" });
    mailServer.mode = "accept";
    const next = await untilState(db, await queueTestSend(db, { audience: "new" }), "finished");
    expect(next.counts).toEqual({ ...nothing, accepted: 10 });
    const ids = tried.map(({ messageId }) => `<${messageId}@chalkline.example>`);
    expect(mailServer.received.map(({ email }) => email.messageId).sort()).toEqual(ids.sort());
  });

  test("a send withdraws a subscriber who leaves, bounces or is removed before the hand-over", async () => {
    const { db, open } = database;
    await addSubscribers(db, 4);
    const id = await queueTestSend(db);
    await beginTestSends(open);
    await leave(db, subscriberAddress(0));
    const bounced = db.updateTable("subscribers").set({ bounced_at: "2026" });
    await bounced.where("email", "=", subscriberAddress(1)).execute();
    await db.deleteFrom("subscribers").where("email", "=", subscriberAddress(2)).execute();
    startWorker(open);
    await untilState(db, id, "finished");
    expect(recipients()).toEqual([subscriberAddress(3)]);
    const rows = await listSendRows(db, { sendId: id, state: "withdrawn" });
    expect(rows.map(({ email, answer }) => [email, answer])).toEqual([
      [subscriberAddress(0), "left"],
      [subscriberAddress(1), "bounced"],
      [null, "no longer a subscriber"],
    ]);
  });

  test("an implied consent is mailed until its end, also where that comes while the send runs", async () => {
    const { db, open } = database;
    await addSubscribers(db, 2);
    const endsIn = async (number: number, ms: number) => {
      const consent_ends_at = new Date(Date.now() + ms).toISOString();
      const one = db.updateTable("subscribers").where("email", "=", subscriberAddress(number));
      await one.set({ consent_ends_at }).execute();
    };
    await endsIn(0, 60_000);
    await endsIn(1, 60_000);
    const id = await queueTestSend(db);
    await beginTestSends(open);
    await endsIn(1, -1);
    startWorker(open);
    const { counts } = await untilState(db, id, "finished");
    expect(recipients()).toEqual([subscriberAddress(0)]);
    expect(counts).toEqual({ ...nothing, accepted: 1, withdrawn: 1 });
  });

  test("an accepted mail is recorded once the database answers again, and isn't sent twice", async () => {
    const { db, open } = database;
    await addSubscribers(db, 1);
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);
    const { promise: isBack, resolve } = Promise.withResolvers<unknown>();
    const id = await queueTestSend(db);
    startWorker(open, {}, async () => {
      await rename("send_rows", "send_rows_away");
      setTimeout(() => resolve(rename("send_rows_away", "send_rows")), 400);
    });
    await isBack;
    expect((await untilState(db, id, "finished")).counts.accepted).toBe(1);
    expect(recipients()).toEqual([subscriberAddress(0)]);
  });

  test("an address that doesn't exist is mailed no more until the operator releases it", async () => {
    const { db, open } = database;
    await addSubscribers(db, 1);
    startWorker(open);
    mailServer.mode = "reject";
    const first = await untilState(db, await queueTestSend(db), "finished");
    expect(first.counts).toEqual({ ...nothing, refused: 1 });
    expect(await listSendRows(db, { sendId: first.id })).toMatchObject([{ attempts: 1 }]);
    expect(await countAudience(db, 2)).toEqual({ confirmed: 0, withoutIssue: 0 });
    const bounces = await db.selectFrom("bounces").selectAll().execute();
    expect(bounces).toMatchObject([{ kind: "hard", status_code: "5.1.1" }]);
    const release = { db, newsletterWebhookUrl: null, now: new Date() };
    await releaseSubscriber(release, { email: subscriberAddress(0) });
    mailServer.mode = "accept";
    await untilState(db, await queueTestSend(db, { issueId: 2 }), "finished");
    expect(recipients()).toEqual([subscriberAddress(0)]);
  });

  test("a deferred mail is tried again, and given up in the end", async () => {
    const { db, open } = database;
    await addSubscribers(db, 1);
    mailServer.mode = "defer";
    startWorker(open, { backoff: { baseMs: 5, factor: 1, capMs: 5, jitter: 1, maxAttempts: 4 } });
    const send = await untilState(db, await queueTestSend(db), "finished");
    expect(send.counts).toEqual({ ...nothing, refused: 1 });
    expect(await listSendRows(db, { sendId: send.id })).toMatchObject([{ attempts: 4 }]);
    expect(await db.selectFrom("bounces").select("kind").execute()).toEqual([{ kind: "soft" }]);
  });

  test("a send pauses where the server refuses all our mails, and marks no subscriber", async () => {
    const { db, open } = database;
    await addSubscribers(db, 30);
    mailServer.mode = "banned";
    const id = await queueTestSend(db);
    startWorker(open, { refusalsBeforePause: 3 });
    const send = await untilState(db, id, "paused");
    expect(send.counts.refused).toBe(0);
    expect(await db.selectFrom("bounces").selectAll().execute()).toEqual([]);
    expect(await reasonsMailed(db)).toEqual([expect.stringContaining("5.7.1 Sender blocked")]);
    mailServer.mode = "accept";
    await resumeSend(db, id);
    expect((await untilState(db, id, "finished")).counts.accepted).toBe(30);
  });

  test("a send pauses with the server's words where nobody can sign in, and goes on when resumed", async () => {
    const { db, open } = database;
    await addSubscribers(db, 3);
    mailServer.mode = "locked";
    const id = await queueTestSend(db);
    startWorker(open);
    const { pauseReason } = await untilState(db, id, "paused");
    expect(pauseReason).toContain("535 5.7.8 Wrong password");
    expect(await reasonsMailed(db)).toEqual([pauseReason]);
    mailServer.mode = "accept";
    await resumeSend(db, id);
    expect((await untilState(db, id, "finished")).counts.accepted).toBe(3);
  });

  test("a server that accepts one connection at a time gets the send, and letters in between", async () => {
    const { db, open } = database;
    await addSubscribers(db, 60);
    mailServer.connectionsMax = 1;
    const id = await queueTestSend(db);
    const pool = startWorker(open, { pollMs: 200 });
    const mailer = createMailer({ ...mailerOptions(), pool, goesFirst: true });
    let isOver = false;
    let taken = 0;
    const letters = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const letter = {
          deliveryId: `letter-${n}`,
          date: new Date().toISOString(),
          subject: "A letter",
          to: { name: "", address: `letter-${n}@chalkline.example` },
          text: "Words.",
          html: raw("<p>Words.</p>") as MailMessage["html"],
        };
        await mailer.send(letter).then(
          () => (taken += 1),
          () => {},
        );
      }
    })();
    expect((await untilState(db, id, "finished")).counts.accepted).toBe(60);
    isOver = true;
    await letters;
    expect(taken).toBeGreaterThan(0);
  });

  test("a send stops at the day's limit, a tenth of which is kept for letters", async () => {
    const { db, open } = database;
    await addSubscribers(db, 30);
    const id = await queueTestSend(db);
    startWorker(open, { mailsPerDay: 20 });
    await until(async () => (await sendOf(db, id)).trouble !== null);
    const next = await queueTestSend(db, { issueId: 2 });
    await until(async () => (await sendOf(db, next)).trouble !== null);
    await cancelSend(db, { id: next, now: new Date() });
    for (const worker of workers.splice(0)) await worker.stop({ deadlineMs: 500 });
    expect(await sendOf(db, id)).toMatchObject({ state: "sending", counts: { accepted: 18 } });
    const dayBefore = new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString();
    const accepted = db.updateTable("send_rows").where("state", "=", "accepted");
    await accepted.set({ settled_at: dayBefore }).execute();
    startWorker(open, { mailsPerDay: 20 });
    expect((await untilState(db, id, "finished")).counts.accepted).toBe(30);
  });

  test("the last mail of the day's limit gets its outcome the same day, where it is refused", async () => {
    const { db, open } = database;
    await addSubscribers(db, 10);
    mailServer.refused.set(subscriberAddress(3), "5.1.1 User unknown in local recipient table");
    startWorker(open, { mailsPerDay: 5, connections: 1 });
    const id = await queueTestSend(db);
    await until(async () => (await sendOf(db, id)).counts.refused === 1);
    const { trouble, counts } = await sendOf(db, id);
    expect(trouble).toContain("the day's 5 mails are sent");
    expect(counts).toEqual({ ...nothing, accepted: 3, refused: 1, waiting: 6 });
  });

  test("a refusal that others don't get is the address's, though its code blames us", async () => {
    const { db, open } = database;
    await addSubscribers(db, 60);
    for (let n = 0; n < 12; n += 1) {
      mailServer.refused.set(subscriberAddress(5 * n), "5.7.1 Delivery not authorized");
    }
    mailServer.refused.set(subscriberAddress(59), "5.7.1 Refused by our spam filter");
    startWorker(open, { refusalsBeforePause: 5 });
    const { counts } = await untilState(db, await queueTestSend(db), "finished");
    expect(counts).toEqual({ ...nothing, accepted: 47, refused: 13 });
    const bounces = await db.selectFrom("bounces").select("kind").execute();
    expect(bounces).toEqual(Array(12).fill({ kind: "soft" }));
    expect((await countAudience(db, 2)).confirmed).toBe(60);
  });

  test("an address with a lost domain or a bare 550 is mailed no more after the second issue", async () => {
    const { db, open } = database;
    await addSubscribers(db, 3);
    mailServer.refused.set(subscriberAddress(0), "5.4.4 Host or domain name not found");
    mailServer.refused.set(subscriberAddress(1), "Administrative prohibition");
    startWorker(open);
    await untilState(db, await queueTestSend(db), "finished");
    expect((await countAudience(db, 2)).confirmed).toBe(3);
    await untilState(db, await queueTestSend(db, { issueId: 2 }), "finished");
    expect((await countAudience(db, 3)).confirmed).toBe(1);
  });

  test("several instances together send no faster than the rate", async () => {
    const { db, open } = database;
    await addSubscribers(db, 12);
    const id = await queueTestSend(db);
    startWorker(open, { mailsPerSecond: 20 });
    startWorker(await database.connect(), { mailsPerSecond: 20 });
    const begunAt = performance.now();
    await untilState(db, id, "finished");
    expect(performance.now() - begunAt).toBeGreaterThan(500);
  });

  test("an absent mail server costs nobody an attempt, and the log says how long it is left alone", async () => {
    const { db, open } = database;
    await addSubscribers(db, 5);
    const id = await queueTestSend(db);
    await mailServer.goDown();
    const waitsMs: number[] = [];
    const write = (line: string) => waitsMs.push(JSON.parse(line).backoffMs);
    const limits = { pollMs: 10, outageBackoffMaxMs: 25 };
    startWorker(open, limits, undefined, pino({ level: "warn" }, { write }));
    await until(() => waitsMs.length > 3);
    expect((await sendOf(db, id)).trouble).toContain("ECONNREFUSED");
    expect(waitsMs.slice(0, 4)).toEqual([10, 20, 25, 25]);
    await mailServer.comeBack();
    await untilState(db, id, "finished");
    await until(async () => (await sendOf(db, id)).trouble === null);
    const rows = await listSendRows(db, { sendId: id });
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
  });
});

/** What mail providers say of an account's limit, of its own full mailbox, of a mail's size and of who may send. */
const refusalsOfAll = [
  "550 5.4.5 Daily user sending limit exceeded. For more information go to the help",
  "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process",
  "550 5.1.90 Your message can't be sent because you've reached your daily limit",
  "550 5.4.6 Unusual sending activity detected. Please try after sometime",
  "550 User news has exceeded its 24-hour sending limit. Messages to 250 recipients have been sent",
  "552 Message would take you over your relay quota of 500",
  "554 5.7.1 Sender address rejected: Policy Rejection- Quota Exceeded",
  "552 5.2.2 Over quota",
  "552 5.3.4 Message size exceeds fixed limit",
  "550 Mailbox unavailable for sending",
  "550 5.1.1 User unknown in local recipient table",
];

describeOnEachDatabase(
  "sends that a server refuses as a whole",
  (database) => {
    test.each(
      refusalsOfAll.flatMap((words) =>
        (["recipient", "message"] as const).map((at) => [words, at] as const),
      ),
    )(
      "a send that meets “%s” at the %s after 20 of 60 charges only who is unknown, and mails the others once when resumed",
      async (words, at) => {
        const { db, open } = database;
        await addSubscribers(db, 60);
        const unknown = [5, 33, 52].map(subscriberAddress);
        for (const email of unknown) mailServer.refused.set(email, "5.1.1 No such user here");
        mailServer.limit = { accepts: 20, at, answer: () => words };
        const id = await queueTestSend(db);
        startWorker(open);
        const paused = await untilState(db, id, "paused");
        expect(paused.pauseReason).toContain(words.slice(0, 20));
        mailServer.limit = null;
        await resumeSend(db, id);
        const { counts } = await untilState(db, id, "finished");
        expect(counts).toEqual({ ...nothing, accepted: 57, refused: 3 });
        expect(new Set(recipients()).size).toBe(57);
        expect(recipients()).toHaveLength(57);
        const bounces = await db.selectFrom("bounces").select("mailbox_key").execute();
        expect(bounces.map(({ mailbox_key }) => mailbox_key).toSorted()).toEqual(
          unknown.toSorted(),
        );
      },
    );
  },
  { kinds: ["sqlite"] },
);

const hourMs = 60 * 60 * 1000;
const inAnHour = () => new Date(Date.now() + hourMs);
const startAs = (open: TestDatabase["open"], sender: Sender) =>
  startWorker(open, {}, undefined, undefined, sender);

describeOnEachDatabase("scheduled sends", (database) => {
  const comeDue = (id: number) => moveSend(database.db, { id, beginsAt: new Date() });

  async function correct(id: number, words: { title: string; html: string; preheader: string }) {
    const { title, html, preheader } = words;
    await database.db
      .updateTable("final_newsletters")
      .set({ title, content_markdown: html })
      .where("id", "=", id)
      .execute();
    const line = { issue_id: id, preheader };
    await database.db.insertInto("issue_preheaders").values(line).execute();
  }

  test("a scheduled send goes out once, as the issue, the sender and the subscribers are at its hour", async () => {
    const { db, open } = database;
    await addSubscribers(db, 2);
    const id = await queueTestSend(db, { beginsAt: inAnHour(), html: "<p>The old price.</p>" });
    expect((await sendOf(db, id)).toGo).toBe(2);
    const correction = { title: "Quotes by noon", html: "<p>Ink.</p>", preheader: "Beside it" };
    await correct(1, correction);
    await addSubscribers(db, 1, 2);
    expect(await sendOf(db, id)).toMatchObject({ toGo: 3, begunAt: null });
    await comeDue(id);
    const site = { ...testSender.site, street: "7 New Street" };
    startAs(open, { ...testSender, site });
    startAs(await database.connect(), { ...testSender, site });
    expect((await untilState(db, id, "finished")).title).toBe("Quotes by noon");
    expect(recipients().toSorted()).toEqual([0, 1, 2].map(subscriberAddress));
    for (const { email } of mailServer.received) {
      expect(email.subject).toBe("Quotes by noon");
      expect(email.text).toMatch(/Ink\.[\s\S]*7 New Street/);
      expect(email.html).toContain("Beside it");
      expect(email.text).not.toContain("The old price");
    }
  });

  test("a send is frozen once it has begun, whatever becomes of the issue", async () => {
    const { db, open } = database;
    await addSubscribers(db, 2);
    const id = await queueTestSend(db, { html: "<p>As it began.</p>" });
    await beginTestSends(open);
    await correct(1, { title: "Too late", html: "<p>Too late.</p>", preheader: "Late" });
    await addSubscribers(db, 1, 2);
    expect(await moveSend(db, { id, beginsAt: inAnHour() })).toMatchObject({
      ok: false,
      reason: "not_possible",
      state: "sending",
    });
    startWorker(open);
    await untilState(db, id, "finished");
    expect(recipients()).toHaveLength(2);
    for (const { email } of mailServer.received) expect(email.text).toContain("As it began.");
  });

  test("a scheduled send mails nobody where its issue was removed, and says so", async () => {
    const { db, open } = database;
    await addSubscribers(db, 2);
    const id = await queueTestSend(db);
    await db.deleteFrom("final_newsletters").execute();
    startWorker(open);
    const send = await untilState(db, id, "cancelled");
    expect(send).toMatchObject({ begunAt: null, pauseReason: "its issue was removed", toGo: 0 });
    expect(mailServer.received).toEqual([]);
  });

  test("a scheduled send waits for the operator where a setting is missing that the law asks for", async () => {
    const { db, open } = database;
    await addSubscribers(db, 1);
    const id = await queueTestSend(db);
    startAs(open, { ...testSender, hindrance: "settings are missing: SITE_STREET" });
    const send = await untilState(db, id, "paused");
    expect(send).toMatchObject({ begunAt: null, toGo: 1 });
    expect(await reasonsMailed(db)).toEqual(["settings are missing: SITE_STREET"]);
    for (const worker of workers.splice(0)) await worker.stop({ deadlineMs: 500 });
    await resumeSend(db, id);
    startWorker(open);
    await untilState(db, id, "finished");
    expect(recipients()).toEqual([subscriberAddress(0)]);
  });

  test("a scheduled send begins whole or not at all, where the database fails in the middle", async () => {
    const { db, open } = database;
    await addSubscribers(db, 3);
    const id = await queueTestSend(db);
    const mend = await failOn(database, "update of begun_at on sends");
    await expect(beginTestSends(open)).rejects.toThrow(isFullDisk);
    expect(await listSendRows(db, { sendId: id })).toEqual([]);
    expect(await sendOf(db, id)).toMatchObject({ state: "waiting", begunAt: null, toGo: 3 });
    await mend();
    startWorker(open);
    await untilState(db, id, "finished");
    expect(recipients().toSorted()).toEqual([0, 1, 2].map(subscriberAddress));
  });
});
