import type { Context, MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { missingPage } from "#contracts/page-policy.ts";
import type { AppEnv } from "../app-env.ts";

/** Paths that aren't pages, and how the log names them. */
const otherRoutes: [start: string, route: string][] = [
  ["/rest/", "/rest/*"],
  ["/functions/v1/newsletter-signup", "/functions/v1/newsletter-signup"],
  ["/functions/v1/send-contact-email", "/functions/v1/send-contact-email"],
  ["/functions/", "/functions/*"],
  ["/pictures/", "/pictures/*"],
  ["/assets/", "/assets/*"],
  ["/healthz", "/healthz"],
  ["/readyz", "/readyz"],
];

/**
 * One line a request: which, how it ended, how long it took in milliseconds. No query string, address or user agent,
 * and of the path the route alone that it leads to, since whatever somebody typed can hold a name.
 */
export function accessLog(log: Logger): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    log.info(
      {
        requestId: c.var.requestId,
        method: c.req.method,
        route: routeOf(c),
        status: c.res.status,
        durationMs: Math.round(performance.now() - startedAt),
      },
      "Request",
    );
  };
}

function routeOf(c: Context<AppEnv>): string {
  const page = c.var.address?.policy.path;
  if (page && page !== missingPage.path) return page;
  return otherRoutes.find(([start]) => c.req.path.startsWith(start))?.[1] ?? "(unknown)";
}
