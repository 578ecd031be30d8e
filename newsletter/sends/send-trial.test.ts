import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { endProcess } from "#tests/end-process.ts";
import { type MailServer, startMailServer } from "#tests/mail-server.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { startProgram } from "#tests/start-program.ts";
import { until } from "#tests/until.ts";
import { eraseMailbox } from "../subscribers/person.ts";
import { unsubscribe } from "../subscribers/subscribe.ts";
import { listSendRows } from "./recipients.ts";
import { findSend, steerSend } from "./sends.ts";

const subscribers = 120;
const connections = 5;

/** How often each thing goes wrong, in an order of chance. */
const happenings = { kill: 2, outage: 1, cut: 3, pause: 1, leave: 8, erase: 3 };
const interruptions = happenings.kill + happenings.outage + happenings.cut;

/** A subscriber who left or was erased, and the row that had not been handed over by then. */
type Gone = { email: string; untriedRow: number | null };

/**
 * Sends one issue to many subscribers while everything goes wrong that can: the mail server puts off, refuses, drops
 * connections and goes away, our process is killed, subscribers leave and are erased, the send is paused and resumed.
 * Then it compares the database's record of each subscriber with the mails that the mail server accepted.
 */
describeOnEachDatabase("sends under fire", (database) => {
  const currentSend = async (id: number) => {
    const send = await findSend(database.db, id);
    if (!send) throw new Error("The send is gone.");
    return send;
  };
  const hasEnded = async (id: number) => (await currentSend(id)).endedAt !== null;

  /** A random subscriber is erased, or one leaves whom nothing was mailed yet, while there is one. */
  async function go(happening: "leave" | "erase"): Promise<Gone> {
    const { db } = database;
    const rows = await db
      .selectFrom("send_rows")
      .innerJoin("subscribers", "subscribers.id", "reader_id")
      .select(["send_rows.id", "email", "state"])
      .execute();
    const unmailed = rows.filter(({ state }) => state === "waiting");
    const some = happening === "leave" && unmailed.length > 0 ? unmailed : rows;
    const { id = 0, email = "" } = some[Math.floor(Math.random() * some.length)] ?? {};
    const deps = { db, newsletterWebhookUrl: null, wakeOutbox() {}, now: new Date() };
    if (happening === "leave") await unsubscribe(deps, { email });
    else await eraseMailbox(deps, { email });
    // A recipient who wasn’t handed over by now may never be.
    const untried = db.selectFrom("send_rows").select("id").where("attempts", "=", 0);
    const untriedRow = await untried.where("id", "=", id).executeTakeFirst();
    return { email, untriedRow: untriedRow?.id ?? null };
  }

  test("a send reaches each subscriber once and nobody who left, and the mail server agrees", async () => {
    const { db } = database;
    const mail = await startMailServer();
    const worker = createWorker({ settings: database.settings, smtpUrl: mail.url, connections });
    onTestFinished(async () => {
      await worker.kill();
      await mail.close();
    });
    for (let number = 0; number < subscribers; number += 1) {
      if (number % 20 === 13)
        mail.refused.set(subscriberAddress(number), "5.1.1 No such user here");
      else if (number % 20 === 7) mail.putOff.add(subscriberAddress(number));
    }
    await addSubscribers(db, subscribers);
    const id = await queueTestSend(db);
    await worker.start();

    const gone: Gone[] = [];
    const order = inAnyOrder(happenings);
    for (const [index, happening] of order.entries()) {
      const part = (index + 1) / (order.length + 2);
      await until(async () => {
        const { endedAt, begunAt, toGo } = await currentSend(id);
        return endedAt !== null || (!!begunAt && subscribers - toGo >= part * subscribers);
      });
      if (happening === "kill") {
        await worker.kill();
        await worker.start();
      } else if (happening === "outage") {
        await mail.goDown();
        await delay(100);
        await mail.comeBack();
      } else if (happening === "cut") mail.cut();
      else if (happening === "pause") {
        await steerSend({ db, now: new Date() }, id, { deed: "pause" });
        await delay(300);
        await steerSend({ db, now: new Date() }, id, { deed: "resume" });
      } else gone.push(await go(happening));
    }
    await until(() => hasEnded(id));
    await worker.kill();

    const rows = await listSendRows(db, { sendId: id });
    expect(faultsOf(rows, mail, gone)).toEqual([]);
    const counts = Object.groupBy(rows, ({ state }) => state);
    expect(Object.keys(counts).toSorted()).toEqual(["accepted", "refused", "withdrawn"]);
  });
});

function inAnyOrder<Name extends string>(times: Record<Name, number>): Name[] {
  return Object.entries<number>(times)
    .flatMap(([name, count]) => Array<Name>(count).fill(name as Name))
    .map((name) => ({ name, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

/** The worker that sends, as a process of its own, so that it can be killed and started again. */
function createWorker(options: object) {
  const words = ["tests/sends/sending-process.ts", JSON.stringify(options)];
  const env = { PATH: process.env.PATH ?? "" };
  let child: ChildProcess | null = null;
  return {
    async start() {
      ({ child } = await startProgram(words, env, /started/));
    },
    async kill() {
      if (child) await endProcess(child, "SIGKILL");
    },
  };
}

type Row = Awaited<ReturnType<typeof listSendRows>>[number];

function faultsOf(rows: Row[], mail: MailServer, gone: Gone[]): string[] {
  const faults: string[] = [];
  const taken = Map.groupBy(mail.received, ({ email }) =>
    (email.messageId ?? "").replace(/^<|@.*$/g, ""),
  );
  const refusals = Map.groupBy(mail.turnedAway, (address) => address);
  const hasGone = new Set(gone.map(({ email }) => email));
  const untriedRows = new Set(gone.map(({ untriedRow }) => untriedRow));
  if (rows.length !== subscribers)
    faults.push(`${rows.length} rows for ${subscribers} subscribers`);
  let repeated = 0;
  for (const { id, messageId, email, state, attempts } of rows) {
    const mails = taken.get(messageId) ?? [];
    repeated += Math.max(0, mails.length - 1);
    const who = email ?? `erased subscriber of ${messageId}`;
    const recipients = new Set(mails.flatMap(({ to }) => to));
    if (recipients.size > 1) faults.push(`${messageId} went to two`);
    if (email && mails.length > 0 && !recipients.has(email)) faults.push(`${who}: another's mail`);
    if (state === "accepted" && mails.length === 0) faults.push(`${who}: never arrived`);
    if (state === "refused" && mails.length > 0) faults.push(`${who}: refused, and arrived`);
    if (untriedRows.has(id) && mails.length > 0) faults.push(`${who}: mailed after leaving`);
    // A mail in flight at a kill may have arrived before its subscriber left.
    if (state === "withdrawn" && mails.length > 0 && attempts === 0) {
      faults.push(`${who}: withdrawn unsent, and arrived`);
    }
    if (state === "withdrawn" && email && !hasGone.has(email)) faults.push(`${who}: withdrawn`);
    if (email && state === "refused" && !mail.refused.has(email)) faults.push(`${who}: refused`);
  }
  const known = new Set(rows.map(({ messageId }) => messageId));
  for (const messageId of taken.keys()) {
    if (!known.has(messageId)) faults.push(`${messageId} is no row's`);
  }
  for (const [to, { length }] of refusals) {
    if (length > interruptions + 1) faults.push(`${to}: asked ${length} times`);
  }
  if (repeated > interruptions * connections) faults.push(`${repeated} mails arrived twice`);
  return faults;
}
