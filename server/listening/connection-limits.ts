import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkKey } from "#api/limits.ts";

/** How often within its time a waiting answer is looked at, and how often in any case. */
const readChecks = 4;
const readCheckMaxMs = 1_000;

/**
 * Connections that may be on their way out at a time, beyond the limit. Each is closed only after what had arrived on it
 * has been read; a burst that brings more than these is not waited for.
 */
const leavingMax = 64;

export type ConnectionLimits = {
  /** Connections at a time. For a newer one another goes that only waits for its other end. */
  connectionsMax: number;
  /** For a reader to take one answer whole, in milliseconds. What the system has buffered counts as taken. */
  readTimeout: number;
  /** Of answers that wait for their readers, in bytes, of all connections together. */
  untakenMaxBytes: number;
};

type Connection = {
  /** Whom it counts for: an address, or the network of one. */
  network: string;
  /** The last answer that was begun on it. */
  answer: ServerResponse | null;
};

/** What of an answer waits for its reader, and for how long it has by now. */
type Untaken = { socket: Socket; network: string; bytes: number; waitedForMs: number };

/** Since when an answer waits for its reader, and how much of earlier ones was taken by then. */
type Waiting = { since: number; takenBytes: number };

/**
 * Keeps slow and idle clients from taking all connections or holding answers in memory, beside Node's own limits on slow
 * requests. Where there is no connection left, the network that has most of them loses one; where more waits in
 * memory than may, the network for which most does loses those that have waited longest. Costs a request one
 * entry in a map.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  /** Oldest first, as are those of each network. */
  const connections = new Map<Socket, Connection>();
  const networks = new Map<string, Set<Socket>>();
  const leaving = new Set<Socket>();
  const waiting = new WeakMap<Socket, Waiting>();

  function add(socket: Socket) {
    const network = networkKey(socket.remoteAddress ?? "");
    const others = networks.get(network) ?? new Set();
    networks.set(network, others.add(socket));
    connections.set(socket, { network, answer: null });
    socket.once("close", () => {
      connections.delete(socket);
      leaving.delete(socket);
      others.delete(socket);
      if (others.size === 0) networks.delete(network);
    });
  }

  /** The one that only waits for its other end, of the network that has most where it has such a one. */
  function dispensable(newcomer: Socket): Socket | null {
    let largest = new Set<Socket>();
    for (const sockets of networks.values()) {
      if (sockets.size > largest.size) largest = sockets;
    }
    return firstWaiting(largest, newcomer) ?? firstWaiting(connections.keys(), newcomer);
  }

  /** The oldest that has not yet brought or taken anything whole; where each has, the oldest between two requests. */
  function firstWaiting(sockets: Iterable<Socket>, newcomer: Socket): Socket | null {
    let idle: Socket | null = null;
    for (const socket of sockets) {
      if (socket === newcomer || leaving.has(socket) || !isWaiting(socket)) continue;
      const isIdle = connections.get(socket)?.answer?.writableEnded && socket.writableLength === 0;
      if (!isIdle) return socket;
      idle ??= socket;
    }
    return idle;
  }

  /** Whether it waits for a request, the rest of one, or a reader, and the server isn't at work for it. */
  function isWaiting(socket: Socket): boolean {
    const answer = connections.get(socket)?.answer;
    // What is sent in parts goes on when its reader has taken the one before.
    if (!answer || answer.destroyed || socket.writableLength > 0) return true;
    return answer.writableEnded || !answer.req.complete;
  }

  function endSlowReaders() {
    const untaken: Untaken[] = [];
    for (const [socket, { network }] of connections) {
      const waitedForMs = waitedMs(socket, waiting);
      if (waitedForMs > limits.readTimeout) end(socket);
      else if (socket.writableLength > 0)
        untaken.push({ socket, network, waitedForMs, bytes: socket.writableLength });
    }
    for (const socket of beyond(limits.untakenMaxBytes, untaken)) end(socket);
  }

  function makeRoomFor(newcomer: Socket) {
    const socket = dispensable(newcomer);
    // Where the server is at work for every one of them, the new one is the one too many.
    if (!socket) return void newcomer.destroy();
    if (leaving.size >= leavingMax) return end(socket);
    leaving.add(socket);
    const begun = connections.get(socket)?.answer;
    // What has arrived by now is read in the next round of the event loop.
    setImmediate(() =>
      setImmediate(() => {
        leaving.delete(socket);
        if (newcomer.destroyed || !connections.has(socket)) return;
        if (connections.get(socket)?.answer === begun && isWaiting(socket)) end(socket);
        else makeRoomFor(newcomer);
      }),
    );
  }

  server.on("connection", (socket) => {
    add(socket);
    if (connections.size - leaving.size > limits.connectionsMax) makeRoomFor(socket);
  });
  server.on("request", ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection) connection.answer = response;
  });

  server.on("timeout", end);
  const check = setInterval(
    endSlowReaders,
    Math.min(limits.readTimeout / readChecks, readCheckMaxMs),
  );
  check.unref();
  server.once("close", () => clearInterval(check));
}

/**
 * The connections without which no more than `maxBytes` wait for their readers: of the network for which most does, those
 * that have waited longest, and only when it has none left those of the next.
 */
function beyond(maxBytes: number, untaken: Untaken[]): Socket[] {
  let total = untaken.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return [];
  const ofNetwork = new Map<string, number>();
  for (const { network, bytes } of untaken)
    ofNetwork.set(network, (ofNetwork.get(network) ?? 0) + bytes);
  const waitingFor = ({ network }: Untaken) => ofNetwork.get(network) ?? 0;
  const ended: Socket[] = [];
  for (const { socket, bytes } of untaken.toSorted(
    (a, b) =>
      waitingFor(b) - waitingFor(a) ||
      a.network.localeCompare(b.network) ||
      b.waitedForMs - a.waitedForMs,
  )) {
    if (total <= maxBytes) break;
    total -= bytes;
    ended.push(socket);
  }
  return ended;
}

/** Closes at once. What a reader hasn't taken is thrown away with a reset: the system would hold it for minutes. */
function end(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy();
  else socket.destroy();
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
