import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** What went from one server to another and back. */
type RelayedCall = { method: string; path: string; status: number; bodyBytes: number };

export type CountingRelay = {
  url: string;
  calls: RelayedCall[];
  close(): Promise<void>;
};

const keptAliveMs = 65_000;

/** Stands between two servers and counts, changing nothing but the address that is connected to. */
export async function startCountingRelay(target: () => string): Promise<CountingRelay> {
  const calls: RelayedCall[] = [];
  const server = createServer((request, response) => {
    const { method = "GET", url: path = "/", headers } = request;
    const passed = httpRequest(new URL(path, target()), { method, headers }, (answer) => {
      const call = { method, path, status: answer.statusCode ?? 0, bodyBytes: 0 };
      calls.push(call);
      answer.on("data", (chunk: Buffer) => {
        call.bodyBytes += chunk.length;
      });
      response.writeHead(call.status, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => request.socket.destroy());
    request.pipe(passed);
  });
  // As proxies do, so that no question meets a connection that is just being closed.
  server.keepAliveTimeout = keptAliveMs;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
