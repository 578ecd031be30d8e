import type { Server } from "node:http";
import type { Logger } from "pino";
import { countHeld, type HeldCounts } from "#contact/quarantine.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { type PreparedBodyOf, prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { archiveOfDatabase, createArchive } from "#newsletter/archive.ts";
import { createPreparedBodies } from "#newsletter/prepared-issues.ts";
import { archiveOfHostedProject } from "./hosted-archive.ts";
import { watchForms } from "./listening/forms-first.ts";
import { createHttpServer, type HttpListener, listen } from "./listening/listen.ts";
import { type Counts, createCounts } from "./metrics/counts.ts";
import { type MetricsServer, startMetricsServer } from "./metrics/metrics-server.ts";
import { type OpenStore, openStore } from "./open-store.ts";
import {
  type BackendServices,
  type BackendServicesOptions,
  createBackendServices,
} from "./operation/backend-services.ts";
import { createRequestChain, type SiteSource } from "./request-chain.ts";
import type { Config } from "./settings.ts";
import { siteSettings } from "./settings.ts";

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

/** Database, app, worker, listen. Rejects, with everything closed again, where one of them can't be had. */
export async function startServer(
  config: Config,
  log: Logger,
  openSite: (server: Server) => Promise<SiteSource>,
  limits: Pick<BackendServicesOptions, "outboxLimits" | "sendLimits" | "submissionLimits"> = {},
): Promise<RunningServer> {
  const server = createHttpServer();
  const counts = createCounts();
  const database = config.hostedBackend ? null : await openLoggedStore(config, log, counts);
  let site: SiteSource | null = null;
  let metrics: MetricsServer | null = null;
  let listener: HttpListener | null = null;
  const prepareBody: PreparedBodyOf = database
    ? createPreparedBodies(database.db, (err) =>
        log.warn({ err }, "A prepared issue could not be stored"),
      )
    : async (issue) => prepareIssueBody(issue.content_markdown);
  const { hostedBackend } = config;
  const archive = createArchive(
    hostedBackend
      ? archiveOfHostedProject(hostedBackend, { prepareBody })
      : archiveOfDatabase((database as OpenStore).db),
    prepareBody,
  );
  const isHostedReady = hostedBackend
    ? () =>
        archive.version().then(
          () => true,
          () => false,
        )
    : undefined;
  try {
    metrics = await openMetrics(config, counts, database, isHostedReady);
    site = await openSite(server);
    listener = await listen(server, config);
    const settings = siteSettings(config, listener.port);
    const formsFirst = watchForms();
    const shared = { config, settings, log, counts, formsFirst, archive };
    const backend = database && createBackendServices({ ...shared, database, ...limits });
    const answer = createRequestChain({
      ...shared,
      ...{ backend, isHostedReady, site },
    });
    listener.answerWith(site.wrap ? site.wrap(answer) : answer);
    const metricsPort = metrics?.port ?? null;
    const held = database && (await countHeld(database.db));
    const stop = stopOnce({ listener, backend, site, metrics });
    // Last, so that no start fails with deliveries under way.
    backend?.startWorker();
    return { settings, port: listener.port, metricsPort, database, held, stop };
  } catch (error) {
    if (listener) await listener.stop(0);
    else server.close();
    await metrics?.stop();
    await site?.close?.();
    await database?.close();
    throw error;
  }
}

async function openMetrics(
  { metricsAddress }: Config,
  counts: Counts,
  database: OpenDatabase | null,
  isBackendReady?: () => Promise<boolean>,
): Promise<MetricsServer | null> {
  if (!metricsAddress) return null;
  // Loaded only here: a server that nobody watches needs none of it in memory.
  const { createMetrics } = await import("./metrics/create-metrics.ts");
  return await startMetricsServer(
    metricsAddress,
    createMetrics({ counts, db: database?.db ?? null, isBackendReady }).read,
  );
}

async function openLoggedStore(config: Config, log: Logger, counts: Counts): Promise<OpenStore> {
  const store = await openStore(config, {
    onConnectionLost(error) {
      counts.connectionsLost += 1;
      log.warn({ err: error }, "A database connection was lost");
    },
    onQueryError() {
      counts.databaseErrors += 1;
    },
  });
  const { migrated, seeded } = store;
  if (migrated.length > 0) log.info({ migrated, starterIssues: seeded }, "Migrated the database");
  return store;
}

type Stoppable = {
  listener: HttpListener;
  backend: BackendServices | null;
  site: SiteSource;
  metrics: MetricsServer | null;
};

function stopOnce({ listener, backend, site, metrics }: Stoppable): () => Promise<void> {
  async function stop() {
    await Promise.all([
      site.close?.(),
      listener.stop(stopDeadlineMs),
      backend?.stopWorker(stopDeadlineMs),
    ]);
    await Promise.all([backend?.close(), metrics?.stop()]);
  }
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stop();
    return stopping;
  };
}
