import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { closeInOrder } from "./close-in-order.ts";

/** Limits of the HTTP parser: what comes in larger or slower is refused before it costs anything. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the minute for which proxies keep a connection, so that they and not we close it.
  keepAliveTimeout: 65_000,
};
const headersMaxCount = 100;

export type HttpListener = {
  /** The port really taken. */
  port: number;
  /** To be called in the same tick, so that no request comes before it. */
  answerWith(answer: RequestListener): void;
  /**
   * Takes no new connections, lets answers under way end up to the deadline, then cuts what is left. Resolves when the
   * last connection is closed.
   */
  stop(deadlineMs: number): Promise<void>;
};

export function createHttpServer(): Server {
  const server = createServer(limits);
  server.maxHeadersCount = headersMaxCount;
  return server;
}

/** Starts listening. Rejects with the system's error (`EADDRINUSE`, `EACCES`) where the port can't be had. */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string | null },
): Promise<HttpListener> {
  const stop = closeInOrder(server);
  server.listen({ port, host: host ?? undefined });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    answerWith: (answer) => void server.on("request", answer),
    stop,
  };
}
