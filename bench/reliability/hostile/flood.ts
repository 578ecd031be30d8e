import { connect, type Socket } from "node:net";
import { asBytes, type HostileKind } from "./hostile-request.ts";

/** What became of the requests: answers by status, as far as they could be told apart in what came back. */
export type FloodTally = {
  sent: number;
  answers: Record<string, number>;
  /** Connections that the server ended or that broke. */
  ended: number;
  /** Connections that could not be made. */
  refused: number;
};

export type Flood = { tally: FloodTally; stop(): void };

type FloodOptions = {
  port: number;
  kind: HostileKind;
  /** The address that the connection of a number comes from. */
  address: (n: number) => string;
};

/** Between the end of a connection and the next one in its place. */
const reconnectMs = 10;
/** 1,000 a second at the start: more would try the system's queue of new connections and not the server. */
const startedAtOnce = 10;
const startEveryMs = 10;
const statusLine = Buffer.from("HTTP/1.1 ");

/** Keeps so many connections, each sent its next requests once those before them are answered. */
export function flood({ port, kind, address }: FloodOptions): Flood {
  const tally: FloodTally = { sent: 0, answers: {}, ended: 0, refused: 0 };
  const sockets = new Set<Socket>();
  let stopped = false;
  let made = 0;
  let opened = 0;

  function nextBatch(): Buffer {
    const requests = Array.from({ length: kind.pipelined }, () => {
      made += 1;
      const shape = kind.shapes[made % kind.shapes.length];
      if (!shape) throw new Error(`${kind.name} has no requests.`);
      return asBytes(shape.request(made));
    });
    return Buffer.concat(requests);
  }

  function open() {
    if (stopped) return;
    opened += 1;
    const socket = connect({ port, host: "127.0.0.1", localAddress: address(opened) });
    let unanswered = 0;
    const send = () => {
      unanswered = kind.pipelined;
      tally.sent += kind.pipelined;
      socket.write(nextBatch());
    };
    sockets.add(socket);
    let isConnected = false;
    socket.once("connect", () => {
      isConnected = true;
      send();
    });
    socket.on("data", (chunk: Buffer) => {
      for (let at = chunk.indexOf(statusLine); at >= 0; at = chunk.indexOf(statusLine, at + 9)) {
        const status = chunk.toString("latin1", at + 9, at + 12);
        tally.answers[status] = (tally.answers[status] ?? 0) + 1;
        unanswered -= 1;
      }
      if (unanswered <= 0 && !stopped) send();
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      if (isConnected) tally.ended += 1;
      else tally.refused += 1;
      setTimeout(open, reconnectMs);
    });
  }

  let started = 0;
  const starting = setInterval(() => {
    for (let index = 0; index < startedAtOnce && started < kind.connections; index += 1) {
      started += 1;
      open();
    }
    if (started >= kind.connections) clearInterval(starting);
  }, startEveryMs);

  return {
    tally,
    stop() {
      stopped = true;
      clearInterval(starting);
      for (const socket of sockets) socket.destroy();
    },
  };
}
