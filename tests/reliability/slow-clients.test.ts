import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer, type HttpLimits, listen } from "#server/listen.ts";
import { type SlowKind, startSlowClients } from "./slow-clients.ts";

/** The server's own limits, in tenths of seconds in place of seconds. */
const quickLimits: Partial<HttpLimits> = {
  headersTimeout: 500,
  requestTimeout: 800,
  connectionsCheckingInterval: 100,
  idleTimeout: 5_000,
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
  return { port: listener.port, held: () => connectionsOf(server) };
}

/** As the server sees it: a reader that reads nothing doesn't notice its end. */
function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

async function visit(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) });
  return await response.text();
}

/** Waits until the server holds no connection, or too long. Gives how many it holds. */
async function heldInTheEnd(held: () => Promise<number>): Promise<number> {
  const deadline = performance.now() + cutWithinMs;
  while ((await held()) > 0 && performance.now() < deadline) await delay(50);
  return await held();
}

test.each<{ kind: SlowKind; path: string }>([
  { kind: "headers", path: "/" },
  { kind: "body", path: "/" },
  { kind: "reading", path: "/large" },
])(
  "serves visitors beside fifty clients with slow $kind, and cuts those off",
  async ({ kind, path }) => {
    const { port, held } = await startListener();
    const slow = await startSlowClients({ port, kind, path, count: 50, everyMs: 100 });
    onTestFinished(slow.close);
    expect(slow.held()).toBe(50);
    expect(await visit(port)).toBe("hello");
    expect(await heldInTheEnd(held)).toBe(0);
    expect(await visit(port)).toBe("hello");
  },
);

test("cuts off readers that stop reading altogether", async () => {
  const { port, held } = await startListener({ idleTimeout: 400, readTimeout: 60_000 });
  const slow = await startSlowClients({
    port,
    kind: "reading",
    path: "/large",
    count: 5,
    everyMs: 40,
  });
  onTestFinished(slow.close);
  expect(await heldInTheEnd(held)).toBe(0);
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
  expect(slow.held()).toBe(9);
});
