import { sql } from "kysely";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { createMailer, type Mailer, openTransport } from "#mail/create-mailer.ts";
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
import { cancelSend, countAudience, findSend, rowStates, steerSend } from "./sends.ts";

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
  sender: Sender = testSender,
) {
  const pool = openTransport(mailerOptions());
  const mailer = createMailer({ ...mailerOptions(), pool });
  mailers.push(mailer);
  const worker = createSendWorker({
    database: open,
    log: pino({ level: "silent" }),
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
    .where("kind", "=", "owner-email")
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload).paragraphs[1]);
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
    await steerSend({ db, now: new Date() }, late, { deed: "resume" });
    expect((await untilState(db, late, "finished")).counts.accepted).toBe(1);
  });

  test("a second send mails only those who joined after the first began", async () => {
    const { db, open } = database;
    await addSubscribers(db, 3);
    const first = await queueTestSend(db);
    expect(await queueTestSend(db)).toBe(first);
    startWorker(open);
    await untilState(db, first, "finished");
    await addSubscribers(db, 2, 3);
    expect(await countAudience(db, 1)).toBe(2);
    const second = await untilState(db, await queueTestSend(db), "finished");
    expect(second.counts).toEqual({ ...nothing, accepted: 2 });
    expect(recipients().toSorted()).toEqual([0, 1, 2, 3, 4].map(subscriberAddress));
  });

  test("a paused send hands nothing over, and a resumed one goes on with those who are left", async () => {
    const { db, open } = database;
    await addSubscribers(db, 20);
    const id = await queueTestSend(db);
    startWorker(open, { mailsPerSecond: 20, connections: 2 });
    await until(() => mailServer.received.length > 5);
    expect(await steerSend({ db, now: new Date() }, id, { deed: "pause" })).toMatchObject({
      ok: true,
    });
    expect(await steerSend({ db, now: new Date() }, id, { deed: "pause" })).toMatchObject({
      ok: false,
      problem: "It can’t be paused as it stands now: Paused.",
    });
    await until(async () => (await sendOf(db, id)).counts.handed_over === 0);
    const handedOver = mailServer.received.length;
    await leave(db, subscriberAddress(19));
    expect(mailServer.received).toHaveLength(handedOver);
    await steerSend({ db, now: new Date() }, id, { deed: "resume" });
    const send = await untilState(db, id, "finished");
    expect(send.counts).toEqual({ ...nothing, accepted: 19, withdrawn: 1 });
    expect(new Set(recipients()).size).toBe(19);
  });

  test("a cancelled send withdraws the unmailed, and the next mails them under the Message-ID that was tried", async () => {
    const { db, open } = database;
    await addSubscribers(db, 10);
    mailServer.mode = "defer";
    const cancelled = await queueTestSend(db);
    const backoff = { baseMs: 60_000, capMs: 60_000, maxAttempts: 9 };
    startWorker(open, { backoff, mailsPerSecond: 10 });
    await until(async () => (await sendOf(db, cancelled)).counts.deferred > 2);
    const tried = await listSendRows(db, { sendId: cancelled });
    const result = await cancelSend(db, { id: cancelled, now: new Date() });
    expect(result).toMatchObject({ ok: true });
    await until(async () => (await sendOf(db, cancelled)).counts.withdrawn === 10);
    expect(await steerSend({ db, now: new Date() }, cancelled, { deed: "resume" })).toMatchObject({
      ok: false,
    });
    mailServer.mode = "accept";
    const next = await untilState(db, await queueTestSend(db), "finished");
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
    expect(await countAudience(db, 2)).toBe(0);
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
    startWorker(open, { backoff: { baseMs: 5, capMs: 5, maxAttempts: 4 } });
    const send = await untilState(db, await queueTestSend(db), "finished");
    expect(send.counts).toEqual({ ...nothing, refused: 1 });
    expect(await listSendRows(db, { sendId: send.id })).toMatchObject([{ attempts: 4 }]);
    expect(await db.selectFrom("bounces").select("kind").execute()).toEqual([{ kind: "soft" }]);
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
    expect(await countAudience(db, 2)).toBe(60);
  });

  test("an absent mail server costs nobody an attempt", async () => {
    const { db, open } = database;
    await addSubscribers(db, 5);
    const id = await queueTestSend(db);
    await mailServer.goDown();
    startWorker(open, { pollMs: 10, outageBackoffMaxMs: 25 });
    await until(async () => (await sendOf(db, id)).trouble?.includes("ECONNREFUSED") === true);
    await mailServer.comeBack();
    await untilState(db, id, "finished");
    await until(async () => (await sendOf(db, id)).trouble === null);
    const rows = await listSendRows(db, { sendId: id });
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
  });
});

/** Answers of mail providers about an account's limit, of its own full mailbox, of a mail's size and of who may send. */
const refusalsOfAll = [
  "550 5.4.5 Daily user sending limit exceeded. For more information go to the help",
  "550 User news has exceeded its 24-hour sending limit. Messages to 250 recipients have been sent",
  "552 5.2.2 Over quota",
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
        mailServer.limit = { accepts: 20, at, answer: words };
        const id = await queueTestSend(db);
        startWorker(open);
        const paused = await untilState(db, id, "paused");
        expect(paused.pauseReason).toContain(words.slice(0, 20));
        mailServer.limit = null;
        await steerSend({ db, now: new Date() }, id, { deed: "resume" });
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
  startWorker(open, {}, undefined, sender);

describeOnEachDatabase("scheduled sends", (database) => {
  const comeDue = (id: number, now = new Date()) =>
    steerSend({ db: database.db, now }, id, { deed: "move", at: now });

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
    expect(await steerSend({ db, now: new Date() }, id, { deed: "move", at: inAnHour() })).toEqual({
      ok: false,
      problem: "It can’t be moved as it stands now: Sending.",
    });
    startWorker(open);
    await untilState(db, id, "finished");
    expect(recipients()).toHaveLength(2);
    for (const { email } of mailServer.received) expect(email.text).toContain("As it began.");
  });

  test("a scheduled send waits for the operator where a setting is missing that the law asks for", async () => {
    const { db, open } = database;
    await addSubscribers(db, 1);
    const id = await queueTestSend(db);
    const { config } = testSender;
    startAs(open, { ...testSender, config: { ...config, siteUrl: null } });
    const send = await untilState(db, id, "paused");
    expect(send).toMatchObject({ begunAt: null, toGo: 1 });
    expect(await reasonsMailed(db)).toEqual(["it is not set any more: address of the site"]);
    for (const worker of workers.splice(0)) await worker.stop({ deadlineMs: 500 });
    await steerSend({ db, now: new Date() }, id, { deed: "resume" });
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
