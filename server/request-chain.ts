import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import { hostedForms } from "#app/backend-client.ts";
import type { createSite } from "#app/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { createArchive } from "#newsletter/archive.ts";
import { busyPage, createApp } from "./app.ts";
import type { AppEnv } from "./app-env.ts";
import { plainParts } from "./document/plain-page.ts";
import { headersOfEveryAnswer } from "./document/security-headers.ts";
import { answerFromFiles } from "./files/answer-from-files.ts";
import { readStaticFiles } from "./files/static-files.ts";
import { createClientAddressReader } from "./listening/client-address.ts";
import { answerFairly, createFairScheduler } from "./listening/fair-scheduler.ts";
import type { FormsFirst } from "./listening/forms-first.ts";
import { refuseUnreadable } from "./listening/refuse-unreadable.ts";
import {
  type Counts,
  countAnswer,
  countedAtOnce,
  countedCache,
  requestKind,
} from "./metrics/counts.ts";
import type { BackendServices } from "./operation/backend-services.ts";
import { answerPages } from "./page-cache/answer-pages.ts";
import { createBusyAnswer } from "./page-cache/busy-answer.ts";
import { createPageCache, type RenderPage } from "./page-cache/page-cache.ts";
import { createRenderQueue } from "./page-cache/render-queue.ts";
import { isInMemory } from "./page-policy/resolve-address.ts";
import type { Config } from "./settings.ts";
import { answerVisits } from "./visits/answer-visits.ts";
import { createVisitNotes } from "./visits/count-visits.ts";

/** What makes the pages: the production build, or the sources with hot reload. */
export type SiteSource = {
  createSite: typeof createSite;
  /** The built files; null where `wrap` serves them. */
  clientDirectory: string | null;
  wrap?: (answer: RequestListener) => RequestListener;
  close?: () => Promise<void>;
};

type Parts = {
  config: Config;
  settings: SiteSettings;
  backend: BackendServices | null;
  archive: ReturnType<typeof createArchive>;
  /** Of a site without a backend of its own. */
  isHostedReady?: () => Promise<boolean>;
  site: SiteSource;
  log: Logger;
  counts: Counts;
  formsFirst: FormsFirst;
};

/**
 * What a request passes through: its turn on the one thread, the count of visits, files, pages as bytes, and the app. Put
 * together from the end, since each is given what comes after it.
 */
export function createRequestChain({
  config,
  settings,
  backend,
  archive,
  isHostedReady,
  site,
  log,
  counts,
  formsFirst,
}: Parts): RequestListener {
  const answerBackend =
    backend && (async (...asked: Parameters<typeof backend.answer>) => backend.answer(...asked));
  const queue = createRenderQueue({ letsOthersFirst: formsFirst.isFormUnderWay });
  const app = createApp({
    settings,
    site: site.createSite({
      settings,
      archive,
      formsFor(sender) {
        if (backend) return backend.formsFor(sender);
        if (settings.hostedBackend) return hostedForms(settings.hostedBackend, sender);
        throw new Error("No backend is configured for this site.");
      },
      reportError: (error, origin) =>
        log.error(
          { err: error, requestId: origin?.requestId },
          "A page could not be made as it should",
        ),
    }),
    backend: answerBackend,
    isReady: backend?.isReady ?? isHostedReady ?? (async () => true),
    log,
    clientDirectory: site.clientDirectory,
    trustedProxies: config.trustedProxies,
    cacheTags: config.cacheTags,
    queue,
  });
  const answer = getRequestListener(
    async (request, { incoming }) => {
      // Some hosts, such as numbers too large for an address, pass the adapter and are still none.
      if (!URL.canParse(request.url)) throw new RequestError("Invalid URL");
      const { socket } = incoming;
      const response = await app.fetch(request, {
        socketAddress: socket.remoteAddress ?? null,
        cutOff: () => void socket.destroy(),
      });
      countAnswer(counts, requestKind(incoming), response.status);
      return response;
    },
    // The name is for HTTP/1.0, which health checks of proxies still speak, and which needs no Host.
    { hostname: new URL(settings.url).host, errorHandler: refuseUnreadable(settings, log) },
  );
  const everyAnswer = headersOfEveryAnswer(settings);
  const notes =
    backend &&
    createVisitNotes({
      visits: backend.visits,
      host: new URL(settings.url).hostname,
      hasIssue: archive.has,
    });
  const withVisits = (next: RequestListener) =>
    formsFirst.watch(answerVisits({ notes, headersOfEveryAnswer: everyAnswer, next }));
  // Pages are kept as bytes where they come from a build; while they are worked on, each is made anew.
  if (!site.clientDirectory) return withVisits(answer);
  const render: RenderPage = async (page, asker, read) => {
    counts.renders += 1;
    const ask = async (turn: AppEnv["Bindings"]["turn"]) =>
      await app.fetch(new Request(settings.url + page.key), { turn });
    const made = await queue.run(async () => read(await ask("has come")), {
      from: asker,
      isUrgent: !page.varies,
    });
    return made.ok ? made.value : await read(await ask("refused"));
  };
  const readClientAddress = createClientAddressReader(config.trustedProxies);
  const readAsker = ({ socket, headers }: IncomingMessage) =>
    readClientAddress({
      socketAddress: socket.remoteAddress ?? null,
      forwardedFor: headers["x-forwarded-for"]?.toString() ?? null,
    });
  const pageCache = createPageCache({
    render,
    archiveVersion: archive.version,
    hasIssue: archive.has,
  });
  backend?.onArchiveChange(pageCache.archiveChanged);
  const pages = answerPages({
    cache: countedCache(counts, pageCache),
    headersOfEveryAnswer: everyAnswer,
    isBusyFor: queue.isFullFor,
    busyAnswer: createBusyAnswer(plainParts(settings, busyPage), everyAnswer),
    countVisit: notes?.countVisit ?? null,
    readAsker,
    next: answer,
  });
  const files = readStaticFiles(site.clientDirectory, settings);
  return answerFairly({
    scheduler: createFairScheduler(),
    readAsker,
    readServiceClass: ({ method, url = "/" }) => (isInMemory(method, url) ? "memory" : "made"),
    answer: withVisits(
      countedAtOnce(
        counts.fromMemory,
        answerFromFiles(files, countedAtOnce(counts.cachedPages, pages)),
      ),
    ),
  });
}
