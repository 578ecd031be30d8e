import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer, type HttpLimits, listen } from "#server/listening/listen.ts";
import { type SlowKind, startSlowClients } from "./slow-clients.ts";

/** The server's own limits, in tenths of seconds in place of seconds. */
const quickLimits: Partial<HttpLimits> = {
  headersTimeout: 500,
  requestTimeout: 800,
  connectionsCheckingInterval: 100,
  idleTimeout: 5_000,
  untakenMaxBytes: Number.POSITIVE_INFINITY,
  keepAliveTimeout: 500,
  readTimeout: 600,
};
const cutWithinMs = 8_000;

/** More than the system takes in for a reader that doesn't read. */
const largeAnswer = Buffer.alloc(24 * 1024 * 1024, "x");

async function startListener(otherLimits: Partial<HttpLimits> = {}) {
  const server = createHttpServer({ ...quickLimits, ...otherLimits });
  const listener = await listen(server, { port: 0, host: "127.0.0.1" });
  listener.answerWith(async (request, response) => {
    // A sender that is cut off is no failure of the server.
    request.on("error", () => {});
    request
      .resume()
      .on("end", () => response.end(request.url === "/large" ? largeAnswer : "hello"));
  });
  onTestFinished(() => listener.stop(0));
  return { port: listener.port, connected: () => connectionsOf(server) };
}

/** As the server sees it: a reader that reads nothing doesn't notice its end. */
function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

async function visit(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    signal: AbortSignal.timeout(cutWithinMs),
  });
  return await response.text();
}

/** Waits until the server holds no connection, or too long. Gives how many it holds. */
async function connectedInTheEnd(connected: () => Promise<number>): Promise<number> {
  const deadline = performance.now() + cutWithinMs;
  while ((await connected()) > 0 && performance.now() < deadline) await delay(50);
  return await connected();
}

test.each<{ kind: SlowKind; path: string }>([
  { kind: "headers", path: "/" },
  { kind: "body", path: "/" },
  { kind: "reading", path: "/large" },
])(
  "serves visitors beside fifty clients with slow $kind, and cuts those off",
  async ({ kind, path }) => {
    const { port, connected } = await startListener();
    const slow = await startSlowClients({ port, kind, path, count: 50, everyMs: 100 });
    onTestFinished(slow.close);
    expect(slow.connected()).toBe(50);
    expect(await visit(port)).toBe("hello");
    expect(await connectedInTheEnd(connected)).toBe(0);
    expect(await visit(port)).toBe("hello");
  },
);

test("cuts off readers that stop reading altogether", async () => {
  const { port, connected } = await startListener({ idleTimeout: 400, readTimeout: 60_000 });
  const slow = await startSlowClients({
    port,
    kind: "reading",
    path: "/large",
    count: 5,
    everyMs: 40,
  });
  onTestFinished(slow.close);
  expect(await connectedInTheEnd(connected)).toBe(0);
});

test("gives a large answer whole to a reader that takes its time but no more than it may", async () => {
  const { port } = await startListener({ readTimeout: 10_000 });
  const response = await fetch(`http://127.0.0.1:${port}/large`);
  let bytes = 0;
  let chunks = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    chunks += 1;
    if (chunks % 40 === 0) await delay(20);
  }
  expect(bytes).toBe(largeAnswer.length);
});

test("lets the oldest slow client go where there is no connection left for a visitor", async () => {
  const { port } = await startListener({
    connectionsMax: 10,
    headersTimeout: 30_000,
    requestTimeout: 30_000,
  });
  const slow = await startSlowClients({ port, kind: "headers", path: "/", count: 10, everyMs: 40 });
  onTestFinished(slow.close);
  expect(await visit(port)).toBe("hello");
  await delay(100);
  expect(slow.connected()).toBe(9);
});

/** A connection of its own from one of the machine's loopback addresses, and what comes back on it. */
async function connectFrom(port: number, localAddress: string) {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  let received = "";
  let isOpen = true;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString();
  });
  socket
    .on("error", () => {})
    .on("close", () => {
      isOpen = false;
    });
  await once(socket, "connect");
  return {
    ask: () => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    answers: () => received.split("hello").length - 1,
    isOpen: () => isOpen,
  };
}

const patientLimits = {
  connectionsMax: 10,
  headersTimeout: 30_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
};

test("takes connections from the address that holds most, and leaves those of others", async () => {
  const { port } = await startListener(patientLimits);
  const visitors = await Promise.all(
    Array.from({ length: 3 }, () => connectFrom(port, "127.0.0.2")),
  );
  for (const visitor of visitors) visitor.ask();
  await expect.poll(() => visitors.map(({ answers }) => answers())).toEqual([1, 1, 1]);
  for (let round = 0; round < 5; round += 1) {
    const crowd = Array.from({ length: 20 }, () => connectFrom(port, "127.0.0.1"));
    await Promise.all(crowd);
  }
  await delay(100);
  expect(visitors.map(({ isOpen }) => isOpen())).toEqual([true, true, true]);
  for (const visitor of visitors) visitor.ask();
  await expect.poll(() => visitors.map(({ answers }) => answers())).toEqual([2, 2, 2]);
});

test("answers a request that has arrived on a connection that was about to be closed", async () => {
  const { port } = await startListener(patientLimits);
  for (let round = 0; round < 10; round += 1) {
    const idle = await Promise.all(
      Array.from({ length: 10 }, () => connectFrom(port, "127.0.0.1")),
    );
    // Each sends and newer ones come in the same moment.
    for (const one of idle) one.ask();
    const newer = Array.from({ length: 5 }, () => connectFrom(port, "127.0.0.1"));
    await expect.poll(() => idle.map(({ answers }) => answers())).toEqual(Array(10).fill(1));
    await Promise.all(newer);
  }
});
