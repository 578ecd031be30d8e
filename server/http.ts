import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { BlockList, isIP } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { routePath } from "hono/route";
import type { Logger } from "pino";
import { issueThatLedTo } from "#content/issue-links.ts";
import type { RequestOrigin, SiteSettings } from "#content/site-settings.ts";
import { errorCode } from "#db/describe-causes.ts";
import { missingPage } from "#pages.ts";
import type { LogoFile } from "#settings/setting-kinds.ts";
import { mayBeCounted } from "./api/functions.ts";
import { createNetworkLimiter } from "./api/limits.ts";
import { plainAnswer, securityHeaders } from "./document.ts";
import {
  type AppEnv,
  formSize,
  isMailLink,
  mustRevalidate,
  type PageAddress,
  pageLimits,
} from "./page-address.ts";
import {
  answerWith,
  Busy,
  createDocuments,
  createPageCache,
  type PageCacheOptions,
} from "./page-cache.ts";
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
  backend: AnswerRequest;
  isReady: () => Promise<boolean>;
  /** An issue's link led somebody to a page. */
  noteVisit?: (issueId: number) => void;
  archiveVersion: PageCacheOptions["archiveVersion"];
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
        const headers = { ...securityHeaders(settings), ...notStored };
        if (error instanceof RequestError)
          return new Response("That address can't be read.\n", { status: 400, headers });
        log.error({ err: error }, "A request failed outside the app");
        return new Response("Something broke on our side.\n", { status: 500, headers });
      },
    },
  );
}

export function createHttp(options: HttpOptions): Answer {
  const { settings, backend, clientDirectory } = options;
  const waitSecondsOf = createNetworkLimiter(ownPagesPerNetwork);
  const files = clientDirectory ? readFiles(clientDirectory, settings, options.logo) : null;
  const documents = createDocuments(options);
  const cache = createPageCache({ ...options, makeDocument: documents.makeForEverybody });
  const app = new Hono<AppEnv>();

  app.use(everyAnswer(options));
  app.get("/healthz", (c) => c.text("ok\n", 200, notStored));
  app.get("/readyz", async (c) =>
    (await options.isReady())
      ? c.text("ready\n", 200, notStored)
      : c.text("The database does not answer.\n", 503, notStored),
  );
  // A page of the previous build may ask for a deleted script.
  app.all("/assets/*", (c) => c.text("There is no such file.\n", 404, notStored));
  for (const root of backendRoots) app.all(`${root}*`, (c) => backend(c.req.raw, originOf(c)));
  app.use(pageLimits(settings));
  app.use(compress({ encoding: "gzip" }));
  app.use(formSize(settings));
  app.all("*", answerPage);
  app.onError(answerFailure(options));
  return (request, connection) => answerFromMemory(request) ?? app.fetch(request, connection);

  function answerFromMemory(request: Request): Response | null {
    const { method, url } = request;
    if (!files || (method !== "GET" && method !== "HEAD")) return null;
    const target = url.slice(url.indexOf("/", "https://".length));
    if (backendRoots.some((root) => target.startsWith(root))) return null;
    const file = files.get(target.replace(/\?.*$/, ""));
    return file ? answerWith(file, request) : cache.peek(target, request);
  }

  async function answerPage(c: Context<AppEnv>): Promise<Response> {
    const address = c.get("address");
    if (!address) throw new Error("The page's address was not looked up.");
    if (c.req.method === "POST") return await answerForm(c, address);
    const issueId = isVisit(c.req.raw) ? issueThatLedTo(new URL(c.req.url).search) : null;
    if (issueId !== null) options.noteVisit?.(issueId);
    if (address.key && clientDirectory) {
      const { response, isHit } = await cache.answer(address, c.req.raw);
      // A CDN would keep the next visit from being counted.
      if (issueId !== null) response.headers.set("Cache-Control", mustRevalidate);
      c.set("isFromCache", isHit);
      return response;
    }
    const seconds = clientDirectory ? waitSecondsOf(c.get("clientAddress")) : 0;
    if (seconds > 0) return plainAnswer(settings, tooManyPage(seconds));
    const { url, headers, signal } = c.req.raw;
    return await documents.make(new Request(url, { headers, signal }), address, originOf(c));
  }

  async function answerForm(c: Context<AppEnv>, address: PageAddress): Promise<Response> {
    const { url, method, headers, signal } = c.req.raw;
    // Before queueing, so that a slow sender holds no place.
    const body = await c.req.raw.arrayBuffer();
    // The router would compare the scheme, which a TLS proxy changes.
    const judged = new Headers(headers);
    judged.delete("Origin");
    // Some mail programs send no type, or a wrong one.
    if (isMailLink(address) && !judged.get("Content-Type")?.startsWith("multipart/"))
      judged.set("Content-Type", "application/x-www-form-urlencoded");
    if (!(await isForm(body, judged))) return plainAnswer(settings, unreadableForm);
    const request = new Request(url, { method, headers: judged, signal, body });
    return await documents.make(request, address, originOf(c));
  }
}

/** Somebody opens a page in a browser, and doesn't ask not to be tracked. Prefetches and most programs say otherwise. */
function isVisit({ method, headers }: Request): boolean {
  const isOpened = method === "GET" && headers.get("Sec-Fetch-Dest") === "document";
  return isOpened && !headers.has("Sec-Purpose") && mayBeCounted(headers);
}

/** Supabase's client needs a JSON 404 from missing services. */
const missingServices = ["/auth/", "/storage/", "/realtime/", "/graphql/"];
const backendRoots = ["/rest/", "/functions/", "/pictures/", ...missingServices];

const notStored = { "Cache-Control": "no-store" };

/** Logs every answer that isn't from memory by its route, and with no path, query, address or user agent. */
function everyAnswer(options: HttpOptions): MiddlewareHandler<AppEnv> {
  const { settings, log } = options;
  const readClientAddress = createClientAddressReader(options.trustedProxies);
  const fixed = Object.entries(securityHeaders(settings));
  return async (c, next) => {
    const startedAt = performance.now();
    const socketAddress = c.env?.socketAddress ?? null;
    const forwardedFor = c.req.header("X-Forwarded-For") ?? null;
    c.set("clientAddress", readClientAddress({ socketAddress, forwardedFor }));
    // UUIDs and hexadecimal digits alone: anything else could be a visitor's words.
    const given = c.req.header("X-Request-Id") ?? "";
    const requestId = /^[0-9a-f-]{16,64}$/i.test(given) ? given : randomUUID();
    c.set("requestId", requestId);
    await next();
    const { status, headers } = c.res;
    if (c.get("isFromCache")) return;
    headers.set("X-Request-Id", requestId);
    for (const [name, value] of fixed) if (!headers.has(name)) headers.set(name, value);
    const durationMs = Math.round(performance.now() - startedAt);
    const { method } = c.req;
    const page = c.get("address")?.page;
    const route = page && page !== missingPage ? page.path : routePath(c);
    log.info({ requestId, method, route, status, durationMs }, "Request");
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

const forwardedHopsMax = 20;

type Hops = { socketAddress: string | null; forwardedFor: string | null };

/** X-Forwarded-For's rightmost address that isn't a trusted proxy's; visitors can invent those before it. */
export function createClientAddressReader(trustedProxies: string[]) {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", bits] = entry.split("/");
    if (bits === undefined) trusted.addAddress(address, family(address));
    else trusted.addSubnet(address, Number(bits), family(address));
  }
  const isTrusted = (address: string) => trusted.check(address, family(address));

  return ({ socketAddress, forwardedFor }: Hops): string | null => {
    let client = plainAddress(socketAddress ?? "");
    const hops = (forwardedFor ?? "").split(",").slice(-forwardedHopsMax);
    while (client !== null && isTrusted(client)) {
      const previous = plainAddress(hops.pop() ?? "");
      if (previous === null) break;
      client = previous;
    }
    return client;
  };
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Without port, brackets, zone or IPv4-mapped prefix; null if malformed. */
function plainAddress(text: string): string | null {
  const address = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
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
