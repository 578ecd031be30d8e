import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { OpenDatabase } from "#db/database-handle.ts";
import { endLease, takeLease } from "#db/lease.ts";
import { createRecurringWork } from "#db/recurring-work.ts";
import type { Db } from "#db/tables.ts";
import type { MailMessage } from "#mail/mail-message.ts";
import { newsletterAnswerTimeoutMs } from "#mail/mail-pace.ts";
import { untilWritten } from "#mail/outbox.ts";
import { statusCodeOf } from "../record-bounce.ts";
import { beginDueSends, holdLateSends, type Sender } from "./begin-sends.ts";
import {
  type HandedOver,
  handOver,
  type OpenSend,
  openSends,
  recipientMail,
  settleRow,
} from "./hand-over.ts";
import { createMailServerState, outcomeOf, readAnswer } from "./mail-server.ts";
import { finishSend, pauseForOperator, withdrawLeftOvers } from "./steer-send.ts";

const minuteMs = 60_000;

/** One instance sends at a time, so that SMTP_RATE and SMTP_CONNECTIONS hold for all together. */
const leaseName = "sends";

const defaultSendLimits = {
  mailsPerSecond: 5,
  /** Mails under way at once, each on its own connection. */
  connections: 3,
  pollMs: 1_000,
  /** Longest wait while the mail server is away; it begins at `pollMs` and doubles. */
  outageBackoffMaxMs: minuteMs,
  deliveryTimeoutMs: newsletterAnswerTimeoutMs + minuteMs,
  /** Longer than any hand-over, so that only a dead process loses its lease. */
  leaseMs: newsletterAnswerTimeoutMs + 2 * minuteMs,
  /** After this long without a renewal another instance takes over. */
  turnMs: 15_000,
  // 5, 10, 20 … minutes up to 4 hours: about a day and a half in all.
  backoff: {
    baseMs: 5 * minuteMs,
    factor: 2,
    capMs: 240 * minuteMs,
    jitter: 0.5,
    maxAttempts: 16,
  },
  /** After this many refusals of us in a row the server refuses everything. */
  refusalsBeforePause: 10,
};

export type SendLimits = typeof defaultSendLimits;

type SendWorkerOptions = Sender & {
  database: Pick<OpenDatabase, "db" | "withoutTimeouts">;
  log: Logger;
  /** Has its own connections, so that no other mail waits behind a newsletter. */
  mailer: { send(message: MailMessage, signal?: AbortSignal): Promise<unknown> };
  /** Where bounces go; by default to the From. */
  returnPathOf?: (mail: { id: number; email: string; token: string }) => string;
  limits?: Partial<SendLimits>;
};

export type SendWorker = ReturnType<typeof createSendWorker>;

/**
 * Sends what the operator has queued. After a crash the next process goes on from the rows: accepted mails are
 * recorded, and mails under way go again with the same Message-ID.
 */
export function createSendWorker(options: SendWorkerOptions) {
  const { database, log, mailer, site, hindrance, returnPathOf } = options;
  const { db } = database;
  const limits = { ...defaultSendLimits, ...options.limits };
  const { connections, pollMs, leaseMs, deliveryTimeoutMs, turnMs } = limits;
  const claimant = randomUUID();
  const mailServer = createMailServerState(limits, log);
  const underWay = new Set<Promise<void>>();
  const aborting = new AbortController();
  let isOpen = true;
  let sends: OpenSend[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let turnEndsAt = Number.NEGATIVE_INFINITY;
  let nextMailAt = Number.NEGATIVE_INFINITY;

  const sending = createRecurringWork(async () => {
    try {
      return await step();
    } catch (err) {
      const retryInMs = 10 * pollMs;
      log.error({ err, retryInMs }, "Sends can't be read");
      return retryInMs;
    }
  });

  /** Hands over the next mail. Returns how long to wait before the next step, in milliseconds. */
  async function step(): Promise<number> {
    if (performance.now() - lookedAt >= pollMs) {
      lookedAt = performance.now();
      await look();
    }
    const now = performance.now();
    const untilLookMs = Math.max(1, lookedAt + pollMs - now);
    const places = mailServer.isInDoubt() ? 1 : connections;
    if (sends.length === 0 || underWay.size >= places) return untilLookMs;
    const waitMs = Math.max(mailServer.awayUntil(), nextMailAt) - now;
    if (waitMs >= 1) return Math.min(waitMs, untilLookMs);
    for (const send of sends) {
      const mail = await handOver(db, { sendId: send.id, claimant, now: new Date(), leaseMs });
      if (!mail) continue;
      nextMailAt = Math.max(nextMailAt, now) + 1_000 / mailServer.rate();
      const work = deliver(send, mail).finally(() => {
        underWay.delete(work);
        sending.wake();
      });
      underWay.add(work);
      return 0;
    }
    return untilLookMs;
  }

  async function look() {
    // Before new sends begin, which may reuse the rows.
    await withdrawLeftOvers(db, new Date());
    if (!(await isAnySendOpen(db, new Date())) || !(await hasTurn())) {
      sends = [];
      return;
    }
    await holdLateSends(db, new Date());
    const begun = await beginDueSends(database, { site, hindrance }, new Date());
    for (const { id, issueId, recipients } of begun) {
      log.info({ send: id, issue: issueId, recipients }, "A send has begun");
    }
    sends = await openSends(db);
    for (const { id } of sends) {
      if (await finishSend(db, id, new Date())) log.info({ send: id }, "A send has finished");
    }
  }

  async function hasTurn(): Promise<boolean> {
    const now = performance.now();
    if (now < turnEndsAt - turnMs / 2) return true;
    const lease = { name: leaseName, holder: claimant, now: new Date(), leaseMs: turnMs };
    const isTaken = await takeLease(db, lease);
    turnEndsAt = isTaken ? now + turnMs : Number.NEGATIVE_INFINITY;
    return isTaken;
  }

  async function deliver(send: OpenSend, mail: HandedOver) {
    const { attempts } = mail;
    const about = { send: send.id, row: mail.id, attempt: attempts };
    const begunAt = performance.now();
    const lease = { leaseEndsAt: begunAt + leaseMs, leaseMs, isOpen: () => isOpen };
    const signal = AbortSignal.any([AbortSignal.timeout(deliveryTimeoutMs), aborting.signal]);
    try {
      const message = { ...recipientMail(send, mail, site), returnPath: returnPathOf?.(mail) };
      const answer = await mailer.send(message, signal).then(
        () => null,
        (error: unknown) => readAnswer(error, mail.email),
      );
      mailServer.note(answer, { begunAt, attempts });
      const now = new Date();
      const othersAccepted = mailServer.hasAccepted();
      const { backoff } = limits;
      const outcome = outcomeOf(answer, { attempts, now, backoff, othersAccepted });
      await untilWritten(lease, () => settleRow(db, mail, outcome, now));
      if (!answer) return;
      log.debug(
        { ...about, code: statusCodeOf(answer.words), state: outcome.row.state },
        "Not sent",
      );
      if (mailServer.refusesEverything()) await pauseItself(send, answer.words);
    } catch (err) {
      // The database is down. After the lease the mail goes again with the same Message-ID.
      log.error({ ...about, err }, "The outcome of a mail could not be stored");
    }
  }

  async function pauseItself({ id }: OpenSend, words: string) {
    mailServer.notePause();
    sends = sends.filter((send) => send.id !== id);
    const reason = `the mail server refused ${limits.refusalsBeforePause} mails in a row, the last with: ${words}`;
    await db.transaction().execute((trx) => pauseForOperator(trx, { id, reason, now: new Date() }));
    log.error(
      { send: id, code: statusCodeOf(words) },
      "A send has paused itself: the mail server refuses our mail; sends show says in which words",
    );
  }

  return {
    start: sending.start,
    /** Waits for mails under way up to the deadline, then aborts them. */
    async stop({ deadlineMs }: { deadlineMs: number }) {
      isOpen = false;
      await sending.stop();
      await Promise.race([Promise.all(underWay), delay(deadlineMs, undefined, { ref: false })]);
      aborting.abort(new Error("The server stops"));
      await Promise.all(underWay);
      if (turnEndsAt === Number.NEGATIVE_INFINITY) return;
      await endLease(db, { name: leaseName, holder: claimant, until: new Date() }).catch(() => {});
    },
  };
}

async function isAnySendOpen(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sends where ended_at is null
      and (state = 'sending' or state = 'waiting' and begins_at <= ${now.toISOString()})
    limit 1`.execute(db);
  return rows.length > 0;
}
