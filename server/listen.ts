import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

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
  return server;
}

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
