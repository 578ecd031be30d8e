import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/**
 * Requests that wait on one connection for the answers before theirs. Browsers send none ahead; a proxy that does sends
 * a few. Each that waits costs some kilobytes, and a connection can bring thousands in one packet's worth.
 */
const pipelinedMax = 8;

/**
 * How long a connection that asked for more lingers before it is closed, at most; at least half as long, so that those
 * which came together don't come back together. Nothing more is read or answered on it, and it is the first to go where
 * room is needed, so that costs little; closing at once has the other end come back within milliseconds, and every new
 * connection stands before a visitor's in the system's queue.
 */
const lingerBeforeCloseMs = 10_000;

/**
 * Answers what comes on one connection one at a time (RFC 9112, section 9.3.2), so that what is begun doesn't depend on
 * how much is sent ahead. A connection that sends more than a few ahead has nothing more begun, and is closed a while
 * later.
 */
export function oneAtATime(
  answer: RequestListener,
  lingerMs = lingerBeforeCloseMs,
): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  const lingering = new WeakSet<Socket>();
  return (request, response) => {
    // Node gives a response its socket when those before it on the connection have been sent.
    if (response.socket) return answer(request, response);
    const { socket } = request;
    const ahead = waiting.get(socket) ?? 0;
    if (ahead >= pipelinedMax) {
      // Destroyed, it says that nobody is at work for the connection.
      response.destroy();
      if (lingering.has(socket)) return;
      lingering.add(socket);
      stopParsing(socket);
      const close = setTimeout(() => socket.destroy(), lingerMs * (1 - Math.random() / 2));
      close.unref();
      socket.once("close", () => clearTimeout(close));
      return;
    }
    waiting.set(socket, ahead + 1);
    response.once("socket", () => {
      if (lingering.has(socket)) return;
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      answer(request, response);
    });
  };
}

/** What a parser answers for a request after which nothing on the connection is HTTP: it reads no further. */
const notHttpFromHere = 2;

/**
 * A packet's worth of requests is parsed in one go, whether or not the connection is closed meanwhile, and each would be
 * kept until it is. Node has no public way to leave off; where this one is gone, the rest is parsed, and passed over.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } };
  if (parser?.onIncoming) parser.onIncoming = () => notHttpFromHere;
}
