import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { OpenDatabase } from "#db/database-handle.ts";
import type { MailMessage } from "#mail/mail-message.ts";
import { describeError, untilWritten } from "#mail/outbox.ts";
import { statusCodeOf } from "../bounce-kind.ts";
import { createAcceptBatcher } from "./accept-rows.ts";
import { createAllowance } from "./allowance.ts";
import { beginSendsAside } from "./begin-sends-aside.ts";
import { createDomainBackoff } from "./domain-backoff.ts";
import { finishSend, withdrawLeftOvers } from "./end-sends.ts";
import { domainOf, type HandedOver, handOver, isAnyDue } from "./hand-over.ts";
import { createMailServerState } from "./mail-server-state.ts";
import { type OpenSend, openSends } from "./open-sends.ts";
import { outcomeOf } from "./outcome-of.ts";
import { createPrefetchSize } from "./prefetch-size.ts";
import { type Answer, readAnswer } from "./read-answer.ts";
import { createReaderMails } from "./reader-mail.ts";
import { createSemaphore } from "./semaphore.ts";
import { defaultSendLimits, type SendLimits } from "./send-limits.ts";
import { createSendSpeed } from "./send-speed.ts";
import { settleRow } from "./settle-row.ts";
import { pauseSend } from "./steer-send.ts";
import { undoClockSkew } from "./undo-clock-skew.ts";

type SendWorkerOptions = {
  database: Pick<OpenDatabase, "db" | "withoutTimeouts" | "kind" | "location">;
  log: Logger;
  /** On connections of its own, so that no other mail waits behind a newsletter's. */
  mailer: {
    send(message: MailMessage, signal?: AbortSignal): Promise<unknown>;
    compose(message: MailMessage): Promise<Buffer>;
  };
  site: { url: string; name: string; email: string };
  /** Where each mail comes back to; without it, to the From. */
  returnPathOf?: (mail: { id: number; email: string; token: string }) => string;
  /** While the desk's mails and confirmations are under way, nothing new is handed over. */
  isOvertaken?: () => boolean;
  clock?: () => Date;
  limits?: Partial<SendLimits>;
};

export type SendWorker = {
  start(): void;
  /** Takes nothing new, waits for what is under way up to the deadline, and gives the rest up to be handed over again. */
  stop(options?: { deadlineMs?: number }): Promise<void>;
};

const stopDeadlineMs = 10_000;

/** How soon it is looked again while other mail overtakes. */
const overtakenMs = 20;

/**
 * Hands the mails of every send that is under way to the mail server, for as long as it runs. Whatever ends it, the next
 * one goes on from the rows: what was accepted is written down, and what was in flight goes again under the same
 * Message-ID.
 */
export function createSendWorker(options: SendWorkerOptions): SendWorker {
  const { database, log, mailer, site, isOvertaken = () => false } = options;
  const { db } = database;
  const clock = options.clock ?? (() => new Date());
  const limits = { ...defaultSendLimits, ...options.limits };
  if (limits.leaseMs <= limits.deliveryTimeoutMs) {
    throw new Error("leaseMs must be longer than deliveryTimeoutMs.");
  }
  const workerId = randomUUID();
  const speed = createSendSpeed(limits.mailsPerSecond);
  const allowance = createAllowance(speed);
  const domainBackoff = createDomainBackoff(limits.domainBackoff);
  const mailServer = createMailServerState({ limits, speed, domainBackoff, clock, log });
  const mailOf = createReaderMails((message) => mailer.compose(message), site);
  const { returnPathOf } = options;
  const { connections } = limits;
  const prefetchSize = createPrefetchSize(connections);
  // What was sent keeps its connection's place until that is written down: no kill leaves more in doubt than connections.
  const semaphore = createSemaphore(connections);
  const accept = createAcceptBatcher(db, { clock, semaphore, connections, speed });
  const underWay = new Map<Promise<void>, AbortController>();
  let isOpen = false;
  let running: Promise<void> = Promise.resolve();
  let wake = () => {};
  let claims = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let clockCheckedAt = Number.NEGATIVE_INFINITY;
  let sends: OpenSend[] = [];
  /** The last look found mails, so that the next need not ask first whether there are any. */
  let isFlowing = false;
  /** Before then the pace allows no more, and each mail that is done need not ask. */
  let pacedUntil = Number.NEGATIVE_INFINITY;

  async function run() {
    let outageMs = limits.pollMs;
    while (isOpen) {
      try {
        const waitMs = await step();
        outageMs = limits.pollMs;
        if (waitMs > 0) await wait(waitMs);
      } catch (err) {
        log.error({ err, retryInMs: outageMs }, "Sends can't be read");
        await wait(outageMs);
        outageMs = Math.min(limits.outageBackoffMaxMs, outageMs * 2);
      }
    }
  }

  /** One look at what there is to do; answers how long nothing more need be looked for. */
  async function step(): Promise<number> {
    if (performance.now() - lookedAt >= limits.pollMs) {
      lookedAt = performance.now();
      await look();
    }
    const untilLookMs = Math.max(1, lookedAt + limits.pollMs - performance.now());
    // Each connection has its next mail at hand when it has sent one, and a look takes half of them, for one commit.
    const prefetched = prefetchSize.read();
    const free = prefetched - underWay.size;
    if (free < prefetched / 2 || sends.length === 0) return untilLookMs;
    const waitMs = Math.max(mailServer.awayUntil(), pacedUntil) - performance.now();
    if (waitMs > 0) return Math.min(waitMs, untilLookMs);
    if (isOvertaken()) return overtakenMs;
    for (const send of sends) {
      const now = clock();
      if (!isFlowing && !(await isAnyDue(db, { sendId: send.id, now }))) continue;
      claims += 1;
      const { mails, nextAt } = await handOver(db, {
        sendId: send.id,
        limit: mailServer.isInDoubt() ? 1 : free,
        claimant: `${workerId}/${claims}`,
        now,
        leaseMs: limits.leaseMs,
        allowance,
        putOffUntil: (domain) => domainBackoff.until(domain, now),
      });
      for (const mail of mails) begin(send, mail);
      isFlowing = mails.length > 0;
      if (mails.length > 0) return 0;
      if (nextAt) {
        const pacedMs = Math.min(untilLookMs, Math.max(1, nextAt.getTime() - now.getTime()));
        pacedUntil = performance.now() + pacedMs;
        return pacedMs;
      }
    }
    return untilLookMs;
  }

  async function look() {
    // Before others begin, which may take them over.
    await withdrawLeftOvers(db, clock());
    for (const { id, issueId, readers } of await beginSendsAside(database, clock())) {
      log.info({ send: id, issue: issueId, readers }, "A send has begun");
    }
    sends = await openSends(db, sends);
    await checkClock();
    for (const { id } of sends) {
      if (await finishSend(db, id, clock())) log.info({ send: id }, "A send has finished");
    }
  }

  async function checkClock() {
    if (performance.now() - clockCheckedAt < limits.clockCheckMs) return;
    const { undone, isDone } = await undoClockSkew(db, { now: clock(), limits });
    if (isDone) clockCheckedAt = performance.now();
    if (undone > 0) {
      log.warn({ undone }, "The clock has been set back: mails that would have waited are due");
    }
  }

  function begin(send: OpenSend, mail: HandedOver) {
    const controller = new AbortController();
    const handedOverAt = performance.now();
    const work = semaphore
      .run(async () => {
        const dueAt = laterThan(send, mail, handedOverAt);
        if (dueAt === null) await deliver(send, mail, { controller, handedOverAt });
        else await handBack(mail, dueAt);
      })
      .finally(() => {
        underWay.delete(work);
        wake();
      });
    underWay.set(work, controller);
  }

  /** When a mail that has waited in hand is to be looked at again; null where it still may go. */
  function laterThan(send: OpenSend, { email }: HandedOver, handedOverAt: number): Date | null {
    const now = clock();
    const until = domainBackoff.until(domainOf(email), now);
    if (until !== null) return new Date(until);
    const waitedMs = performance.now() - handedOverAt;
    const isStale =
      waitedMs > limits.inHandMaxMs || waitedMs + limits.deliveryTimeoutMs > limits.leaseMs;
    const isAway = mailServer.hasGoneAwaySince(handedOverAt);
    return isOpen && !isStale && !isAway && sends.includes(send) ? null : now;
  }

  async function handBack(mail: HandedOver, dueAt: Date) {
    try {
      await settleRow(db, mail, { event: "hand back", dueAt, tried: false }, clock());
    } catch (err) {
      // When the lease has run out, it goes to whoever looks next.
      log.error({ send: mail.sendId, row: mail.id, err }, "A mail could not be handed back");
    }
  }

  async function deliver(
    send: OpenSend,
    mail: HandedOver,
    { controller, handedOverAt }: { controller: AbortController; handedOverAt: number },
  ) {
    const about = { send: send.id, row: mail.id, attempt: mail.attempts };
    const { leaseMs } = limits;
    const lease = { leaseEndsAt: handedOverAt + leaseMs, leaseMs, isOpen: () => isOpen };
    const begunAt = performance.now();
    const timer = setTimeout(
      () => controller.abort(new Error(`No answer within ${limits.deliveryTimeoutMs} ms`)),
      limits.deliveryTimeoutMs,
    );
    try {
      const answer = await answerTo(send, mail, controller.signal);
      mailServer.note(answer, { domain: domainOf(mail.email), begunAt });
      if (answer === null) {
        prefetchSize.sent();
        await untilWritten(lease, () => accept(mail));
        return;
      }
      const now = clock();
      const outcome = outcomeOf(answer, { attempts: mail.attempts, now, limits });
      await untilWritten(lease, () => settleRow(db, mail, outcome, now));
      log.debug({ ...about, code: statusCodeOf(answer.words), event: outcome.event }, "Not sent");
      if (mailServer.refusesUs()) await pauseItself(send, answer.words);
    } catch (err) {
      // The database is away: when the lease has run out, the mail goes again under its own Message-ID.
      log.error({ ...about, err }, "What became of a mail could not be written down");
    } finally {
      clearTimeout(timer);
    }
  }

  /** What the mail server says of the mail; null where it has taken it. */
  async function answerTo(
    send: OpenSend,
    mail: HandedOver,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    let message: MailMessage;
    try {
      message = { ...(await mailOf(send, mail)), returnPath: returnPathOf?.(mail) };
    } catch (error) {
      // No server has been asked, and no other mail of the send would be made either.
      return { kind: "refuses us", words: `The mail can't be made: ${describeError(error)}` };
    }
    try {
      await mailer.send(message, signal);
      return null;
    } catch (error) {
      return readAnswer(error ?? new Error("The mail was not sent"), mail.email);
    }
  }

  async function pauseItself({ id }: OpenSend, reason: string) {
    mailServer.notePause();
    sends = sends.filter((send) => send.id !== id);
    await pauseSend(db, { id, reason });
    log.error(
      { send: id, code: statusCodeOf(reason) },
      "A send has paused itself: the mail server refuses our mail; sends show says in which words",
    );
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    start() {
      isOpen = true;
      running = run();
    },
    async stop({ deadlineMs = stopDeadlineMs } = {}) {
      isOpen = false;
      wake();
      await running;
      const { promise: deadline, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, deadlineMs);
      await Promise.race([Promise.all(underWay.keys()), deadline]);
      clearTimeout(timer);
      for (const controller of underWay.values()) controller.abort(new Error("The server stops"));
      await Promise.all(underWay.keys());
    },
  };
}
