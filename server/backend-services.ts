import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { formsOf } from "#app/forms/forms-client.ts";
import type { FormSender } from "#app/ports.ts";
import type { RequestOrigin, SiteSettings } from "#content/site-settings.ts";
import { nextTorontoTime } from "#content/toronto-time.ts";
import { createNightlyBackups } from "#db/backup.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { createRecurringWork } from "#db/recurring-work.ts";
import type { Database } from "#db/tables.ts";
import { createMailers } from "#mail/create-mailer.ts";
import { createDeliverers } from "#mail/deliverers.ts";
import { createOutboxWorker, defaultOutboxLimits, type OutboxLimits } from "#mail/outbox.ts";
import { createBounceMailbox, createReturnPaths } from "#newsletter/bounces/bounce-mailbox.ts";
import { createArchive } from "#newsletter/issues/archive.ts";
import { watchPlans } from "#newsletter/issues/plans.ts";
import { hindranceToSend } from "#newsletter/sends/send-issue.ts";
import { createSendWorker, type SendLimits } from "#newsletter/sends/send-worker.ts";
import { forgetDeletedPages } from "#newsletter/subscribers/privacy.ts";
import {
  deleteExpired,
  deleteExpiredMailFiles,
  isClockTrusted,
} from "#newsletter/subscribers/retention.ts";
import { endImpliedConsents } from "#newsletter/subscribers/subscribe.ts";
import type { Config } from "#settings/settings.ts";
import { createApi } from "./api/api.ts";
import { callsInProcess, createFunctions, type FunctionsOptions } from "./api/functions.ts";
import type { SubmissionLimits } from "./api/limits.ts";
import { createHeartbeat } from "./health/heartbeat.ts";
import type { Metrics } from "./metrics.ts";

/** For tests and load generators. */
export type ServerLimits = {
  outboxLimits?: Partial<OutboxLimits>;
  sendLimits?: Partial<SendLimits>;
  submissionLimits?: SubmissionLimits;
};

type BackendServicesOptions = ServerLimits & {
  config: Config;
  settings: SiteSettings;
  database: OpenDatabase;
  log: Logger;
  metrics: Metrics;
  environment?: Record<string, string | undefined>;
  isClosed?: () => boolean;
};

export function createBackendServices(options: BackendServicesOptions) {
  const { config, settings, database, log, metrics } = options;
  const { db } = database;
  const { newsletterWebhookUrl, webhookSecret, mailEventsSecret } = config;
  const { smtpConnections, bounceMailbox } = config;

  const mailers = createMailers(config, settings.url);
  const outboxWorker = createOutboxWorker({
    db,
    log,
    limits: {
      // Prepares one mail while another is under way.
      concurrencyPerKind: Math.max(defaultOutboxLimits.concurrencyPerKind, 2 * smtpConnections),
      ...options.outboxLimits,
    },
    deliverers: createDeliverers({
      mailer: mailers.desk,
      contactTo: config.contactTo,
      site: settings,
      webhook: newsletterWebhookUrl ? { url: newsletterWebhookUrl, secret: webhookSecret } : null,
    }),
  });
  const returnPaths = bounceMailbox && createReturnPaths(bounceMailbox.address);
  const bounces =
    bounceMailbox &&
    returnPaths &&
    createBounceMailbox({ db, log, url: bounceMailbox.url, returnPaths });
  const sendWorker = createSendWorker({
    database,
    log,
    mailer: mailers.newsletter,
    site: settings,
    hindrance: hindranceToSend(config),
    returnPathOf: returnPaths?.of,
    limits: {
      mailsPerSecond: config.smtpRate,
      connections: smtpConnections,
      mailsPerDay: config.smtpDailyLimit,
      ...options.sendLimits,
    },
  });
  const plans = watchPlans({ db, config, log });
  const deletion = createRecurringDeletion({ db, config, log, metrics });
  const heartbeat = createHeartbeat(db);
  const backups = createNightlyBackups({
    db,
    place: { ...config, environment: options.environment },
    keepDays: () => config.backupDays,
    dueAt: lastNight,
    reportError: (err) => log.error({ err }, "The night's backup could not be made"),
  });

  const apiOptions: FunctionsOptions = {
    db,
    log,
    wakeOutbox: () => outboxWorker.wake(),
    newsletterWebhookUrl,
    site: settings,
    submissionLimits: options.submissionLimits,
    isClosed: options.isClosed,
    mailEventsSecret,
    onFunctionAnswer: (name, outcome) => metrics.functionAnswers.inc({ function: name, outcome }),
  };
  const functions = createFunctions(apiOptions);
  const api = createApi(apiOptions, functions);

  return {
    archive: createArchive(db),
    answer: (request: Request, origin: RequestOrigin) => api.fetch(request, origin),
    formsFor: (sender: FormSender) => formsOf(callsInProcess(functions, settings.url, sender)),
    lastDeletionAt: deletion.lastAt,
    async isReady(): Promise<boolean> {
      const isUp = database.ping().then(
        () => true,
        () => false,
      );
      return await Promise.race([isUp, delay(2_000, false, { ref: false })]);
    },
    startWork(): void {
      outboxWorker.start();
      plans.start();
      if (config.smtpUrl !== null) sendWorker.start();
      bounces?.start();
      deletion.start();
      heartbeat.start();
      backups.start();
    },
    async stopWork(deadlineMs: number): Promise<void> {
      await Promise.all([
        outboxWorker.stop({ deadlineMs }),
        sendWorker.stop({ deadlineMs }),
        plans.stop(),
        bounces?.stop(),
        deletion.stop(),
        heartbeat.stop(),
        backups.stop(),
      ]);
    },
    /** Call it once no request is under way. The database stays open. */
    close(): void {
      mailers.close();
    },
  };
}

/** Little traffic, and before most hosts' own nightly work. */
function lastNight(now: Date): number {
  return nextTorontoTime(now.getTime() - 86_400_000, "03:30");
}

/** Deletes expired data and ends implied consents, at the start and every six hours. */
function createRecurringDeletion({
  db,
  config: { dataDir, newsletterWebhookUrl },
  log,
  metrics,
}: Pick<BackendServicesOptions, "config" | "log" | "metrics"> & { db: Kysely<Database> }) {
  let lastAt: number | null = null;

  async function run() {
    const now = new Date();
    if (!(await isClockTrusted(db, now))) {
      log.warn("The clock has jumped; nothing is deleted until it has run on for a week");
      return;
    }
    const ended = await endImpliedConsents(db, { now, newsletterWebhookUrl });
    if (ended > 0) log.info({ ended }, "Ended subscriptions whose implied consent is over");
    const mailFiles = await deleteExpiredMailFiles(dataDir, now);
    const deleted = { ...(await deleteExpired(db, now)), mailFiles };
    lastAt = Date.now();
    if (Object.values(deleted).every((count) => count === 0)) return;
    log.info(deleted, "Deleted expired data");
    await forgetDeletedPages(db);
  }

  const work = createRecurringWork(async () => {
    await run().catch((err) => {
      metrics.deletionFailures.inc();
      log.error({ err }, "Expired data could not be deleted; the next try is in six hours");
    });
    // So that a server restarted each night still gets to it.
    return 6 * 60 * 60_000;
  });
  return { ...work, lastAt: () => lastAt };
}
