import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { OpenDatabase } from "#db/database-handle.ts";
import { createRecurringWork, endLease, takeLease, untilWritten } from "#db/recurring-work.ts";
import { type MailMessage, newsletterAnswerTimeoutMs } from "#mail/create-mailer.ts";
import { readFailure, statusCodeOf } from "#mail/mail-answer.ts";
import { carryOutDuePlans } from "../issues/plans.ts";
import {
  createMailServerState,
  isRefused,
  outcomeOf,
  outcomeOfRefusal,
  putBack,
} from "./mail-server-state.ts";
import {
  beginDueSends,
  countLeft,
  type HandedOver,
  handOver,
  type OpenSend,
  openSends,
  pauseLateSends,
  type RowOutcome,
  recipientMail,
  type Sender,
  settleRow,
} from "./recipients.ts";
import { countDue, finishSend, noteTrouble, pauseForOperator, withdrawLeftOvers } from "./sends.ts";

const minuteMs = 60_000;

/** One instance sends at a time, so that SMTP_RATE holds for all together. */
const leaseName = "sends";

const defaultSendLimits = {
  mailsPerSecond: 5,
  connections: 3,
  pollMs: 1_000,
  outageBackoffMaxMs: minuteMs,
  deliveryTimeoutMs: newsletterAnswerTimeoutMs + minuteMs,
  /** Longer than any hand-over, so that only a dead process loses its lease. */
  leaseMs: newsletterAnswerTimeoutMs + 2 * minuteMs,
  /** After this long without a renewal another instance takes over. */
  turnMs: 15_000,
  // About a day and a half in all.
  backoff: { baseMs: 5 * minuteMs, capMs: 240 * minuteMs, maxAttempts: 16 },
  refusalsBeforePause: 5,
  /** The mail account's limit for 24 hours, letters included; null: no limit. */
  mailsPerDay: null as number | null,
};

export type SendLimits = typeof defaultSendLimits;

type SendWorkerOptions = Sender & {
  database: Pick<OpenDatabase, "db" | "withoutTimeouts">;
  log: Logger;
  /** Lets letters go before it. */
  mailer: { send(message: MailMessage, signal?: AbortSignal): Promise<unknown> };
  returnPathOf?: (mail: { id: number; email: string; token: string }) => string;
  limits?: Partial<SendLimits>;
};

export type SendWorker = ReturnType<typeof createSendWorker>;

/** Publishes what is planned and sends queued issues. After a crash, mails under way go again with the same Message-ID. */
export function createSendWorker(options: SendWorkerOptions) {
  const { database, log, mailer, site, config, returnPathOf } = options;
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
  let pausing: Promise<void> | null = null;
  let shownTrouble: string | null | undefined;
  let leftToday = Number.POSITIVE_INFINITY;
  let countedAt = Number.NEGATIVE_INFINITY;
  let plansAt = Number.NEGATIVE_INFINITY;

  const sending = createRecurringWork(async () => {
    try {
      return await step();
    } catch (err) {
      const retryInMs = 10 * pollMs;
      log.error({ err, retryInMs }, "Sends can't be read");
      return retryInMs;
    }
  });

  /** Returns the milliseconds until the next step. */
  async function step(): Promise<number> {
    if (performance.now() - lookedAt >= pollMs) {
      lookedAt = performance.now();
      await look();
    }
    if (pausing) {
      await pausing.catch(() => {});
      sends = [];
      lookedAt = Number.NEGATIVE_INFINITY;
      return 0;
    }
    const now = performance.now();
    const untilLookMs = Math.max(1, lookedAt + pollMs - now);
    const isIdle = underWay.size === 0;
    if (sends.length === 0) {
      if (isIdle) await putBackWithheld();
      return untilLookMs;
    }
    if (leftToday > 0) {
      if (underWay.size >= (mailServer.isInDoubt() ? 1 : connections)) return untilLookMs;
      const waitMs = Math.max(mailServer.awayUntil(), nextMailAt) - now;
      if (waitMs >= 1) return Math.min(waitMs, untilLookMs);
      const pauses = mailServer.pauses();
      for (const send of sends) {
        const mail = await handOver(db, { sendId: send.id, claimant, now: new Date(), leaseMs });
        if (!mail) continue;
        nextMailAt = Math.max(nextMailAt, now) + 1_000 / mailServer.rate();
        leftToday -= 1;
        const work = deliver(send, mail, pauses).finally(() => {
          underWay.delete(work);
          sending.wake();
        });
        underWay.add(work);
        return 0;
      }
    }
    // No other mail is due whose answer could be compared.
    if (isIdle) await settleRefusals(mailServer.takeWithheld(null));
    return untilLookMs;
  }

  async function look() {
    const due = await countDue(db, new Date());
    if (due.plans > 0) await carryOutPlans();
    await withdrawLeftOvers(db, new Date());
    // Without a mail server, mails would become files.
    if (config.smtpUrl === null || due.sends === 0 || !(await hasTurn())) {
      sends = [];
      return;
    }
    await pauseLateSends(db, new Date());
    const begun = await beginDueSends(database, { site, config }, new Date());
    for (const { id, issueId, recipients } of begun) {
      log.info({ send: id, issue: issueId, recipients }, "A send has begun");
    }
    sends = await openSends(db);
    await countToday();
    if (begun.length > 0) {
      shownTrouble = undefined;
      await showTrouble();
    }
    for (const { id } of sends) {
      if (await finishSend(db, id, new Date())) log.info({ send: id }, "A send has finished");
    }
  }

  /** Plans are carried out by any instance: each locks its own. */
  async function carryOutPlans() {
    if (performance.now() < plansAt) return;
    try {
      for (const done of await carryOutDuePlans({ db, config, now: new Date() })) {
        if ("problem" in done) log.warn(done, "A planned issue could not be published");
        else log.info(done, "A planned issue is published");
      }
    } catch (err) {
      const retryInMs = 10 * pollMs;
      plansAt = performance.now() + retryInMs;
      log.error({ err, retryInMs }, "Plans can't be carried out");
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

  async function deliver(send: OpenSend, mail: HandedOver, pauses: number) {
    const { attempts } = mail;
    const about = { send: send.id, row: mail.id, attempt: attempts };
    const begunAt = performance.now();
    const signal = AbortSignal.any([AbortSignal.timeout(deliveryTimeoutMs), aborting.signal]);
    try {
      const message = { ...recipientMail(send, mail, site), returnPath: returnPathOf?.(mail) };
      const failure = await mailer.send(message, signal).then(
        () => null,
        (error: unknown) => readFailure(error, mail.email),
      );
      mailServer.note(failure, { begunAt });
      const proven = failure === null ? mailServer.takeWithheld(begunAt) : [];
      if (isRefused(failure)) {
        log.debug({ ...about, code: statusCodeOf(failure.words) }, "Refused");
        const isWithheld = mailServer.withhold({ mail, failure }, pauses);
        if (!isWithheld) await settle(mail, putBack(failure, new Date()));
      } else {
        const attempt = { attempts, now: new Date(), backoff: limits.backoff };
        await settle(mail, outcomeOf(failure, attempt));
        await settleRefusals(proven);
      }
      const reason = mailServer.reasonToPause();
      if (reason !== null) await pauseAll(reason);
      await showTrouble();
    } catch (err) {
      // The database is down. After the lease the mail goes again with the same Message-ID.
      log.error({ ...about, err }, "The outcome of a mail could not be stored");
    }
  }

  async function settle(mail: HandedOver, outcome: RowOutcome) {
    const lease = { leaseEndsAt: performance.now() + leaseMs, leaseMs, isOpen: () => isOpen };
    await untilWritten(lease, () => settleRow(db, mail, outcome, new Date()));
  }

  async function settleRefusals(refusals: ReturnType<typeof mailServer.takeWithheld>) {
    for (const { mail, failure, judgedBy } of refusals) {
      const attempt = { attempts: mail.attempts, now: new Date(), backoff: limits.backoff };
      await settle(mail, outcomeOfRefusal(failure, attempt, judgedBy));
    }
  }

  async function putBackWithheld() {
    for (const { mail, failure } of mailServer.takeWithheld(null))
      await settle(mail, putBack(failure, new Date()));
  }

  async function pauseAll(reason: string) {
    mailServer.notePause();
    pausing = writePauses(sends, reason);
    await pausing.finally(() => {
      pausing = null;
    });
  }

  async function writePauses(open: OpenSend[], reason: string) {
    await putBackWithheld();
    for (const { id } of open) {
      await db
        .transaction()
        .execute((trx) => pauseForOperator(trx, { id, reason, now: new Date() }));
      log.error({ send: id, reason }, "A send has paused itself: the mail server refuses our mail");
    }
  }

  async function showTrouble() {
    const trouble =
      leftToday > 0
        ? mailServer.trouble()
        : `the day's ${limits.mailsPerDay} mails are sent; it goes on by itself, 24 hours after the first of them`;
    if (trouble === shownTrouble) return;
    shownTrouble = trouble;
    await noteTrouble(db, trouble);
  }

  /** Counts every minute. */
  async function countToday() {
    const { mailsPerDay } = limits;
    if (mailsPerDay === null || performance.now() - countedAt < minuteMs) return;
    countedAt = performance.now();
    const ago = new Date(Date.now() - 24 * 60 * minuteMs);
    leftToday = (await countLeft(db, mailsPerDay, ago)) - underWay.size;
    await showTrouble();
  }

  return {
    start: sending.start,
    async stop({ deadlineMs }: { deadlineMs: number }) {
      isOpen = false;
      await sending.stop();
      await Promise.race([Promise.all(underWay), delay(deadlineMs, undefined, { ref: false })]);
      aborting.abort(new Error("The server stops"));
      await Promise.all(underWay);
      await putBackWithheld().catch(() => {});
      if (turnEndsAt === Number.NEGATIVE_INFINITY) return;
      await endLease(db, { name: leaseName, holder: claimant, until: new Date() }).catch(() => {});
    },
  };
}
