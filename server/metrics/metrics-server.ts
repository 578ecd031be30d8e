import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const limits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
};

export type MetricsServer = {
  /** The port really taken. */
  port: number;
  stop(): Promise<void>;
};

/**
 * Answers `GET /metrics` on an address of its own, which visitors never reach, and nothing else. Rejects with the
 * system's error where the address can't be had.
 */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  read: () => Promise<{ contentType: string; text: string }>,
): Promise<MetricsServer> {
  const server = createServer(limits, (request, response) => {
    const isAsked = request.url?.split("?")[0] === "/metrics";
    if (!isAsked || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(isAsked ? 405 : 404, { "Content-Type": "text/plain" });
      response.end("The metrics are at /metrics.\n");
      return;
    }
    read().then(
      ({ contentType, text }) => {
        response.writeHead(200, { "Content-Type": contentType, "Cache-Control": "no-store" });
        response.end(request.method === "HEAD" ? undefined : text);
      },
      () => response.writeHead(500).end("The metrics could not be read.\n"),
    );
  });
  server.listen({ host, port });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
