import { existsSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import type { SiteServices } from "#app/ports.ts";
import { migrateToLatest } from "#db/migrate.ts";
import { createRecurringWork, type RecurringWork } from "#db/recurring-work.ts";
import { finishRestore, isToDo, readRestore, replaceByBackup } from "#db/restore.ts";
import { type OpenStore, openStore } from "#newsletter/open-store.ts";
import { carryOverSince } from "#newsletter/since-backup.ts";
import { forgetDeletedPages } from "#newsletter/subscribers/privacy.ts";
import { rememberWording } from "#newsletter/subscribers/subscribe.ts";
import { readOwnersSettings, watchOwnersSettings } from "#settings/owner-settings.ts";
import { type Config, projectRoot, siteSettings } from "#settings/settings.ts";
import { readSiteWords, watchSiteWords } from "#settings/site-words.ts";
import { createBackendServices, type ServerLimits } from "./backend-services.ts";
import { countQuarantined } from "./health/stored-counts.ts";
import { type AnswerRequest, createHttp, requestListener } from "./http.ts";
import { createHttpServer, listen, oneAtATime, stopListening } from "./listen.ts";
import { addReadings, createMetrics, startMetricsServer } from "./metrics.ts";

export type SiteSource = {
  createSite: (services: SiteServices, options?: { isPreview?: boolean }) => AnswerRequest;
  styles?: string;
  clientDirectory: string | null;
  wrap?: (answer: RequestListener) => RequestListener;
  close?: () => Promise<void>;
};

/** Rejects if there is none. */
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

/** Supervisors kill after ten seconds. */
const stopDeadlineMs = 8_000;

/** Opens everything; on a failure closes the rest and rejects. */
export async function startServer(
  config: Config,
  log: Logger,
  openSite: (server: Server) => Promise<SiteSource>,
  {
    environment,
    ...limits
  }: ServerLimits & { environment?: Record<string, string | undefined> } = {},
) {
  const server = createHttpServer();
  const metrics = createMetrics();
  let database: OpenStore | null = null;
  let metricsServer: Awaited<ReturnType<typeof startMetricsServer>> | null = null;
  let site: SiteSource | null = null;
  let backend: ReturnType<typeof createBackendServices> | null = null;
  let words: RecurringWork | null = null;
  let owners: RecurringWork | null = null;
  let restores: RecurringWork | null = null;
  const place = { ...config, environment };

  async function stop() {
    await restores?.stop();
    await Promise.all([
      site?.close?.(),
      words?.stop(),
      owners?.stop(),
      stopListening(server, stopDeadlineMs),
      backend?.stopWork(stopDeadlineMs),
    ]);
    backend?.close();
    await Promise.all([database?.close(), metricsServer?.stop()]);
  }

  try {
    const options = {
      onConnectionLost: (err: Error) => log.warn({ err }, "A database connection was lost"),
      onQueryError: () => metrics.databaseErrors.inc(),
    };
    const asked = await readRestore(place);
    const open = await openStore(config, options).catch(async (error) => {
      if (!isToDo(asked) || !(await replaceByBackup(place, asked))) throw error;
      return await openStore(config, options);
    });
    database = open;
    const { db, migrated, seeded } = open;
    if (migrated.length > 0) {
      log.info({ migrated, starterIssues: seeded }, "Migrated the database");
    }
    const set = environment && (await readOwnersSettings(db, environment));
    if (set) Object.assign(config, set.config);
    if (set?.fault) log.error(set.fault);
    const quarantined = await countQuarantined(db);
    const ownWords = await readSiteWords(db);
    await rememberWording(db, { ...siteSettings(config), words: ownWords });
    if (config.metricsAddress) {
      metricsServer = await startMetricsServer(config.metricsAddress, metrics.registry);
    }
    site = await openSite(server);
    // Nothing is awaited until the first request can be answered.
    const port = await listen(server, config);

    const lookReport = (what: string) => ({
      leftOut: (fault: string) => log.error(fault),
      failed: (err: unknown) => log.warn({ err }, `${what} can't be read, and stay as they were`),
      recovered: () => log.info(`${what} can be read again`),
    });
    const settings = { ...siteSettings(config, port), ...(ownWords && { words: ownWords }) };
    words = watchSiteWords(db, settings, {
      changed(changed) {
        log.info({ changed }, "The site's own words have changed");
        return rememberWording(db, settings);
      },
      ...lookReport("The site's own words"),
    });
    if (environment && set) {
      const kept = { ...set, config, settings, port };
      owners = watchOwnersSettings(db, environment, kept, {
        async changed() {
          log.info("The owner has changed the settings");
          await rememberWording(db, settings);
          await assembleAnew();
        },
        ...lookReport("The owner's settings"),
      });
    }
    const { clientDirectory, styles = null, createSite, wrap = (listener) => listener } = site;
    let listener: RequestListener = () => {};
    let isClosed = isToDo(asked);
    server.on(
      "request",
      oneAtATime((request, response) => listener(request, response)),
    );

    function assemble() {
      const made = createBackendServices({
        config,
        settings,
        log,
        metrics,
        database: open,
        environment,
        isClosed: () => isClosed,
        ...limits,
      });
      backend = made;
      const { archive, formsFor, isReady } = made;
      const answer = createHttp({
        settings,
        site: createSite({
          settings,
          archive,
          formsFor,
          reportError: (err, origin) =>
            log.error({ err, requestId: origin?.requestId }, "A page could not be made"),
        }),
        backend: made.answer,
        isReady,
        archiveVersion: archive.version,
        metrics,
        log,
        clientDirectory,
        styles,
        trustedProxies: config.trustedProxies,
        cacheTags: config.siteCacheTags,
        logo: config.siteLogo,
      });
      listener = wrap(requestListener(answer, { settings, log }));
      return made;
    }

    /** Deliveries under way keep their settings. */
    async function assembleAnew(): Promise<void> {
      const former = backend;
      const fresh = assemble();
      await former?.stopWork(stopDeadlineMs);
      if (!stopping && !isClosed) fresh.startWork();
      former?.close();
    }

    /** Throws where the database can't be reached; the site then stays closed. */
    async function restoreIfAsked(signal: AbortSignal): Promise<void> {
      const restore = await readRestore(place);
      if (!isToDo(restore)) return;
      isClosed = true;
      log.info({ backup: restore.name }, "The site closes to restore a backup");
      await backend?.stopWork(stopDeadlineMs);
      if (await replaceByBackup(place, restore, signal)) {
        await migrateToLatest(open);
        await finishRestore(open, place, restore, (trx) => carryOverSince(trx, new Date()));
        await forgetDeletedPages(db);
      }
      const { problem, before, unread } = (await readRestore(place)) ?? {};
      log[problem ? "error" : "info"]({ problem, before, unread }, "The site opens again");
      isClosed = false;
      await assembleAnew();
    }

    restores = createRecurringWork(async (signal) => {
      await restoreIfAsked(signal).catch((err) => {
        if (!signal.aborted) log.error({ err }, "The restore goes on in a second");
      });
      return 1_000;
    });

    let stopping: Promise<void> | undefined;
    const begun = assemble();
    addReadings(metrics.registry, {
      db,
      dataDir: config.dataDir,
      lastDeletionAt: () => backend?.lastDeletionAt() ?? null,
    });
    if (!isClosed) begun.startWork();
    restores.start();
    words.start();
    owners?.start();

    return {
      settings,
      port,
      metricsPort: metricsServer?.port ?? null,
      unset: set?.unset ?? null,
      database: open,
      quarantined,
      /** A second call waits for the first. */
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
