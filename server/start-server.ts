import type { RequestListener, Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "pino";
import type { createSite } from "#app/site.ts";
import type { OpenDatabase } from "#backend/database/open-database.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { answerFromFiles } from "./answer-from-files.ts";
import { createApp } from "./app.ts";
import {
  type BackendServices,
  type BackendServicesOptions,
  createBackendServices,
} from "./backend-services.ts";
import type { Config } from "./config.ts";
import { createHttpServer, type HttpListener, listen } from "./listen.ts";
import { openStore } from "./open-store.ts";
import { answerFromCache } from "./page-cache/answer-from-cache.ts";
import { createPageCache } from "./page-cache/page-cache.ts";
import { siteSettings } from "./site-settings.ts";
import { readStaticFiles } from "./static-files.ts";

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
  /** Null with a hosted backend. */
  database: Pick<OpenDatabase, "kind" | "location"> | null;
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
  { outboxLimits }: Partial<Pick<BackendServicesOptions, "outboxLimits">> = {},
): Promise<RunningServer> {
  const server = createHttpServer();
  const database = config.hostedBackend ? null : await openLoggedStore(config, log);
  let site: SiteSource | null = null;
  try {
    site = await openSite(server);
    const listener = await listen(server, config);
    const settings = siteSettings(config, listener.port);
    const backend =
      database && createBackendServices({ config, settings, database, log, outboxLimits });
    const answer = answerWith({ config, settings, backend, site, log });
    listener.answerWith(site.wrap ? site.wrap(answer) : answer);
    backend?.startWorker();
    const stop = stopOnce({ listener, backend, site });
    return { settings, port: listener.port, database, stop };
  } catch (error) {
    await site?.close?.();
    await database?.close();
    throw error;
  }
}

async function openLoggedStore(config: Config, log: Logger): Promise<OpenDatabase> {
  const store = await openStore(config, {
    onConnectionLost: (error) => log.warn({ err: error }, "A database connection was lost"),
  });
  const { migrated, seeded } = store;
  if (migrated.length > 0) log.info({ migrated, starterIssues: seeded }, "Migrated the database");
  return store;
}

type Parts = {
  config: Config;
  settings: SiteSettings;
  backend: BackendServices | null;
  site: SiteSource;
  log: Logger;
};

function answerWith({ config, settings, backend, site, log }: Parts): RequestListener {
  const answerBackend =
    backend && (async (...asked: Parameters<typeof backend.answer>) => backend.answer(...asked));
  const app = createApp({
    settings,
    site: site.createSite({
      settings,
      backendFetch: answerBackend,
      reportError: (error, origin) =>
        log.error(
          { err: error, requestId: origin?.requestId },
          "A page could not be made as it should",
        ),
    }),
    backend: answerBackend,
    isReady: backend?.isReady ?? (async () => true),
    log,
    clientDirectory: site.clientDirectory,
    trustedProxies: config.trustedProxies,
  });
  const answer = getRequestListener((request, { incoming }) =>
    app.fetch(request, { socketAddress: incoming.socket.remoteAddress ?? null }),
  );
  // Pages are kept as bytes where they come from a build; while they are worked on, each is made anew.
  if (!site.clientDirectory) return answer;
  const render = async (key: string) => app.fetch(new Request(settings.url + key));
  const files = readStaticFiles(site.clientDirectory, settings);
  return answerFromFiles(files, answerFromCache(createPageCache({ render }), answer));
}

type Stoppable = { listener: HttpListener; backend: BackendServices | null; site: SiteSource };

function stopOnce({ listener, backend, site }: Stoppable): () => Promise<void> {
  async function stop() {
    await Promise.all([
      site.close?.(),
      listener.stop(stopDeadlineMs),
      backend?.stopWorker(stopDeadlineMs),
    ]);
    await backend?.close();
  }
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stop();
    return stopping;
  };
}
