import { connect } from "node:net";

type Answer = { status: number; ms: number; text: string };

const timeoutMs = 30_000;

/** Asks and reads to the end; milliseconds to the last byte. Status 0 where no answer came. */
export async function timedFetch(url: string, init: RequestInit = {}): Promise<Answer> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    return { status: answer.status, ms: performance.now() - startedAt, text };
  } catch {
    return { status: 0, ms: performance.now() - startedAt, text: "" };
  }
}

/** Bytes of the answer on the wire, headers and all, in brotli: what the first flight of a connection has to carry. */
export async function wireBytes(url: string, target: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let bytes = 0;
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`No answer to ${target}.`)));
  socket.on("data", (chunk) => {
    bytes += chunk.length;
  });
  socket.once("error", reject);
  socket.once("close", () => resolve(bytes));
  const headers = ["Host: localhost", "Accept-Encoding: br", "Connection: close"];
  socket.write(`GET ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
  return await promise;
}
