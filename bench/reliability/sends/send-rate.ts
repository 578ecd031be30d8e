import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import nodemailer from "nodemailer";
import type { OpenDatabase } from "#backend/database/database-handle.ts";
import type { DatabaseSettings } from "#backend/database/open-database.ts";
import { findSend } from "#backend/newsletter/sends/find-send.ts";
import { freePort, processOf } from "#tests/sends/killable-process.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders, readerAddress } from "#tests/sends/readers.ts";

const connections = 5;

/** An issue's usual size, in bytes. */
const html = `<p>${"Words of an issue. ".repeat(800)}</p>`;

/** Mails a second that a mail server takes of a send, and of Nodemailer alone with the same mail on as many connections. */
export async function measureSendRate(
  { db }: OpenDatabase,
  settings: DatabaseSettings,
  mails: number,
): Promise<{ ours: number; bare: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-rate-"));
  const port = await freePort();
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  const sink = processOf("mail-sink.ts", () => [
    String(port),
    path.join(folder, "sink.ndjson"),
    "1000000",
    "calm",
  ]);
  const worker = processOf("sending-process.ts", () => [
    JSON.stringify({ settings, smtpUrl, connections }),
  ]);
  try {
    await sink.start();
    await sendBare(smtpUrl, mails / 5);
    const bare = await sendBare(smtpUrl, mails);
    await addReaders(db, mails);
    const id = await queueTestSend(db, { html });
    await worker.start();
    for (;;) {
      const found = await findSend(db, id);
      if (found.ok && found.send.begunAt && found.send.endedAt) {
        const { begunAt, endedAt } = found.send;
        return { ours: (mails * 1000) / (Date.parse(endedAt) - Date.parse(begunAt)), bare };
      }
      await delay(50);
    }
  } finally {
    await Promise.all([worker.kill(), sink.kill()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function sendBare(url: string, mails: number): Promise<number> {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  let next = 0;
  const begunAt = performance.now();
  async function sendOn() {
    for (;;) {
      const number = next;
      next += 1;
      if (number >= mails) return;
      await transport.sendMail({
        from: "matrix@chalkline.example",
        to: readerAddress(number),
        subject: "Quotes before lunch",
        html,
        text: "Words.",
      });
    }
  }
  await Promise.all(Array.from({ length: connections }, sendOn));
  transport.close();
  return (mails * 1000) / (performance.now() - begunAt);
}
