import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { requestId } from "hono/request-id";
import type { Logger } from "pino";
import type { BoundedQueue } from "#api/bounded-queue.ts";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { AppEnv } from "./app-env.ts";
import { finishDocument } from "./document/finish-document.ts";
import { gzipped } from "./document/gzipped.ts";
import { newNonce } from "./document/nonce.ts";
import { plainAnswer } from "./document/plain-page.ts";
import { createStylesReader } from "./document/read-styles.ts";
import { headersOfFile } from "./document/security-headers.ts";
import { createClientAddressReader } from "./listening/client-address.ts";
import { accessLog } from "./log/access-log.ts";
import { tagsOf } from "./page-policy/cache-tags.ts";
import { aheadCaching, mustRevalidate, pageCaching } from "./page-policy/page-caching.ts";
import { isReadableForm } from "./page-policy/readable-form.ts";
import { backendRoots, isOfBackend } from "./page-policy/resolve-address.ts";
import { siteLimits } from "./page-policy/site-limits.ts";

export type AnswerRequest = (
  request: Request,
  origin: RequestOrigin,
) => Response | Promise<Response>;

export type AppOptions = {
  settings: SiteSettings;
  /** The website: every page and form. */
  site: AnswerRequest;
  /** The built-in backend; null where a hosted one takes its place. */
  backend: AnswerRequest | null;
  /** Whether the database answers, or the hosted project. */
  isReady: () => Promise<boolean>;
  log: Logger;
  /** The folder of the built site, whose styles go into its pages; null where pages come from sources. */
  clientDirectory: string | null;
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** The word that tags for a CDN's purging begin with; null: pages have none. */
  cacheTags?: string | null;
  /** Where what must be made waits for its turn. */
  queue: BoundedQueue;
};

/** The whole server as one `Request → Response` function: `app.fetch(request, { socketAddress })`. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { settings, backend, log } = options;
  const readClientAddress = createClientAddressReader(options.trustedProxies);
  const makePage = createPageMaker(options);
  const app = new Hono<AppEnv>();

  app.use(requestId({ headerName: "", generator: readRequestId }));
  app.use(async (c, next) => {
    const socketAddress = c.env?.socketAddress ?? null;
    const forwardedFor = c.req.header("X-Forwarded-For") ?? null;
    c.set("clientAddress", readClientAddress({ socketAddress, forwardedFor }));
    await next();
    // Again, since a whole answer that the site or the backend made doesn't carry what was set before it.
    c.res.headers.set("X-Request-Id", c.var.requestId);
    const headers = headersOfFile(settings, c.res.headers.get("Content-Type") ?? "");
    for (const [name, value] of headers) c.res.headers.set(name, value);
  });
  app.use(accessLog(log));

  app.get("/healthz", (c) => c.text("ok\n", 200, notStored));
  app.get("/readyz", async (c) =>
    (await options.isReady())
      ? c.text("ready\n", 200, notStored)
      : c.text(`The ${backend ? "database" : "backend"} does not answer.\n`, 503, notStored),
  );
  // Files are answered before this; an old page that asks for a replaced script gets no rendered page.
  if (options.clientDirectory) {
    app.all("/assets/*", (c) => c.text("There is no such file.\n", 404, notStored));
  }

  const answerBackend = (c: Context<AppEnv>) =>
    backend ? backend(c.req.raw, originOf(c)) : c.json(noSuchPath, 404, notStored);
  for (const root of backendRoots) app.all(`${root}*`, answerBackend);

  app.use(siteLimits(settings));
  app.all("*", async (c) => {
    if (c.env?.turn === "refused") return plainAnswer(settings, busyPage);
    const make = await makePage(c);
    if (c.env?.turn === "has come") return make();
    const isUrgent = c.req.method === "POST";
    const made = await options.queue.run(make, { from: c.var.clientAddress, isUrgent });
    return made.ok ? made.value : plainAnswer(settings, busyPage);
  });

  app.onError((error, c) => {
    // A visitor who has left gets no answer, and took nothing down.
    if (c.req.raw.signal.aborted) return new Response(null, { status: clientClosedRequest });
    const id = c.var.requestId;
    log.error({ err: error, requestId: id }, "A request failed");
    if (isOfBackend(c.req.path)) {
      return c.json({ ...internalError, details: `Request ${id}` }, 500, notStored);
    }
    return plainAnswer(settings, { ...brokenPage, requestId: id });
  });
  return app;
}

const notStored = { "Cache-Control": "no-store" };

/** As nginx has it in its log: nobody is there to read the answer. */
const clientClosedRequest = 499;

// PostgREST's words, since its clients read them. An answer that is no object, or no 404, would pass for success.
const noSuchPath = {
  code: "PGRST125",
  message: "Invalid path specified in request URL",
  details: null,
  hint: null,
};

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

/** When it is worth trying again: longer than the queue takes to empty, in seconds. */
const busyRetryAfterS = 5;

export const busyPage = {
  status: 503,
  title: "Very many visitors are here right now",
  text: "We could not get to this page just now. Please try again in a few seconds.",
  headers: { "Retry-After": String(busyRetryAfterS) },
};

const unreadableForm = {
  status: 400,
  title: "That form can't be read",
  text: "Please go back, and send the form from its page on this site.",
};

function originOf(c: Context<AppEnv>): RequestOrigin {
  const { clientAddress, requestId: id } = c.var;
  return { clientAddress, requestId: id, cutOff: c.env?.cutOff };
}

/** Gives a function that takes in what a request sends, and answers how to make its page when its turn has come. */
function createPageMaker({ settings, site, clientDirectory, log, cacheTags }: AppOptions) {
  const readStyles = clientDirectory ? createStylesReader(clientDirectory) : null;
  const logged = new Set<string>();
  // Once each: every page is of the same framework.
  const logUnexpected = (sentences: string[]) => {
    for (const sentence of sentences.filter((each) => !logged.has(each))) {
      logged.add(sentence);
      log.warn({ unexpected: sentence }, "The framework writes pages otherwise than expected");
    }
  };

  return async function takeIn(c: Context<AppEnv>): Promise<() => Promise<Response>> {
    const { address } = c.var;
    const request = await siteRequest(c);
    if (!request) return async () => plainAnswer(settings, unreadableForm);
    const isCached = c.env?.turn === "has come";
    const hasMissingPage = isCached && Boolean(address?.key?.whenMissing);
    return async function make() {
      if (request.signal.aborted) return new Response(null, { status: clientClosedRequest });
      const nonce = newNonce();
      const answer = await site(request, { ...originOf(c), nonce, hasMissingPage });
      const response = withCaching(c, answer);
      if (cacheTags && address) response.headers.set("Cache-Tag", tagsOf(address, cacheTags));
      if (!response.headers.get("Content-Type")?.startsWith("text/html")) return response;
      const showsIssueBody = address?.policy.showsIssueBody ?? false;
      const facts = { settings, nonce, showsIssueBody, readStyles };
      const { html, policy, unexpected } = finishDocument(await response.text(), facts);
      logUnexpected(unexpected);
      response.headers.set("Content-Security-Policy", policy);
      // The cache compresses for itself.
      if (isCached) return new Response(html, response);
      return await gzipped(html, response, c.req.header("Accept-Encoding"));
    };
  };
}

/**
 * What the site is asked with: for a page that may be cached nothing beside what it depends on, for a form the whole of
 * it, read before its turn; null where the form is none of the site's. A HEAD request has the headers of the GET answer,
 * so the page is made; the body is left out on the way.
 */
async function siteRequest(c: Context<AppEnv>): Promise<Request | null> {
  const { headers, signal, url, method } = c.req.raw;
  if (method === "POST") {
    const body = await c.req.raw.arrayBuffer();
    if (!(await isReadableForm(body, headers.get("Content-Type")))) return null;
    // Whose page sent it has been judged, by the host alone; the router would ask for our own scheme too, which a proxy
    // in front that ends TLS changes.
    const judged = new Headers(headers);
    judged.delete("Origin");
    return new Request(url, { method, headers: judged, signal, body });
  }
  const key = c.var.address?.key?.key;
  return new Request(key ? new URL(key, url) : url, { headers, signal });
}

function withCaching(c: Context<AppEnv>, response: Response): Response {
  const { address } = c.var;
  const copy = new Response(response.body, response);
  if (copy.status >= 500 || c.req.method === "POST") {
    copy.headers.set("Cache-Control", "no-store");
  } else if (!copy.headers.has("Cache-Control")) {
    const ahead = aheadCaching(address?.isData ?? false, c.req.header("Sec-Purpose"));
    const caching = copy.ok && address ? (ahead ?? pageCaching(address)) : mustRevalidate;
    copy.headers.set("Cache-Control", caching);
  }
  return copy;
}

/** What proxies make: a UUID, or as many hexadecimal digits. Anything else could be words of a visitor's. */
const handedOn = /^[0-9a-f-]{16,64}$/i;

/** The id that a proxy in front has given the request in `X-Request-Id`, or a new one. */
function readRequestId(c: Context): string {
  const given = c.req.header("X-Request-Id") ?? "";
  return handedOn.test(given) ? given : randomUUID();
}
