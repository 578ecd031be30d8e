import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type HostedCall = {
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
};

/** `cut`: the connection ends before an answer. */
export type HostedAnswer = { status?: number; type?: string; body?: string } | "cut";

/** Headers that Supabase's functions accept from a page of another origin; a request with any other is not sent. */
const acceptedHeaders = "authorization, x-client-info, apikey, content-type, x-retry-count";

/**
 * A hosted project that answers as a test tells it to, over a real socket and from an origin of its own: the failures
 * that the built-in backend has no way to be brought to. Its archive is empty.
 */
export async function startHostedBackend() {
  const calls: HostedCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // A browser sends again by itself what is cut on a connection that it has used before.
    response.setHeader("Connection", "close");
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", acceptedHeaders);
    if (request.method === "OPTIONS") {
      response.end("ok");
      return;
    }
    const text = Buffer.concat(chunks).toString();
    const { url: path = "", headers } = request;
    calls.push({ path, headers, body: text ? JSON.parse(text) : {} });
    if (path.startsWith("/rest/")) {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Range": "*/0" });
      response.end("[]");
      return;
    }
    const answer = hosted.answer;
    if (answer === "cut") {
      request.socket.destroy();
      return;
    }
    const { status = 200, type = "application/json", body = "" } = answer;
    response.writeHead(status, { "Content-Type": type }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const hosted = {
    url: `http://127.0.0.1:${port}`,
    anonKey: "sb_publishable_for_tests",
    answer: { body: '{"success":true}' } as HostedAnswer,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hosted;
}

export type HostedBackend = Awaited<ReturnType<typeof startHostedBackend>>;

export function json(value: unknown, status = 200): HostedAnswer {
  return { status, body: JSON.stringify(value) };
}
