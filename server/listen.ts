import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { formMaxBytes } from "./page-address.ts";

/** Node's own limits, in milliseconds. */
export function createHttpServer(): Server {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2_000,
    // Longer than proxies' minute, so that they close the connection.
    keepAliveTimeout: 65_000,
  });
  server.timeout = 60_000;
  server.maxHeadersCount = 100;
  server.maxConnections = 4_000;
  // nginx's default.
  server.maxRequestsPerSocket = 1_000;
  // Refuses too large bodies before they are sent.
  server.on("checkContinue", (request, response) => {
    if (Number(request.headers["content-length"] ?? 0) <= formMaxBytes) response.writeContinue();
    server.emit("request", request, response);
  });
  // An unknown Expect may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("clientError", refuseUnreadable);
  return server;
}

/** Gives each pipelined request a turn of its own: Node would start all at once. */
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

/** Readable by pages of any origin, so that Supabase's client can report it. */
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

/** Returns the port. Rejects with the system's error (`EADDRINUSE`, `EACCES`). */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string | null },
): Promise<number> {
  server.listen({ port, host: host ?? undefined });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Finishes answers until the deadline, then closes the rest. Resolves at the last connection's end. */
export async function stopListening(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  // Busy connections become idle later.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(cut);
}
