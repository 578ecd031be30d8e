import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { OpenDatabase } from "#db/database-handle.ts";
import type { DatabaseSettings } from "#db/open-database.ts";
import { unsubscribe } from "#newsletter/leave.ts";
import { eraseMailbox } from "#newsletter/privacy.ts";
import {
  findSend,
  listSendRows,
  openRows,
  pauseSend,
  resumeSend,
} from "#newsletter/sends/steer-send.ts";
import { type MailServer, startMailServer } from "../mail-server.ts";
import { queueTestSend } from "./queue-test-send.ts";
import { addReaders, readerAddress } from "./readers.ts";

type TrialSize = {
  readers: number;
  /** How often our process is killed, the mail server goes away, and it breaks its connections off. */
  workerKills: number;
  outages: number;
  cuts: number;
  leavers: number;
  erased: number;
};

export type TrialReport = TrialSize & {
  accepted: number;
  refused: number;
  withdrawn: number;
  /** Mails that the mail server took a second time, each under the Message-ID of the first. */
  repeated: number;
  seconds: number;
  /** What must not be; empty where every promise was kept. */
  faults: string[];
};

const connections = 5;

/**
 * Sends one issue to many readers while everything goes wrong that can: the mail server puts off, refuses, drops
 * connections and goes away, our process is killed, readers leave and are erased, and the send is paused and resumed.
 * Then it compares what the database says of each reader with what the mail server has taken.
 */
export async function runSendTrial(
  { db }: Pick<OpenDatabase, "db">,
  settings: DatabaseSettings,
  size: TrialSize,
): Promise<TrialReport> {
  const mail = await startMailServer();
  for (let number = 0; number < size.readers; number += 1) {
    if (number % 50 === 13) mail.refused.set(readerAddress(number), "5.1.1 No such user here");
    else if (number % 20 === 7) mail.putOff.add(readerAddress(number));
  }
  const worker = startWorker({ settings, smtpUrl: mail.url, connections });
  try {
    await addReaders(db, size.readers);
    const id = await queueTestSend(db);
    const counts = async () => {
      const found = await findSend(db, id);
      if (!found.ok) throw new Error("The send is gone.");
      return found.send;
    };
    const settledBy = async (part: number) => {
      for (;;) {
        const send = await counts();
        const settled = size.readers - openRows(send.counts);
        if (send.endedAt !== null || (send.begunAt && settled >= part * size.readers)) return;
        await delay(10);
      }
    };
    const begunAt = performance.now();
    await worker.start();

    const happenings = plan(size);
    const gone: Gone[] = [];
    for (const [index, happening] of happenings.entries()) {
      await settledBy((index + 1) / (happenings.length + 2));
      if (happening === "kill worker") {
        await worker.kill();
        await worker.start();
      } else if (happening === "outage") {
        await mail.goDown();
        await delay(100);
        await mail.comeBack();
      } else if (happening === "cut") mail.cut();
      else if (happening === "pause") {
        await pauseSend(db, { id });
        await delay(300);
        await resumeSend(db, id);
      } else {
        const number = Math.floor(Math.random() * size.readers);
        const email = readerAddress(number);
        const now = new Date();
        const row = await rowOf(db, email);
        if (happening === "leave") {
          await unsubscribe({ db, newsletterWebhookUrl: null, wakeOutbox: () => {} }, { email });
        } else await eraseMailbox({ db, newsletterWebhookUrl: null, now }, { email });
        // Whoever had not been handed over by now may never be.
        const untried = row !== undefined && (await attemptsOf(db, row.id)) === 0;
        gone.push({ email, untriedRow: untried ? row.id : null });
      }
    }
    for (;;) {
      if ((await counts()).endedAt !== null) break;
      await delay(20);
    }
    const seconds = (performance.now() - begunAt) / 1000;
    await worker.kill();
    const judged = judge(await allRows(db, id), mail, { size, gone });
    return { ...size, ...judged, seconds };
  } finally {
    await worker.kill();
    await mail.close();
  }
}

/** The worker that sends, as a process of its own, so that it can be killed and started again. */
function startWorker(options: object) {
  const script = path.join(import.meta.dirname, "sending-process.ts");
  let child: ChildProcess | null = null;
  return {
    async start() {
      child = spawn(process.execPath, [script, JSON.stringify(options)], {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      await once(child, "message");
    },
    async kill() {
      if (!child) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      child = null;
    },
  };
}

type Happening = "kill worker" | "outage" | "cut" | "pause" | "leave" | "erase";

/** Everything that happens, in an order of chance. */
function plan({ workerKills, outages, cuts, leavers, erased }: TrialSize): Happening[] {
  const times: [Happening, number][] = [
    ["kill worker", workerKills],
    ["outage", outages],
    ["cut", cuts],
    ["pause", 1],
    ["leave", leavers],
    ["erase", erased],
  ];
  return times
    .flatMap(([happening, count]) => Array<Happening>(count).fill(happening))
    .map((happening) => ({ happening, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ happening }) => happening);
}

/** A reader who left or was erased, and the row that had not been handed over by then. */
type Gone = { email: string; untriedRow: number | null };

async function rowOf(db: OpenDatabase["db"], email: string) {
  return await db
    .selectFrom("send_rows")
    .innerJoin("subscribers", "subscribers.id", "reader_id")
    .select("send_rows.id")
    .where("email", "=", email)
    .executeTakeFirst();
}

async function attemptsOf(db: OpenDatabase["db"], id: number): Promise<number> {
  const row = await db
    .selectFrom("send_rows")
    .select("attempts")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.attempts;
}

type Row = Awaited<ReturnType<typeof listSendRows>>[number];

async function allRows(db: OpenDatabase["db"], sendId: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await listSendRows(db, { sendId, afterId: rows.at(-1)?.id ?? 0, limit: 1000 });
    rows.push(...page);
    if (page.length < 1000) return rows;
  }
}

function judge(rows: Row[], mail: MailServer, { size, gone }: { size: TrialSize; gone: Gone[] }) {
  const faults: string[] = [];
  const taken = Map.groupBy(mail.received, ({ email }) =>
    (email.messageId ?? "").replace(/^<|@.*$/g, ""),
  );
  const refusals = Map.groupBy(mail.turnedAway, (address) => address);
  const hasGone = new Set(gone.map(({ email }) => email));
  const untriedRows = new Set(gone.map(({ untriedRow }) => untriedRow));
  if (rows.length !== size.readers) faults.push(`${rows.length} rows for ${size.readers} readers`);
  let repeated = 0;
  for (const { id, messageId, email, state, attempts } of rows) {
    const mails = taken.get(messageId) ?? [];
    repeated += Math.max(0, mails.length - 1);
    const who = email ?? `erased reader of ${messageId}`;
    const recipients = new Set(mails.flatMap(({ to }) => to));
    if (recipients.size > 1) faults.push(`${messageId} went to two`);
    if (email && mails.length > 0 && !recipients.has(email)) faults.push(`${who}: another's mail`);
    if (state === "accepted" && mails.length === 0) faults.push(`${who}: never arrived`);
    if (state === "refused" && mails.length > 0) faults.push(`${who}: refused, and arrived`);
    if (untriedRows.has(id) && mails.length > 0) faults.push(`${who}: mailed after leaving`);
    // What was in flight at a kill may have arrived, and its reader left before it could go again.
    if (state === "withdrawn" && mails.length > 0 && attempts === 0) {
      faults.push(`${who}: withdrawn unsent, and arrived`);
    }
    if (state === "withdrawn" && email && !hasGone.has(email)) faults.push(`${who}: withdrawn`);
    if (email && state === "refused" && !mail.refused.has(email)) faults.push(`${who}: refused`);
    if (!["accepted", "refused", "withdrawn"].includes(state))
      faults.push(`${who}: still ${state}`);
  }
  const known = new Set(rows.map(({ messageId }) => messageId));
  for (const messageId of taken.keys()) {
    if (!known.has(messageId)) faults.push(`${messageId} is no row's`);
  }
  const interruptions = size.workerKills + size.outages + size.cuts;
  const mostTries = interruptions + 1;
  for (const [to, times] of refusals) {
    if (times.length > mostTries) faults.push(`${to}: asked ${times.length} times`);
  }
  if (repeated > interruptions * connections) faults.push(`${repeated} mails arrived twice`);
  const count = (state: Row["state"]) => rows.filter((row) => row.state === state).length;
  return {
    accepted: count("accepted"),
    refused: count("refused"),
    withdrawn: count("withdrawn"),
    repeated,
    faults,
  };
}
