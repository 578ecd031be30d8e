import type { RequestListener, Server } from "node:http";
import type { Logger } from "pino";
import { hostedForms } from "#app/backend-client.ts";
import type { createSite } from "#app/site.ts";
import { countHeld, type HeldCounts } from "#contact/quarantine.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { type PreparedBodyOf, prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { archiveOfDatabase, createArchive } from "#newsletter/archive.ts";
import { createPreparedBodies } from "#newsletter/prepared-issues.ts";
import { type BackendServicesOptions, createBackendServices } from "./backend-services.ts";
import { archiveOfHostedProject } from "./hosted-archive.ts";
import { createHttp } from "./http.ts";
import { createHttpServer, listen, requestListener, stopListening } from "./listen.ts";
import { addReadings, createMetrics, type Metrics, startMetricsServer } from "./metrics.ts";
import { type OpenStore, openStore } from "./open-store.ts";
import type { Config } from "./settings.ts";
import { siteSettings } from "./settings.ts";

/** What makes the pages: the production build, or the sources with hot reload. */
export type SiteSource = {
  createSite: typeof createSite;
  /** The built files; null where `wrap` serves them. */
  clientDirectory: string | null;
  wrap?: (answer: RequestListener) => RequestListener;
  close?: () => Promise<void>;
};

export type RunningServer = {
  settings: SiteSettings;
  port: number;
  /** The port of the metrics for Prometheus; null where nobody reads them. */
  metricsPort: number | null;
  /** Null with a hosted backend. */
  database: Pick<OpenDatabase, "kind" | "location"> | null;
  /** What waited for the operator at the start, held as suspected spam; null with a hosted backend. */
  held: HeldCounts | null;
  /** Ends what is under way and closes everything; a second call waits for the first. */
  stop(): Promise<void>;
};

/** Shorter than the ten seconds after which process supervisors lose patience. */
const stopDeadlineMs = 8_000;

/** Opens everything, from the database to the port. Rejects, with everything closed again, where a part of it can't be had. */
export async function startServer(
  config: Config,
  log: Logger,
  openSite: (server: Server) => Promise<SiteSource>,
  limits: Pick<BackendServicesOptions, "outboxLimits" | "sendLimits" | "submissionLimits"> = {},
): Promise<RunningServer> {
  const server = createHttpServer();
  const metrics = createMetrics();
  /** What has been opened so far, to be closed in the opposite order. */
  const opened: (() => unknown)[] = [];
  const closeAll = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const database = config.hostedBackend ? null : await openLoggedStore(config, log, metrics);
    if (database) opened.push(database.close);
    const metricsServer =
      config.metricsAddress && (await startMetricsServer(config.metricsAddress, metrics.registry));
    if (metricsServer) opened.push(metricsServer.stop);
    const site = await openSite(server);
    opened.push(() => site.close?.());
    // Nothing is waited for between this and the first request that can be answered.
    const port = await listen(server, config);
    opened.push(() => stopListening(server, 0));
    const settings = siteSettings(config, port);

    const archive = openArchive(config, database, log);
    const backend =
      database &&
      createBackendServices({ config, settings, log, metrics, database, archive, ...limits });
    const isReady = backend?.isReady ?? (() => answersAtAll(archive.version()));
    addReadings(metrics.registry, {
      db: database?.db ?? null,
      isBackendReady: isReady,
      lastDeletionAt: () => backend?.lastDeletionAt() ?? null,
    });

    const app = createHttp({
      settings,
      site: site.createSite({
        settings,
        archive,
        formsFor(sender) {
          if (backend) return backend.formsFor(sender);
          if (settings.hostedBackend) return hostedForms(settings.hostedBackend, sender);
          throw new Error("No backend is configured for this site.");
        },
        reportError: (err, origin) =>
          log.error({ err, requestId: origin?.requestId }, "A page could not be made"),
      }),
      backend: backend?.answer ?? null,
      isReady,
      archiveVersion: archive.version,
      visits: backend && {
        visits: backend.visits,
        host: new URL(settings.url).hostname,
        hasIssue: archive.has,
      },
      metrics,
      log,
      clientDirectory: site.clientDirectory,
      trustedProxies: config.trustedProxies,
      cacheTags: config.siteCacheTags,
    });
    const answer = requestListener(app, settings, log);
    server.on("request", site.wrap ? site.wrap(answer) : answer);

    const held = database && (await countHeld(database.db));
    // Last, so that no start fails with deliveries under way.
    backend?.startWorker();

    async function stop() {
      await Promise.all([
        site.close?.(),
        stopListening(server, stopDeadlineMs),
        backend?.stopWorker(stopDeadlineMs),
      ]);
      await Promise.all([backend?.close(), metricsServer?.stop()]);
    }
    let stopping: Promise<void> | undefined;
    return {
      settings,
      port,
      metricsPort: metricsServer?.port ?? null,
      database,
      held,
      stop() {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function openLoggedStore(config: Config, log: Logger, metrics: Metrics): Promise<OpenStore> {
  const store = await openStore(config, {
    onConnectionLost(err) {
      metrics.connectionsLost.inc();
      log.warn({ err }, "A database connection was lost");
    },
    onQueryError: () => metrics.databaseErrors.inc(),
  });
  const { migrated, seeded } = store;
  if (migrated.length > 0) log.info({ migrated, starterIssues: seeded }, "Migrated the database");
  return store;
}

function openArchive({ hostedBackend }: Config, database: OpenStore | null, log: Logger) {
  const prepareBody: PreparedBodyOf = database
    ? createPreparedBodies(database.db, (err) =>
        log.warn({ err }, "A prepared issue could not be stored"),
      )
    : async (issue) => prepareIssueBody(issue.content_markdown);
  if (database) return createArchive(archiveOfDatabase(database.db), prepareBody);
  if (hostedBackend) {
    return createArchive(archiveOfHostedProject(hostedBackend, { prepareBody }), prepareBody);
  }
  throw new Error("No backend is configured for this site.");
}

function answersAtAll(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    () => false,
  );
}
