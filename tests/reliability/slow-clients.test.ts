import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer, type ListenLimits, listen, stopListening } from "#server/listen.ts";
import { type SlowKind, startSlowClients } from "./slow-clients.ts";

/** The server's own limits, in tenths of seconds in place of seconds. */
const quickLimits: Partial<ListenLimits> = {
  headersTimeout: 500,
  requestTimeout: 800,
  connectionsCheckingInterval: 100,
  keepAliveTimeout: 500,
};
const cutWithinMs = 8_000;

/** More than the system takes in for a reader that doesn't read. */
const largeAnswer = Buffer.alloc(24 * 1024 * 1024, "x");

async function startListener() {
  const server = createHttpServer(quickLimits);
  const port = await listen(server, { port: 0, host: "127.0.0.1" });
  server.on("request", (request, response) => {
    // A sender that is cut off is no failure of the server.
    request.on("error", () => {});
    request
      .resume()
      .on("end", () => response.end(request.url === "/large" ? largeAnswer : "hello"));
  });
  onTestFinished(() => stopListening(server, 0));
  return { server, port, connected: () => connectionsOf(server) };
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
  const { server, port, connected } = await startListener();
  server.timeout = 400;
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
