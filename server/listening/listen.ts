import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import {
  type AddressInfo,
  createServer as createListener,
  type ListenOptions,
  type Server as NetServer,
} from "node:net";
import { type ConnectionLimits, limitConnections } from "./connection-limits.ts";
import { connectionsWithin, listenersWithin } from "./open-files.ts";
import { oneAtATime } from "./pipelining.ts";

/** What is sent or read slower than this is cut off, so that it holds nothing that others need. */
export type HttpLimits = ConnectionLimits & {
  /** From the beginning of a connection or request to the end of its headers, and of its body. */
  headersTimeout: number;
  requestTimeout: number;
  /** How often the two above are looked after. */
  connectionsCheckingInterval: number;
  /** Without any byte in either direction, while a request or its answer is under way. */
  idleTimeout: number;
  /** Between two requests. */
  keepAliveTimeout: number;
};

/** Times in milliseconds, under the names that Node gives them. */
const defaultLimits: HttpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  idleTimeout: 60_000,
  // Longer than the minute for which proxies keep a connection, so that they and not we close it.
  keepAliveTimeout: 65_000,
  connectionsMax: 4_000,
  readTimeout: 5 * 60_000,
  // An eighth of a small machine's memory: some 4,000 visitors with a whole page each that they have not begun to read.
  untakenMaxBytes: 64 * 1024 * 1024,
};
const headersMaxBytes = 16 * 1024;
const headersMaxCount = 100;

/**
 * Connections that may wait to be taken in. Beyond, the system drops their first packet, and a visitor's browser tries
 * again after one, three and seven seconds; the usual 511 are there at once in a storm. The system's own limit
 * (`net.core.somaxconn`, 4096 on Linux) may be lower.
 */
const arrivingMax = 4_096;

/**
 * Sockets that listen side by side on the port (SO_REUSEPORT), among which the system spreads newcomers. Each lets one in
 * for each round of the event loop: with one alone, a visitor who comes after a hundred others waits a hundred rounds,
 * which are long when there is much to do. Elsewhere than on Linux there is one.
 */
const listenersOnLinux = 16;

const idleCheckMs = 50;

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

/** A server with the limits on slow and too many clients; it listens with {@link listen}. */
export function createHttpServer(otherLimits: Partial<HttpLimits> = {}): Server {
  const limits = { ...defaultLimits, ...otherLimits };
  const server = createServer({ ...limits, maxHeaderSize: headersMaxBytes });
  server.maxHeadersCount = headersMaxCount;
  server.timeout = limits.idleTimeout;
  // Node itself would refuse with none of our headers what may as well be passed over (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  limitConnections(server, {
    ...limits,
    connectionsMax: connectionsWithin(limits.connectionsMax),
  });
  return server;
}

/** Starts listening. Rejects with the system's error (`EADDRINUSE`, `EACCES`) where the port can't be had. */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string | null },
): Promise<HttpListener> {
  const place = { host: host ?? undefined, backlog: arrivingMax };
  const listenersMax = process.platform === "linux" ? listenersWithin(listenersOnLinux) : 1;
  const isShared = listenersMax > 1;
  // Side by side with another program's, it would get half of its visitors.
  if (isShared && port !== 0) await expectFree({ ...place, port });
  const listeners: NetServer[] = [];
  try {
    await open(server, { ...place, port, reusePort: isShared });
    listeners.push(server);
    const taken = (server.address() as AddressInfo).port;
    while (listeners.length < listenersMax) {
      const listener = listenerOf(server);
      await open(listener, { ...place, port: taken, reusePort: true });
      listeners.push(listener);
    }
    return {
      port: taken,
      answerWith: (answer) => void server.on("request", oneAtATime(answer)),
      stop: (deadlineMs) => stop(server, listeners, deadlineMs),
    };
  } catch (error) {
    for (const listener of listeners) listener.close();
    throw error;
  }
}

async function expectFree(place: ListenOptions): Promise<void> {
  const first = createListener();
  await open(first, place);
  first.close();
  await once(first, "close");
}

async function open(listener: NetServer, place: ListenOptions): Promise<void> {
  listener.listen(place);
  await once(listener, "listening");
}

/** Hands its connections on, with what Node's own server of HTTP sets on them. */
function listenerOf(server: Server): NetServer {
  const listener = createListener({ allowHalfOpen: true, noDelay: true });
  return listener.on("connection", (socket) => server.emit("connection", socket));
}

async function stop(server: Server, listeners: NetServer[], deadlineMs: number): Promise<void> {
  const closed = listeners.map(
    (listener) => new Promise<void>((resolve) => listener.close(() => resolve())),
  );
  // What still comes on a connection that is in use is answered, as the last on it.
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  // A connection that was answering when the stop began is kept alive afterwards, so it's closed when it falls idle.
  const closeIdle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await Promise.all(closed);
  clearInterval(closeIdle);
  clearTimeout(cut);
}
