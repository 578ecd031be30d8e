import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** A real HTTP server on a free port of this machine that keeps what is posted to it. */
export async function startWebhookReceiver() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      receiver.received.push({ path: request.url ?? "", headers: request.headers, body });
      receiver.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [] as { path: string; headers: IncomingHttpHeaders; body: string }[],
    /** Writes the answer to each request; 204 unless a test sets another. */
    answer: (response: ServerResponse): unknown => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
