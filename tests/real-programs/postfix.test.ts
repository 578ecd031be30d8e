import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { createMailer, openSmtpPool } from "#mail/create-mailer.ts";
import { findSend } from "#newsletter/sends/list-sends.ts";
import { createSendWorker } from "#newsletter/sends/send-worker.ts";
import { resumeSend } from "#newsletter/sends/steer-send.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { startMailServer } from "#tests/mail-server.ts";
import { queueTestSend, testSender } from "#tests/sends/queue-test-send.ts";
import { quickSendLimits } from "#tests/sends/quick-send-limits.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import { hasProgram } from "../../scripts/install-debian-packages.ts";
import { startPostfix } from "./postfix.ts";

const isThere = process.getuid?.() === 0 && hasProgram("postfix");
const subscribers = 40;

function startWorker(database: TestDatabase["open"], smtpUrl: string, connections = 3) {
  const from = '"Chalkline" <matrix@chalkline.example>';
  const options = { smtpUrl, dataDir: "", from, siteUrl: testSite.url, connections };
  const pool = openSmtpPool(options);
  const worker = createSendWorker({
    ...{ database, log: pino({ level: "silent" }), ...testSender },
    mailer: createMailer({ ...options, pool }),
    limits: { ...quickSendLimits, connections, pollMs: 200, outageBackoffMaxMs: 1_000 },
  });
  worker.start();
  onTestFinished(async () => {
    await worker.stop({ deadlineMs: 500 });
    pool.close();
  });
  return createMailer({ ...options, pool, goesFirst: true });
}

async function untilSend(db: Db, id: number, state: string) {
  await until(async () => (await findSend(db, id))?.state === state);
  return await findSend(db, id);
}

/** Postfix with these settings, and whom its mails reach behind it. */
async function startRelay(settings: Record<string, number>) {
  const final = await startMailServer();
  onTestFinished(() => final.close());
  const postfix = await startPostfix({ nextPort: Number(new URL(final.url).port), ...settings });
  return { postfix, recipients: () => final.received.flatMap(({ to }) => to) };
}

describeOnEachDatabase(
  "a send through a real Postfix",
  (database) => {
    test("waits where the relay finds the mail too large, charges nobody, and then reaches everybody once", async (context) => {
      if (!isThere) context.skip();
      const { db, open } = database;
      const { postfix, recipients } = await startRelay({ message_size_limit: 1_000 });
      await addSubscribers(db, subscribers);
      const id = await queueTestSend(db);
      startWorker(open, postfix.url);
      const paused = await untilSend(db, id, "paused");
      expect(paused?.pauseReason).toContain("552 5.3.4");
      expect(paused?.counts).toMatchObject({ accepted: 0, refused: 0 });
      postfix.set({});
      await resumeSend(db, id);
      expect((await untilSend(db, id, "finished"))?.counts.accepted).toBe(subscribers);
      await expect.poll(() => recipients().length).toBe(subscribers);
      expect(new Set(recipients()).size).toBe(subscribers);
      expect(await db.selectFrom("bounces").selectAll().execute()).toEqual([]);
    });

    test("goes out over the one connection that the relay allows, and through its limit of mails", async (context) => {
      if (!isThere) context.skip();
      const { db, open } = database;
      const { postfix, recipients } = await startRelay({
        smtpd_client_connection_count_limit: 1,
        smtpd_client_message_rate_limit: 15,
      });
      await addSubscribers(db, subscribers);
      const id = await queueTestSend(db);
      startWorker(open, postfix.url);
      expect((await untilSend(db, id, "finished"))?.counts.accepted).toBe(subscribers);
      await expect.poll(() => new Set(recipients()).size).toBe(subscribers);
      expect(recipients()).toHaveLength(subscribers);
      expect(await db.selectFrom("bounces").selectAll().execute()).toEqual([]);
    });
  },
  { kinds: ["sqlite"] },
);
