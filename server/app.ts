import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { type RequestIdVariables, requestId } from "hono/request-id";
import type { Logger } from "pino";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { accessLog } from "./access-log.ts";
import { createClientAddressReader } from "./client-address.ts";
import { inlineStyles } from "./inline-styles.ts";
import { lateScripts } from "./late-scripts.ts";
import { askedAgain, pageCaching } from "./page-caching.ts";
import { plainPage } from "./plain-page.ts";
import { readRequestId } from "./read-request-id.ts";
import { withReadableId } from "./readable-address.ts";
import { securityHeaders } from "./security-headers.ts";
import { siteLimits } from "./site-limits.ts";

/** What the shell tells of a request beside the request itself. */
export type RequestOrigin = {
  clientAddress: string | null;
  /** Ties the lines of the log together that one request leaves. */
  requestId?: string;
  /** Put on scripts and styles that a page's own code writes into it: those alone may run there. */
  inlineMark?: string;
};

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
  /** Whether the database answers. */
  isReady: () => Promise<boolean>;
  log: Logger;
  /** The folder of the built site, whose styles go into its pages; null where pages come from sources. */
  clientDirectory: string | null;
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  trustedProxies: string[];
};

export type AppEnv = {
  /** The other end of the connection. */
  Bindings: { socketAddress?: string | null };
  Variables: RequestIdVariables & Pick<RequestOrigin, "clientAddress"> & { inlineMark: string };
};

/** The whole server as one `Request → Response` function: `app.fetch(request, { socketAddress })`. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { settings, site, backend, log } = options;
  const readClientAddress = createClientAddressReader(options.trustedProxies);
  const app = new Hono<AppEnv>();

  app.use(requestId({ headerName: "", generator: readRequestId }));
  app.use(async (c, next) => {
    const socketAddress = c.env?.socketAddress ?? null;
    const forwardedFor = c.req.header("X-Forwarded-For") ?? null;
    c.set("clientAddress", readClientAddress({ socketAddress, forwardedFor }));
    await next();
    // Again, since a whole answer that the site or the backend made doesn't carry what was set before it.
    c.res.headers.set("X-Request-Id", c.var.requestId);
  });
  app.use(accessLog(log));
  app.use(compress());
  app.use(securityHeaders({ settings, stylesComeByScript: !options.clientDirectory }));
  if (options.clientDirectory) app.use(inlineStyles(options.clientDirectory), lateScripts());

  app.get("/healthz", (c) => c.text("ok\n", 200, notStored));
  app.get("/readyz", async (c) =>
    (await options.isReady())
      ? c.text("ready\n", 200, notStored)
      : c.text("The database does not answer.\n", 503, notStored),
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
    const origin = { ...originOf(c), inlineMark: c.var.inlineMark };
    return withCaching(c, await site(withReadableId(asGet(c.req.raw)), origin));
  });

  app.onError((error, c) => {
    const id = c.var.requestId;
    log.error({ err: error, requestId: id, path: c.req.path }, "A request failed");
    if (backendRoots.some((root) => c.req.path.startsWith(root))) {
      return c.json({ ...internalError, details: `Request ${id}` }, 500, notStored);
    }
    const page = { ...brokenPage, mark: c.var.inlineMark, requestId: id };
    return c.html(plainPage(settings, page), 500, notStored);
  });
  return app;
}

const backendRoots = ["/rest/", "/functions/"];

const notStored = { "Cache-Control": "no-store" };

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
  title: "Something broke on our side",
  text: "The page could not be made. Nothing you did caused it. Try again in a minute.",
};

function originOf(c: Context<AppEnv>): RequestOrigin {
  const { clientAddress, requestId: id } = c.var;
  return { clientAddress, requestId: id };
}

/** A HEAD request has the headers of the GET answer, so the page is made; the body is left out on the way. */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}

function targetOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}

function withCaching(c: Context<AppEnv>, response: Response): Response {
  const copy = new Response(response.body, response);
  if (copy.status >= 500 || c.req.method === "POST") {
    copy.headers.set("Cache-Control", "no-store");
  } else if (!copy.headers.has("Cache-Control")) {
    const caching = pageCaching(targetOf(c.req.raw), c.req.header("Sec-Purpose"));
    copy.headers.set("Cache-Control", copy.ok ? caching : askedAgain);
  }
  return copy;
}
