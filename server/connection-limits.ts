import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How often within its time a waiting answer is looked at. */
const readChecks = 4;

export type ConnectionLimits = {
  /** Connections at a time. For a newer one the oldest goes that only waits for its other end. */
  connectionsMax: number;
  /** For a reader to take one answer whole, in milliseconds. What the system has buffered counts as taken. */
  readTimeout: number;
};

/** Since when an answer waits for its reader, and how much of earlier ones was taken by then. */
type Waiting = { since: number; takenBytes: number };

/**
 * Keeps slow and idle clients from taking all connections or holding answers in memory, beside Node's own limits on slow
 * requests. Costs a request one entry in a map.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  /** Oldest first, each with the last answer that was begun on it. */
  const connections = new Map<Socket, ServerResponse | null>();
  const waiting = new WeakMap<Socket, Waiting>();

  server.on("connection", (socket) => {
    if (connections.size >= limits.connectionsMax) {
      const oldest = oldestWaiting(connections);
      // Where the server is at work for every one of them, the new one is the one too many.
      if (!oldest) return void socket.destroy();
      connections.delete(oldest);
      end(oldest);
    }
    connections.set(socket, null);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    if (connections.has(request.socket)) connections.set(request.socket, response);
  });

  server.on("timeout", end);
  const check = setInterval(() => {
    for (const socket of connections.keys()) {
      if (waitedMs(socket, waiting) > limits.readTimeout) end(socket);
    }
  }, limits.readTimeout / readChecks);
  check.unref();
  server.once("close", () => clearInterval(check));
}

/** Closes at once. What a reader hasn't taken is thrown away with a reset: the system would hold it for minutes. */
function end(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy();
  else socket.destroy();
}

/** The oldest connection for which the server is not at work: it waits for a request, the rest of one, or a reader. */
function oldestWaiting(connections: ReadonlyMap<Socket, ServerResponse | null>): Socket | null {
  for (const [socket, answer] of connections) {
    if (!answer || answer.writableEnded || !answer.req.complete) return socket;
  }
  return null;
}

/** How long the answer that is being sent has waited for its reader, in milliseconds; 0 where none waits. */
function waitedMs(socket: Socket, waiting: WeakMap<Socket, Waiting>): number {
  if (socket.writableLength === 0) {
    waiting.delete(socket);
    return 0;
  }
  const now = performance.now();
  const takenBytes = socket.bytesWritten - socket.writableLength;
  const before = waiting.get(socket);
  if (before?.takenBytes === takenBytes) return now - before.since;
  waiting.set(socket, { since: now, takenBytes });
  return 0;
}
