import { setTimeout as delay } from "node:timers/promises";
import { FunctionsClient } from "@supabase/functions-js";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { formsBy } from "#app/forms/forms-client.ts";
import type { FormSender } from "#app/ports.ts";
import type { RequestOrigin, SiteSettings } from "#content/site-settings.ts";
import { nextTorontoTime } from "#content/toronto-time.ts";
import { createNightlyBackups } from "#db/backup.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { createRecurringWork } from "#db/recurring-work.ts";
import type { Database } from "#db/tables.ts";
import { createMailers } from "#mail/create-mailer.ts";
import { createDeliverers } from "#mail/deliverers.ts";
import { createOutboxWorker, type OutboxLimits } from "#mail/outbox.ts";
import { createBounceMailbox, createReturnPaths } from "#newsletter/bounces/bounce-mailbox.ts";
import { createArchive } from "#newsletter/issues/archive.ts";
import { createVisitCounter } from "#newsletter/issues/issue-effects.ts";
import { createSendWorker, type SendLimits } from "#newsletter/sends/send-worker.ts";
import { countDay } from "#newsletter/subscribers/list-subscribers.ts";
import { deleteExpired } from "#newsletter/subscribers/retention.ts";
import type { Config } from "#settings/settings.ts";
import { createApi } from "./api/api.ts";
import type { SubmissionLimits } from "./api/limits.ts";
import { createHeartbeat } from "./health/heartbeat.ts";
import { createNews } from "./news.ts";

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
  environment?: Record<string, string | undefined>;
  isClosed?: () => boolean;
};

export function createBackendServices(options: BackendServicesOptions) {
  const { config, settings, database, log } = options;
  const { db } = database;
  const { newsletterWebhookUrl, webhookSecret, mailEventsSecret } = config;
  const { bounceMailbox } = config;

  const mailers = createMailers(config, settings.url);
  const outboxWorker = createOutboxWorker({
    db,
    log,
    limits: options.outboxLimits,
    deliverers: createDeliverers({
      mailer: mailers.desk,
      contactTo: config.contactTo,
      site: settings,
      webhook: newsletterWebhookUrl ? { url: newsletterWebhookUrl, secret: webhookSecret } : null,
    }),
  });
  const returnPaths = bounceMailbox && createReturnPaths(bounceMailbox.address);
  const sendWorker = createSendWorker({
    database,
    log,
    mailer: mailers.newsletter,
    site: settings,
    config,
    returnPathOf: returnPaths?.of,
    limits: {
      mailsPerSecond: config.smtpRate,
      mailsPerDay: config.smtpDailyLimit,
      ...options.sendLimits,
    },
  });
  const visits = createVisitCounter(db, log);
  const news = createNews({ db, config, siteUrl: settings.url, log });
  const works: { start(): void; stop(limits: { deadlineMs: number }): Promise<void> }[] = [
    outboxWorker,
    sendWorker,
    createRecurringDeletion({ db, config, log }),
    visits,
    createHeartbeat(db, news.tellOutage),
    news,
    createNightlyBackups({
      db,
      place: { ...config, environment: options.environment },
      keepDays: () => config.backupDays,
      dueAt: lastNight,
      reportError: (err) => log.error({ err }, "The night's backup could not be made"),
    }),
  ];
  if (bounceMailbox && returnPaths)
    works.push(createBounceMailbox({ db, log, url: bounceMailbox.url, returnPaths }));

  const api = createApi({
    db,
    log,
    wakeOutbox: () => outboxWorker.wake(),
    newsletterWebhookUrl,
    site: settings,
    submissionLimits: options.submissionLimits,
    isClosed: options.isClosed,
    mailEventsSecret,
  });

  return {
    archive: createArchive(db),
    backend: (request: Request, origin: RequestOrigin) => api.fetch(request, origin),
    /** By the same client and the same functions as a browser's. */
    formsFor: ({ page, ...origin }: FormSender) =>
      formsBy(
        new FunctionsClient(`${settings.url}/functions/v1`, {
          headers: { Referer: page },
          customFetch: async (...call) => await api.fetch(new Request(...call), origin),
        }),
      ),
    noteVisit: visits.note,
    async isReady(): Promise<boolean> {
      const isUp = database.ping().then(
        () => true,
        () => false,
      );
      return await Promise.race([isUp, delay(2_000, false, { ref: false })]);
    },
    startWork(): void {
      for (const work of works) work.start();
    },
    async stopWork(deadlineMs: number): Promise<void> {
      await Promise.all(works.map((work) => work.stop({ deadlineMs })));
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

/** Deletes expired data at the start and every six hours, so that a server restarted each night still gets to it. */
function createRecurringDeletion({
  db,
  config,
  log,
}: Pick<BackendServicesOptions, "config" | "log"> & { db: Kysely<Database> }) {
  return createRecurringWork(async () => {
    try {
      await countDay(db, new Date());
      const deleted = await deleteExpired({ db, ...config }, new Date());
      if (deleted === null)
        log.warn("The clock has jumped; nothing is deleted until it has run on for a week");
      if (Object.values(deleted ?? {}).some((count) => count > 0))
        log.info(deleted, "Deleted expired data");
    } catch (err) {
      log.error({ err }, "Expired data could not be deleted; the next try is in six hours");
    }
    return 6 * 60 * 60_000;
  });
}
