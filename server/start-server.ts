import { existsSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import type { SiteServices } from "#contracts/ports.ts";
import type { RecurringWork } from "#db/recurring-work.ts";
import { rememberWording } from "#newsletter/subscribe.ts";
import { type OpenStore, openStore } from "#operator/open-store.ts";
import { readSiteWords, watchSiteWords } from "#operator/site-words.ts";
import { countQuarantined } from "#operator/stored-counts.ts";
import { type Config, projectRoot, siteSettings } from "#settings/settings.ts";
import { createBackendServices, type ServerLimits } from "./backend-services.ts";
import { type AnswerRequest, createHttp } from "./http.ts";
import { createHttpServer, listen, requestListener, stopListening } from "./listen.ts";
import { addReadings, createMetrics, startMetricsServer } from "./metrics.ts";

/** The site as a function: the production build, or the sources with hot reload. */
export type SiteSource = {
  createSite: (services: SiteServices) => AnswerRequest;
  /** The site's stylesheet; absent where `wrap` serves it. */
  styles?: string;
  /** The built files; null where `wrap` serves them. */
  clientDirectory: string | null;
  wrap?: (answer: RequestListener) => RequestListener;
  close?: () => Promise<void>;
};

/** Loads the site that `npm run build` made. Rejects if there is none. */
export async function openBuiltSite(): Promise<SiteSource> {
  const folder = path.join(projectRoot, "build");
  const serverBuild = path.join(folder, "server", "index.js");
  if (!existsSync(serverBuild)) {
    throw new Error("The site is not built yet: run `npm run build`, or `npm start`, which does.");
  }
  const { createSite, styles }: Pick<SiteSource, "createSite" | "styles"> = await import(
    pathToFileURL(serverBuild).href
  );
  return { createSite, styles, clientDirectory: path.join(folder, "client") };
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Process supervisors kill after ten seconds. */
const stopDeadlineMs = 8_000;

/** Opens everything, from the database to the port. If a part can't be opened, closes the others and rejects. */
export async function startServer(
  config: Config,
  log: Logger,
  openSite: (server: Server) => Promise<SiteSource>,
  limits: ServerLimits = {},
) {
  const server = createHttpServer();
  const metrics = createMetrics();
  let database: OpenStore | null = null;
  let metricsServer: Awaited<ReturnType<typeof startMetricsServer>> | null = null;
  let site: SiteSource | null = null;
  let backend: ReturnType<typeof createBackendServices> | null = null;
  let words: RecurringWork | null = null;

  async function stop() {
    await Promise.all([
      site?.close?.(),
      words?.stop(),
      stopListening(server, stopDeadlineMs),
      backend?.stopWork(stopDeadlineMs),
    ]);
    await Promise.all([(backend ?? database)?.close(), metricsServer?.stop()]);
  }

  try {
    const hosted = await openHostedBackend(config);
    if (!hosted) {
      database = await openStore(config, {
        onConnectionLost: (err) => log.warn({ err }, "A database connection was lost"),
        onQueryError: () => metrics.databaseErrors.inc(),
      });
      const { migrated, seeded, unprepared } = database;
      if (migrated.length > 0) {
        log.info({ migrated, starterIssues: seeded }, "Migrated the database");
      }
      for (const err of unprepared) log.error({ err }, "An issue could not be prepared");
    }
    const quarantined = database && (await countQuarantined(database.db));
    const ownWords = database && (await readSiteWords(database.db));
    if (database) {
      const words = ownWords ?? undefined;
      await rememberWording(database.db, { ...siteSettings(config), words });
    }
    if (config.metricsAddress) {
      metricsServer = await startMetricsServer(config.metricsAddress, metrics.registry);
    }
    site = await openSite(server);
    // From here to the first request that can be answered, nothing is awaited.
    const port = await listen(server, config);

    const settings = { ...siteSettings(config, port), ...(ownWords && { words: ownWords }) };
    if (database) {
      const { db } = database;
      words = watchSiteWords(db, settings, {
        changed(changed) {
          log.info({ changed }, "The site's own words have changed");
          return rememberWording(db, settings);
        },
        leftOut: (fault) => log.error(fault),
      });
      backend = createBackendServices({ config, settings, log, metrics, database, ...limits });
    }
    const source = backend ?? hosted;
    if (!source) throw new Error("No backend is configured for this site.");
    const { archive, formsFor, isReady } = source;
    addReadings(metrics.registry, {
      db: database?.db ?? null,
      isBackendReady: isReady,
      lastDeletionAt: backend?.lastDeletionAt ?? (() => null),
    });
    const answer = createHttp({
      settings,
      site: site.createSite({
        settings,
        archive,
        formsFor,
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
      styles: site.styles ?? null,
      trustedProxies: config.trustedProxies,
      cacheTags: config.siteCacheTags,
      logo: config.siteLogo,
    });
    const listener = requestListener(answer, settings, log);
    server.on("request", site.wrap ? site.wrap(listener) : listener);
    // Last, so that a start that fails has no deliveries under way.
    backend?.startWork();
    words?.start();

    let stopping: Promise<void> | undefined;
    return {
      settings,
      port,
      /** The port of the metrics for Prometheus; null if they are off. */
      metricsPort: metricsServer?.port ?? null,
      /** Null with a hosted backend. */
      database,
      /** How much was quarantined at the start; null with a hosted backend. */
      quarantined,
      /** Finishes what is under way and closes everything; a second call waits for the first. */
      stop(): Promise<void> {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openHostedBackend(config: Config) {
  const { hostedBackend } = siteSettings(config);
  if (!hostedBackend) return null;
  const { openHostedProject } = await import("./hosted-archive.ts");
  return openHostedProject(hostedBackend);
}
