import { connect, type Socket } from "node:net";
import type { Flood, FloodTally } from "./flood.ts";

type SlowFloodOptions = {
  port: number;
  connections: number;
  /** The address that the connection of a number comes from. */
  address: (n: number) => string;
};

/** Between two bytes or lines that keep a connection busy. */
const dripMs = 3_000;
/** 500 a second are made, and made again: more would try the system's queue of new connections and not the server. */
const openedAtOnce = 5;
const openEveryMs = 10;

const beginnings = [
  "GET / HTTP/1.1\r\nHost: localhost\r\n",
  "POST /functions/v1/newsletter-signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{",
  "POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\na",
  // More answers than the system takes in for a reader that never reads.
  "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(40),
];
const readsNothing = beginnings.length - 1;
const drips = ["X-Slow: 1\r\n", " ", "a", ""];

/**
 * Keeps so many connections that each do the least that looks alive: headers, bodies and forms without an end, and answers
 * that nobody reads, a quarter each. What the server closes is opened again.
 */
export function slowFlood({ port, connections, address }: SlowFloodOptions): Flood {
  const tally: FloodTally = { sent: 0, answers: {}, ended: 0, refused: 0 };
  const sockets = new Map<Socket, number>();
  let opened = 0;

  function open() {
    opened += 1;
    const way = opened % beginnings.length;
    const socket = connect({ port, host: "127.0.0.1", localAddress: address(opened) });
    sockets.set(socket, way);
    let isConnected = false;
    socket.once("connect", () => {
      isConnected = true;
      tally.sent += 1;
      socket.write(beginnings[way] ?? "");
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      if (isConnected) tally.ended += 1;
      else tally.refused += 1;
    });
    if (way === readsNothing) socket.pause();
    else socket.resume();
  }

  const opening = setInterval(() => {
    for (let index = 0; index < openedAtOnce && sockets.size < connections; index += 1) open();
  }, openEveryMs);
  const dripping = setInterval(() => {
    for (const [socket, way] of sockets) {
      if (way === readsNothing) socket.read(1);
      else socket.write(drips[way] ?? "");
    }
  }, dripMs);

  return {
    tally,
    stop() {
      clearInterval(opening);
      clearInterval(dripping);
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}
