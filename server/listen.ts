import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
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

/**
 * Answers a connection's pipelined requests one after the other, each in a turn of its own. Node starts all of a chunk at
 * once, and nobody else is heard meanwhile. Those of a client that has left aren't answered.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const others = waiting.get(socket);
    if (others) return void others.push(start);
    waiting.set(socket, []);
    start();

    function start() {
      if (socket.destroyed) return;
      response.once("close", () => {
        const next = waiting.get(socket)?.shift();
        if (next) setImmediate(next);
        else waiting.delete(socket);
      });
      listener(request, response);
    }
  };
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
