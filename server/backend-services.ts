import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { createApi } from "#api/api.ts";
import { formsOfFunctions } from "#api/forms.ts";
import { createFunctions, type FunctionOutcome } from "#api/functions.ts";
import type { SubmissionLimits } from "#api/limits.ts";
import type { FormSender, Forms } from "#contracts/ports.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { createRecurringWork, type RecurringWork } from "#db/recurring-work.ts";
import type { Database } from "#db/tables.ts";
import { createDeliverers } from "#mail/deliverers.ts";
import { createOutboxWorker, defaultOutboxLimits, type OutboxLimits } from "#mail/outbox.ts";
import { archiveChannel, type createArchive } from "#newsletter/archive.ts";
import { createBounceMailbox } from "#newsletter/bounces/bounce-mailbox.ts";
import { createReturnPaths } from "#newsletter/bounces/return-path.ts";
import { forgetDeletedPages } from "#newsletter/privacy.ts";
import { deleteExpired, deleteExpiredMailFiles, isClockTrusted } from "#newsletter/retention.ts";
import type { SendLimits } from "#newsletter/sends/send-worker.ts";
import { createSendWorker } from "#newsletter/sends/send-worker.ts";
import { createMailers } from "./create-mailers.ts";
import type { AnswerRequest } from "./make-page.ts";
import type { Metrics } from "./metrics.ts";
import type { Config } from "./settings.ts";
import { createVisitCounter, type VisitCounter } from "./visits.ts";

/** A database that takes longer than this to answer one row doesn't count as ready. */
const readyTimeoutMs = 2_000;

export type BackendServices = {
  answer: AnswerRequest;
  /** The forms of the site's own pages. */
  formsFor: (sender: FormSender) => Forms;
  isReady: () => Promise<boolean>;
  /** Milliseconds since 1970; null before the first. */
  lastDeletionAt: () => number | null;
  visits: VisitCounter;
  /** Begins to carry out what the outbox holds, and to delete what is no longer to be kept. */
  startWorker(): void;
  /** Takes nothing new, lets deliveries under way end up to the deadline and hands the others back. */
  stopWorker(deadlineMs: number): Promise<void>;
  /** Closes the database and the way to the mail server, when no request is under way any more. */
  close(): Promise<void>;
};

export type BackendServicesOptions = {
  config: Config;
  settings: SiteSettings;
  database: OpenDatabase;
  log: Logger;
  metrics: Metrics;
  archive: ReturnType<typeof createArchive>;
  /** Other times than the outbox's own, for a harness that can't wait for them. */
  outboxLimits?: Partial<OutboxLimits>;
  /** The same of newsletters. */
  sendLimits?: Partial<SendLimits>;
  /** Other limits on both forms than the product's own, for a harness that sends more than people do. */
  submissionLimits?: SubmissionLimits;
};

/** The built-in backend and its outbox worker, on an open database. */
export function createBackendServices(options: BackendServicesOptions): BackendServices {
  const { config, settings, database, log, metrics, outboxLimits, sendLimits, submissionLimits } =
    options;
  const { db } = database;
  const { archive } = options;
  const mailers = createMailers(config, settings.url);
  const { newsletterWebhookUrl, webhookSecret } = config;
  const worker = createOutboxWorker({
    db,
    log,
    limits: {
      // Every connection has its next mail ready while one is under way on it.
      concurrencyPerKind: Math.max(
        defaultOutboxLimits.concurrencyPerKind,
        2 * config.smtpConnections,
      ),
      ...outboxLimits,
    },
    onAttempt: (kind, result) => metrics.deliveryAttempts.inc({ kind, result }),
    deliverers: createDeliverers({
      mailer: mailers.desk,
      contactTo: config.contactTo,
      site: settings,
      webhook: newsletterWebhookUrl ? { url: newsletterWebhookUrl, secret: webhookSecret } : null,
    }),
  });
  const { bounceMailbox } = config;
  const returnPaths = bounceMailbox ? createReturnPaths(bounceMailbox.address) : null;
  const returned =
    bounceMailbox && returnPaths
      ? createBounceMailbox({
          db,
          log,
          url: bounceMailbox.url,
          returnPaths,
          onReport: (outcome) => metrics.bounceReports.inc({ outcome }),
        })
      : null;
  const sendWorker = createSendWorker({
    database,
    log,
    mailer: mailers.newsletter,
    site: settings,
    returnPathOf: returnPaths?.of,
    limits: {
      mailsPerSecond: config.smtpRate,
      connections: config.smtpConnections,
      ...sendLimits,
    },
  });
  const deletion = createRecurringDeletion({
    db,
    dataDir: config.dataDir,
    log,
    metrics,
  });
  let stopListening = async () => {};
  const visits = createVisitCounter({
    db,
    log,
    onCount(kind, name) {
      if (kind === "event") metrics.events.inc({ event: name });
      if (kind === "page" || kind === "issue") metrics.visits.inc();
    },
  });
  const wakeOutbox = () => worker.wake();
  const deps = {
    db,
    log,
    wakeOutbox,
    countEvent: visits.countEvent,
    newsletterWebhookUrl,
    site: settings,
    submissionLimits,
    mailEventsSecret: config.mailEventsSecret,
    onFunctionAnswer: (name: string, outcome: FunctionOutcome) =>
      metrics.functionAnswers.inc({ function: name, outcome }),
  };
  const functions = createFunctions(deps);
  const backend = createApi({ ...deps, functions });

  const work = [
    worker,
    // Without a mail server nobody would be reached, so an issue waits until there is one.
    ...(config.smtpUrl === null ? [] : [sendWorker]),
    ...(returned ? [returned] : []),
    deletion,
  ];

  return {
    answer: (request, origin) => backend.fetch(request, origin),
    formsFor: (sender) => formsOfFunctions(functions, settings.url, sender),
    isReady: () => answers(database),
    lastDeletionAt: deletion.lastAt,
    visits,
    startWorker() {
      // Where nothing is heard, the archive looks a second later.
      stopListening = database.listen(archiveChannel, archive.lookAgain);
      visits.start();
      for (const one of work) one.start();
    },
    async stopWorker(deadlineMs) {
      await Promise.all([
        worker.stop({ deadlineMs }),
        sendWorker.stop({ deadlineMs }),
        returned?.stop(),
        deletion.stop(),
      ]);
    },
    async close() {
      mailers.desk.close();
      mailers.newsletter.close();
      await stopListening();
      await visits.stop();
      await database.close();
    },
  };
}

async function answers(database: OpenDatabase): Promise<boolean> {
  const asked = database.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([asked, delay(readyTimeoutMs, false, { ref: false })]);
}

/** More often than a day, so that a server that is restarted each night still comes to it. */
const deleteEveryMs = 6 * 60 * 60 * 1000;

/** Keeps the privacy policy's promise of deletion for as long as the server runs: at the start and every six hours. */
function createRecurringDeletion({
  db,
  dataDir,
  log,
  metrics,
}: {
  db: Kysely<Database>;
  /** Where mail files lie, if any. */
  dataDir: string;
  log: Logger;
  metrics: Metrics;
}): RecurringWork & { lastAt(): number | null } {
  let lastAt: number | null = null;

  async function run(stopping: AbortSignal) {
    try {
      const now = new Date();
      if (!(await isClockTrusted(db, now))) {
        log.warn(
          "The clock has jumped; nothing is deleted by it before the next look, in six hours",
        );
        return;
      }
      const mailFiles = await deleteExpiredMailFiles(dataDir, now);
      const deleted = { ...(await deleteExpired(db, now, stopping)), mailFiles };
      lastAt = Date.now();
      if (Object.values(deleted).some((count) => count > 0)) {
        log.info(deleted, "Deleted what is no longer to be kept");
        await forgetDeletedPages(db);
      }
    } catch (err) {
      metrics.deletionFailures.inc();
      log.error(
        { err },
        "What is no longer to be kept could not be deleted; the next try is in six hours",
      );
    }
  }

  const work = createRecurringWork(async (stopping) => {
    await run(stopping);
    return deleteEveryMs;
  });
  return { ...work, lastAt: () => lastAt };
}
