import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { answerFromCache } from "./answer-from-cache.ts";
import { createPageCache } from "./page-cache.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A real server with a page, whose framework answers whatever isn't kept. */
async function startServer(render: (key: string) => Promise<Response>) {
  const server = createServer(
    answerFromCache(createPageCache({ render }), (_request, response) => {
      response.writeHead(202).end("from the framework");
    }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const words = "<p>A page of some length. </p>".repeat(50);

async function renderPage() {
  return new Response(words, {
    headers: { "content-type": "text/html; charset=utf-8", "x-request-id": "one" },
  });
}

/** Asks without the decompression that fetch does by itself. */
async function ask(url: string, headers: Record<string, string> = {}, method = "GET") {
  const { request } = await import("node:http");
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      request(url, { method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      })
        .on("error", reject)
        .end();
    },
  );
}

test("sends each encoding that is asked for, with its length, and says what it varies by", async () => {
  const url = await startServer(renderPage);
  const decode = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };
  for (const [encoding, decompress] of Object.entries(decode)) {
    const { headers, body } = await ask(url, { "accept-encoding": encoding });
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers.vary).toBe("accept-encoding");
    expect(decompress(body).toString()).toBe(words);
  }
  const plain = await ask(url);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.body.toString()).toBe(words);
  expect(plain.headers["x-request-id"]).toBeUndefined();
});

test("answers 304 to a tag it gave, also one that a proxy made weak, and not to another encoding's", async () => {
  const url = await startServer(renderPage);
  const { headers } = await ask(url, { "accept-encoding": "br" });
  const etag = String(headers.etag);
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await ask(url, { "accept-encoding": "br", "if-none-match": tag });
    expect(again.status).toBe(304);
    expect(again.headers.etag).toBe(etag);
    expect(again.body).toHaveLength(0);
  }
  const gzip = await ask(url, { "accept-encoding": "gzip", "if-none-match": etag });
  expect(gzip.status).toBe(200);
});

test("answers HEAD with the headers of GET and no body", async () => {
  const url = await startServer(renderPage);
  const get = await ask(url);
  const head = await ask(url, {}, "HEAD");
  expect(head.body).toHaveLength(0);
  expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  expect(head.headers.etag).toBe(get.headers.etag);
});

test("passes on what is not kept, and what could not be made", async () => {
  const url = await startServer(async () => {
    throw new Error("no database");
  });
  expect((await ask(url, {}, "POST")).status).toBe(202);
  expect((await ask(`${url}/search?q=x`)).status).toBe(202);
  expect((await ask(url)).status).toBe(202);
});
