import { isUtf8 } from "node:buffer";
import { randomBytes, randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { RequestOrigin, SiteSettings } from "#content/site-settings.ts";
import { errorCode } from "#db/describe-causes.ts";
import { missingPage } from "#pages.ts";
import type { LogoFile } from "#settings/setting-kinds.ts";
import { createClientAddressReader, createNetworkLimiter, letOthersIn } from "./api/limits.ts";
import { finishDocument, plainAnswer, securityHeaders } from "./document.ts";
import type { Metrics } from "./metrics.ts";
import {
  type AppEnv,
  cachingOf,
  formSize,
  isMailLink,
  mustRevalidate,
  type PageAddress,
  pageLimits,
  tagsOf,
  targetMaxLength,
} from "./page-address.ts";
import { answerWith, createPageCache, type PageCacheOptions } from "./page-cache.ts";
import { readFiles } from "./static-files.ts";

export type AnswerRequest = (
  request: Request,
  origin: RequestOrigin,
) => Response | Promise<Response>;

export type HttpOptions = {
  settings: SiteSettings;
  site: AnswerRequest;
  /** Null where pages come from sources, as for `styles`. */
  clientDirectory: string | null;
  styles: string | null;
  /** Prefix of the tags for a CDN's purging; null for none. */
  cacheTags: string | null;
  backend: AnswerRequest;
  isReady: () => Promise<boolean>;
  archiveVersion: PageCacheOptions["archiveVersion"];
  metrics: Metrics;
  log: Logger;
  trustedProxies: string[];
  logo?: LogoFile | null;
};

/** Uncached pages that one network, such as an office, may open. Forms have their own limits. */
const ownPagesPerNetwork = { count: 100, windowSeconds: 10 };

type Answer = (request: Request, connection: AppEnv["Bindings"]) => Response | Promise<Response>;

export function requestListener(
  answer: Answer,
  { settings, log }: Pick<HttpOptions, "settings" | "log">,
): RequestListener {
  return getRequestListener(
    (request, { incoming }) => {
      // The adapter lets some invalid hosts pass.
      if (!URL.canParse(request.url)) throw new RequestError("Invalid URL");
      return answer(request, { socketAddress: incoming.socket.remoteAddress ?? null });
    },
    {
      // For health checks by HTTP/1.0 without a Host.
      hostname: new URL(settings.url).host,
      errorHandler(error) {
        const headers = { ...securityHeaders(settings, null), ...notStored };
        if (error instanceof RequestError)
          return new Response("That address can't be read.\n", { status: 400, headers });
        log.error({ err: error }, "A request failed outside the app");
        return new Response("Something broke on our side.\n", { status: 500, headers });
      },
    },
  );
}

export function createHttp(options: HttpOptions): Answer {
  const { settings, site, backend, clientDirectory, styles, cacheTags } = options;
  const inTurn = createRenderQueue();
  const waitSecondsOf = createNetworkLimiter(ownPagesPerNetwork);
  const files = clientDirectory ? readFiles(clientDirectory, settings, options.logo) : null;
  const cache = createPageCache({ ...options, render: renderForEverybody });
  const app = new Hono<AppEnv>();

  app.use(everyAnswer(options));
  // HAProxy asks with OPTIONS.
  app.on(["GET", "OPTIONS"], "/healthz", (c) => answerHealth(c, "ok\n", 200));
  app.on(["GET", "OPTIONS"], "/readyz", answerReadiness);
  // A page of the previous build may ask for a deleted script.
  app.all("/assets/*", (c) => c.text("There is no such file.\n", 404, notStored));
  for (const root of backendRoots) app.all(`${root}*`, (c) => backend(c.req.raw, originOf(c)));
  app.use(pageLimits(settings));
  if (clientDirectory) app.get("*", pageFromCache);
  app.use(compress({ encoding: "gzip" }));
  app.use(formSize(settings));
  app.all("*", pageForOne);
  app.onError(answerFailure(options));
  return (request, connection) => answerFromMemory(request) ?? app.fetch(request, connection);

  function answerFromMemory(request: Request): Response | null {
    const { method, url } = request;
    if (!files || (method !== "GET" && method !== "HEAD")) return null;
    const target = url.slice(url.indexOf("/", "https://".length));
    if (target.length > targetMaxLength) return null;
    if (backendRoots.some((root) => target.startsWith(root))) return null;
    const file = files.get(target.replace(/\?.*$/, ""));
    if (file) return counted(answerWith(file, request), "file");
    const cached = cache.peek(target, request);
    return cached && counted(cached, "kept_page");
  }

  function counted(response: Response, kind: "file" | "kept_page"): Response {
    options.metrics.requests.inc({ kind, status: statusClass(response.status) });
    return response;
  }

  async function answerReadiness(c: Context<AppEnv>) {
    if (await options.isReady()) return answerHealth(c, "ready\n", 200);
    return answerHealth(c, "The database does not answer.\n", 503);
  }

  async function pageFromCache(c: Context<AppEnv>, next: () => Promise<void>) {
    const address = c.get("address");
    if (!address?.key) return await next();
    const { response, isHit } = await cache.answer(address, c.req.raw);
    c.set("isFromCache", isHit);
    return response;
  }

  function renderForEverybody(address: PageAddress): Promise<Response> {
    const request = new Request(settings.url + address.key);
    const hasMissingPage = address.ifMissing !== null;
    const make = () => makePage(request, address, { clientAddress: null, hasMissingPage });
    return inTurn(make, "pages");
  }

  async function pageForOne(c: Context<AppEnv>) {
    const address = c.get("address");
    if (!address) throw new Error("The page's address was not looked up.");
    const { headers, signal, url, method } = c.req.raw;
    let request = new Request(url, { headers, signal });
    if (method !== "POST") {
      const seconds = clientDirectory ? await waitSecondsOf(c.get("clientAddress")) : 0;
      if (seconds > 0) return plainAnswer(settings, tooManyPage(seconds));
    } else {
      // Before queueing, so that a slow sender holds no place.
      const body = await c.req.raw.arrayBuffer();
      // The router would compare the scheme, which a TLS proxy changes.
      const judged = new Headers(headers);
      judged.delete("Origin");
      // Some mail programs send no type, or a wrong one.
      if (isMailLink(address) && !judged.get("Content-Type")?.startsWith("multipart/"))
        judged.set("Content-Type", "application/x-www-form-urlencoded");
      if (!(await isForm(body, judged))) return plainAnswer(settings, unreadableForm);
      request = new Request(url, { method, headers: judged, signal, body });
    }
    const make = () => makePage(request, address, originOf(c));
    return await inTurn(make, method === "POST" ? "forms" : "pages");
  }

  async function makePage(request: Request, address: PageAddress, origin: RequestOrigin) {
    const nonce = randomBytes(16).toString("hex");
    const rendered = await site(request, { ...origin, nonce });
    const { status } = rendered;
    const headers = new Headers(rendered.headers);
    const isNeverCached = status >= 500 || request.method === "POST";
    if (isNeverCached) headers.set("Cache-Control", "no-store");
    else if (!headers.has("Cache-Control"))
      headers.set("Cache-Control", rendered.ok ? cachingOf(address) : mustRevalidate);
    if (cacheTags) headers.set("Cache-Tag", tagsOf(address, cacheTags));
    if (!headers.get("Content-Type")?.startsWith("text/html"))
      return new Response(rendered.body, { status, headers });
    const { showsIssueBody } = address.page;
    const facts = { settings, nonce, showsIssueBody, styles };
    const { html, policy } = finishDocument(await rendered.text(), facts);
    headers.set("Content-Security-Policy", policy);
    return new Response(html, { status, headers });
  }
}

/** Supabase's client needs a JSON 404 from missing services. */
const missingServices = ["/auth/", "/storage/", "/realtime/", "/graphql/"];
const backendRoots = ["/rest/", "/functions/", "/pictures/", ...missingServices];

const notStored = { "Cache-Control": "no-store" };

function answerHealth(c: Context<AppEnv>, text: string, status: 200 | 503) {
  if (c.req.method !== "OPTIONS") return c.text(text, status, notStored);
  const headers = { ...notStored, Allow: "GET, HEAD, OPTIONS" };
  return c.body(null, status === 200 ? 204 : status, headers);
}

/** Accepts UUIDs and hexadecimal digits alone; anything else could be a visitor's words. */
function readRequestId(c: Context): string {
  const given = c.req.header("X-Request-Id");
  return given && /^[0-9a-f-]{16,64}$/i.test(given) ? given : randomUUID();
}

/**
 * Names, counts and logs every answer that isn't from memory. Logs the route instead of the path,
 * and no query, address or user agent.
 */
function everyAnswer(options: HttpOptions): MiddlewareHandler<AppEnv> {
  const { settings, metrics, log } = options;
  const readClientAddress = createClientAddressReader(options.trustedProxies);
  return async (c, next) => {
    const startedAt = performance.now();
    const socketAddress = c.env?.socketAddress ?? null;
    const forwardedFor = c.req.header("X-Forwarded-For") ?? null;
    c.set("clientAddress", readClientAddress({ socketAddress, forwardedFor }));
    const requestId = readRequestId(c);
    c.set("requestId", requestId);
    await next();
    const { status, headers } = c.res;
    const isFromCache = c.get("isFromCache");
    const kind = isFromCache ? "kept_page" : kindOf(c);
    metrics.requests.inc({ kind, status: statusClass(status) });
    if (isFromCache) return;
    headers.set("X-Request-Id", requestId);
    const all = securityHeaders(settings, headers.get("Content-Type"));
    for (const [name, value] of Object.entries(all)) headers.set(name, value);
    const durationMs = Math.round(performance.now() - startedAt);
    const { method } = c.req;
    log.info({ requestId, method, route: routeOf(c), status, durationMs }, "Request");
  };
}

function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

function kindOf(c: Context<AppEnv>): string {
  const { path, method } = c.req;
  if (["/rest/", ...missingServices].some((root) => path.startsWith(root))) return "rest";
  if (path.startsWith("/functions/")) return "function";
  if (path === "/healthz" || path === "/readyz") return "health";
  return method === "POST" ? "form" : "page";
}

const namedFunction = /^\/functions\/v1\/(?:newsletter-signup|send-contact-email)$/;

function routeOf(c: Context<AppEnv>): string {
  const { path } = c.req;
  const page = c.get("address")?.page;
  if (page && page !== missingPage) return page.path;
  if (namedFunction.test(path) || path === "/healthz" || path === "/readyz") return path;
  const root = [...backendRoots, "/assets/"].find((start) => path.startsWith(start));
  return root ? `${root}*` : "(unknown)";
}

class Busy extends Error {}

/** Further pages are refused. More forms may wait, since they go first. */
const waitingMax = { pages: 48, forms: 192 };

function createRenderQueue() {
  // Rendering uses one thread; a second page runs while the first waits for data.
  const queue = new PQueue({ concurrency: 2 });
  return async (make: () => Promise<Response>, of: "pages" | "forms"): Promise<Response> => {
    if (queue.size >= waitingMax[of]) throw new Busy();
    const waiting = new AbortController();
    // A retrying proxy must wait longer (deploy/nginx/chalkline.conf).
    const timer = setTimeout(() => waiting.abort(new Busy()), 6_000);
    const begin = () => {
      clearTimeout(timer);
      return make().finally(letOthersIn);
    };
    return await queue.add(begin, { priority: of === "forms" ? 1 : 0, signal: waiting.signal });
  };
}

/** Other charsets would be stored with `\ufffd`. */
async function isForm(body: ArrayBuffer, headers: Headers): Promise<boolean> {
  const type = headers.get("Content-Type") ?? "";
  const isEncoded = type.startsWith("application/x-www-form-urlencoded");
  const bytes = isEncoded ? percentDecoded(Buffer.from(body)) : body;
  if (!isUtf8(new Uint8Array(bytes))) return false;
  const form = new Response(body, { headers: { "Content-Type": type } }).formData();
  return await form.then(() => true).catch(() => false);
}

function percentDecoded(body: Buffer): Buffer {
  const byteOf = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return Buffer.from(body.toString("latin1").replace(/%([0-9a-f]{2})/gi, byteOf), "latin1");
}

function originOf(c: Context<AppEnv>): RequestOrigin {
  return { clientAddress: c.get("clientAddress"), requestId: c.get("requestId") };
}

function answerFailure({ settings, log }: HttpOptions) {
  return (error: Error, c: Context<AppEnv>) => {
    if (error instanceof Busy) return plainAnswer(settings, busyPage);
    // The visitor has left. The status is nginx's.
    const isBrokenOff = error.message === "aborted" && errorCode(error) === "ECONNRESET";
    if (isBrokenOff || c.req.raw.signal.aborted) return new Response(null, { status: 499 });
    const id = c.get("requestId");
    log.error({ err: error, requestId: id }, "A request failed");
    if (backendRoots.some((root) => c.req.path.startsWith(root))) {
      return c.json({ ...internalError, details: `Request ${id}` }, 500, notStored);
    }
    return plainAnswer(settings, { ...brokenPage, requestId: id });
  };
}

// PostgREST's words; its clients take other answers for success.
const internalError = {
  code: "XX000",
  message: "The server failed to answer this request.",
  hint: null,
};

const brokenPage = {
  status: 500,
  title: "Something broke on our side",
  text: "We could not make this page. Nothing you did caused it. Try again in a minute.",
};

const busyPage = {
  status: 503,
  title: "Very many visitors are here right now",
  text: "We could not get to this page just now. Please try again in a few seconds.",
  headers: { "Retry-After": "5" },
};

const tooManyPage = (seconds: number) => ({
  ...busyPage,
  status: 429,
  title: "Very many pages were opened from your network",
  headers: { "Retry-After": String(seconds) },
});

const unreadableForm = {
  status: 400,
  title: "That form can't be read",
  text: "Please go back, and send the form from its page on this site.",
};
