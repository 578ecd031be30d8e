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
import { forgetDeletedPages } from "#newsletter/subscribers/person.ts";
import { rememberWording } from "#newsletter/subscribers/subscribe.ts";
import { readOwnersSettings, watchOwnersSettings } from "#settings/owner-settings.ts";
import { type Config, projectRoot, siteSettings } from "#settings/settings.ts";
import { readSiteWords, watchSiteWords } from "#settings/site-words.ts";
import { createBackendServices, type ServerLimits } from "./backend-services.ts";
import { type AnswerRequest, createHttp, requestListener } from "./http.ts";
import { createHttpServer, listen, stopListening } from "./listen.ts";

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
  let database: OpenStore | null = null;
  let site: SiteSource | null = null;
  let backend: ReturnType<typeof createBackendServices> | null = null;
  let restores: RecurringWork | null = null;
  const looks: RecurringWork[] = [];
  const place = { ...config, environment };

  async function stop() {
    await restores?.stop();
    await Promise.all([
      ...looks.map((look) => look.stop()),
      site?.close?.(),
      stopListening(server, stopDeadlineMs),
      backend?.stopWork(stopDeadlineMs),
    ]);
    backend?.close();
    await database?.close();
  }

  try {
    const options = {
      onConnectionLost: (err: Error) => log.warn({ err }, "A database connection was lost"),
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
    const ownWords = await readSiteWords(db);
    await rememberWording(db, { ...siteSettings(config), words: ownWords });
    site = await openSite(server);
    // Nothing is awaited until the first request can be answered.
    const port = await listen(server, config);

    const lookReport = (what: string) => ({
      failed: (err: unknown) => log.warn({ err }, `${what} can't be read, and stay as they were`),
    });
    const settings = { ...siteSettings(config, port), ...(ownWords && { words: ownWords }) };
    const words = watchSiteWords(db, settings, {
      changed(changed) {
        log.info({ changed }, "The site's own words have changed");
        return rememberWording(db, settings);
      },
      ...lookReport("The site's own words"),
    });
    looks.push(words);
    if (environment && set) {
      const kept = { ...set, config, settings, port };
      const owners = watchOwnersSettings(db, environment, kept, {
        async changed() {
          log.info("The owner has changed the settings");
          await rememberWording(db, settings);
          await assembleAnew();
        },
        ...lookReport("The owner's settings"),
      });
      looks.push(owners);
    }
    const { clientDirectory, styles = null, createSite, wrap = (listener) => listener } = site;
    let listener: RequestListener = () => {};
    let isClosed = isToDo(asked);
    server.on("request", (request, response) => listener(request, response));

    function assemble() {
      const made = createBackendServices({
        config,
        settings,
        log,
        database: open,
        environment,
        isClosed: () => isClosed,
        ...limits,
      });
      backend = made;
      const { archive, formsFor } = made;
      const reportError: SiteServices["reportError"] = (err, origin) =>
        log.error({ err, requestId: origin?.requestId }, "A page could not be made");
      const answer = createHttp({
        ...made,
        settings,
        site: createSite({ settings, archive, formsFor, reportError }),
        archiveVersion: archive.version,
        log,
        clientDirectory,
        styles,
        trustedProxies: config.trustedProxies,
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
    if (!isClosed) begun.startWork();
    restores.start();
    for (const look of looks) look.start();

    return {
      settings,
      port,
      set: set ?? null,
      database: open,
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
