import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { AppEnv } from "./app.ts";

/** Longest path in the log, in characters; none of the site's own comes near it. */
const pathMaxLength = 200;

/**
 * One line a request: which, how it ended, how long it took in milliseconds. No query string, address or user agent,
 * and no path that leads nowhere, which is whatever somebody typed, so that the log holds nothing about a person.
 */
export function accessLog(log: Logger): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    log.info(
      {
        requestId: c.var.requestId,
        method: c.req.method,
        path: c.res.status === 404 ? undefined : c.req.path.slice(0, pathMaxLength),
        status: c.res.status,
        durationMs: Math.round(performance.now() - startedAt),
      },
      "Request",
    );
  };
}
