import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { securityHeaders } from "./document.ts";
import type { Answer } from "./http.ts";
import { formMaxBytes } from "./page-address.ts";

/** Node's own limits on slow and many clients, under its names; times in milliseconds. */
export function createHttpServer(): Server {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2_000,
    // Longer than the minute for which proxies keep a connection, so that they and not we close it.
    keepAliveTimeout: 65_000,
  });
  // Without any byte in either direction.
  server.timeout = 60_000;
  server.maxHeadersCount = 100;
  server.maxConnections = 4_000;
  // nginx's default.
  server.maxRequestsPerSocket = 1_000;
  // A body that will be refused isn't asked for.
  server.on("checkContinue", (request, response) => {
    if (Number(request.headers["content-length"] ?? 0) <= formMaxBytes) response.writeContinue();
    server.emit("request", request, response);
  });
  // Node would refuse an unknown Expect without our headers; it may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("clientError", refuseUnreadable);
  return server;
}

/** With words and for pages of any origin, so that Supabase's client can say what was wrong. */
function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, message] = unreadable[error.code ?? ""] ?? [
    "400 Bad Request",
    "The request can't be read.",
  ];
  const body = JSON.stringify({ code: status.slice(0, 3), message, details: null, hint: null });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\n` +
      `Cache-Control: no-store\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const unreadable: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The address and the headers are longer than 16 KB.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request came too slowly."],
};

/** Starts listening and returns the port. Rejects with the system's error (`EADDRINUSE`, `EACCES`). */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string | null },
): Promise<number> {
  server.listen({ port, host: host ?? undefined });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

export function requestListener(
  answer: Answer,
  settings: SiteSettings,
  log: Logger,
): RequestListener {
  return getRequestListener(
    (request, { incoming }) => {
      // Some invalid hosts pass the adapter, such as numbers too large for an address.
      if (!URL.canParse(request.url)) throw new RequestError("Invalid URL");
      return answer(request, { socketAddress: incoming.socket.remoteAddress ?? null });
    },
    {
      // For HTTP/1.0 without a Host, which proxies' health checks still use.
      hostname: new URL(settings.url).host,
      errorHandler(error) {
        const headers = { ...securityHeaders(settings, null), "cache-control": "no-store" };
        if (error instanceof RequestError)
          return new Response("That address can't be read.\n", { status: 400, headers });
        log.error({ err: error }, "A request failed outside the app");
        return new Response("Something broke on our side.\n", { status: 500, headers });
      },
    },
  );
}

/**
 * Accepts no new connections, finishes answers until the deadline, then closes the rest. Resolves when the last connection
 * is closed.
 */
export async function stopListening(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A request on an open connection is answered as the last one there.
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  // A connection that was busy when the stop began becomes idle later.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(cut);
}
