import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { OpenDatabase } from "#db/database-handle.ts";
import type { DatabaseSettings } from "#db/open-database.ts";
import { unsubscribeLink } from "#mail/newsletter-links.ts";
import { rowMessageId } from "#newsletter/sends/earlier-rows.ts";
import { findSend } from "#newsletter/sends/find-send.ts";
import { newSendKey } from "#newsletter/sends/queue-send.ts";
import { newsletterHeaders } from "#newsletter/sends/reader-mail.ts";
import { newSubscriberToken } from "#newsletter/subscriber-token.ts";
import { freePort } from "#tests/free-port.ts";
import { calmMailSink, processOf } from "#tests/sends/killable-process.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders, readerAddress } from "#tests/sends/readers.ts";
import { testSite } from "#tests/site-identity.ts";
import { sendBare } from "../send-bare.ts";

const connections = 5;

/** Sent before, so that neither is measured while it's being compiled. */
const warmUpPart = 5;

/** An issue's usual size, in bytes. */
const html = `<p>${"Words of an issue. ".repeat(800)}</p>`;

type SendRate = { ours: number; bare: number };

/**
 * Mails a second that a mail server takes of a send, and of Nodemailer alone with the same mails on as many connections.
 * Nodemailer goes before and after, and its mean counts.
 */
export async function measureSendRate(
  { db }: OpenDatabase,
  settings: DatabaseSettings,
  mails: number,
): Promise<SendRate> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-rate-"));
  const port = await freePort();
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  const sink = calmMailSink(port, folder);
  const worker = processOf("sending-process.ts", () => [
    JSON.stringify({ settings, smtpUrl, connections }),
  ]);
  const warmUpMails = Math.ceil(mails / warmUpPart);
  try {
    await sink.start();
    await bareRate(smtpUrl, warmUpMails);
    const before = await bareRate(smtpUrl, mails);
    await addReaders(db, warmUpMails);
    await queueTestSend(db, { issueId: 1, html });
    await worker.start();
    await untilEnded(db, 1);
    await addReaders(db, mails - warmUpMails, warmUpMails);
    const ours =
      (mails * 1000) / (await untilEnded(db, await queueTestSend(db, { issueId: 2, html })));
    const after = await bareRate(smtpUrl, mails);
    return { ours, bare: (before + after) / 2 };
  } finally {
    await Promise.all([worker.kill(), sink.kill()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long a send takes, in milliseconds, by its own times. */
async function untilEnded(db: OpenDatabase["db"], id: number): Promise<number> {
  for (;;) {
    const found = await findSend(db, id);
    if (found.ok && found.send.begunAt && found.send.endedAt) {
      return Date.parse(found.send.endedAt) - Date.parse(found.send.begunAt);
    }
    await delay(50);
  }
}

async function bareRate(url: string, mails: number): Promise<number> {
  const { hostname } = new URL(testSite.url);
  const sendKey = newSendKey();
  const token = newSubscriberToken();
  const link = `<p><a href="${unsubscribeLink(testSite, token)}">Leave</a></p>`;
  const headers = newsletterHeaders(testSite, { token, feedbackId: "issue-1:send-1" });
  return await sendBare({ url, connections, mails }, (number) => ({
    from: '"Chalkline" <matrix@chalkline.example>',
    to: readerAddress(number),
    subject: "Quotes before lunch",
    messageId: `<${rowMessageId(sendKey, { id: number, kept: null })}@${hostname}>`,
    headers,
    html: html + link,
    text: `Words.\n\nLeave: ${link}\n`,
  }));
}
