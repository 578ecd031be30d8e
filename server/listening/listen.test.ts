import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createHttpServer, listen } from "./listen.ts";

const newcomers = 64;
/** With one listening socket each would have a round of its own; chance spreads them unevenly over several. */
const roundsMax = newcomers / 2;

test("newcomers who come together are let in together, within few rounds of the event loop", async () => {
  const server = createHttpServer();
  const arrivedIn: number[] = [];
  let round = 0;
  let isOver = false;
  const next = () => {
    round += 1;
    if (!isOver) setImmediate(next);
  };
  const listener = await listen(server, { port: 0, host: "127.0.0.1" });
  const allIn = new Promise<void>((resolve) => {
    server.on("connection", () => {
      arrivedIn.push(round);
      if (arrivedIn.length === newcomers) resolve();
    });
  });
  next();
  const sockets = Array.from({ length: newcomers }, () => connect(listener.port, "127.0.0.1"));
  await allIn;
  isOver = true;
  // Rounds in which nobody came don't count: a busy system hands connections over late.
  expect(new Set(arrivedIn).size).toBeLessThan(roundsMax);
  for (const socket of sockets) socket.destroy();
  await listener.stop(1_000);
});

test("a port on which another program listens is refused, however that one listens", async () => {
  const other = createHttpServer();
  const first = await listen(other, { port: 0, host: "127.0.0.1" });
  const server = createHttpServer();
  await expect(listen(server, { port: first.port, host: "127.0.0.1" })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
  const socket = connect(first.port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  await first.stop(1_000);
});
