import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { mustRevalidate } from "../page-policy/page-caching.ts";
import { answerPages } from "./answer-pages.ts";
import { createBusyAnswer } from "./busy-answer.ts";
import { createPageCache } from "./page-cache.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A real server with a page, whose framework answers whatever isn't kept. */
async function startServer(render: (key: string) => Promise<Response>, isBusy = false) {
  const server = createServer(
    answerPages({
      cache: createPageCache({ render: async ({ key }, _asker, read) => read(await render(key)) }),
      readAsker: () => null,
      isBusyFor: () => isBusy,
      busyAnswer: createBusyAnswer(
        { status: 503, headers: { "Retry-After": "5" }, html: "<p>Busy</p>" },
        [["x-content-type-options", "nosniff"]],
      ),
      headersOfEveryAnswer: [["x-content-type-options", "nosniff"]],
      countVisit: null,
      next: (_request, response) => {
        response.writeHead(202).end("from the framework");
      },
    }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const words = "<p>A page of some length. </p>".repeat(50);

async function renderPage() {
  return new Response(words, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": mustRevalidate,
      "x-request-id": "one",
    },
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

test("sends another spelling of an address to the page, with what was asked, before anything is made", async () => {
  let renders = 0;
  const url = await startServer(async () => {
    renders += 1;
    return await renderPage();
  });
  const { status, headers, body } = await ask(`${url}/Pricing/?utm_source=mail`);
  expect([status, headers.location, body.length]).toEqual([308, "/pricing?utm_source=mail", 0]);
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(renders).toBe(0);
});

test("makes one page for all addresses that lead nowhere, and one for each page however it is asked for", async () => {
  const rendered: string[] = [];
  const url = await startServer(async (key) => {
    rendered.push(key);
    const status = key === "/no-such-page" ? 404 : 200;
    return new Response(words, { status });
  });
  for (const path of ["/wp-login.php", "/a/b/c?d=e", "/%F0%9F%8D%95", "/newsletter/3/x"]) {
    expect((await ask(url + path)).status, path).toBe(404);
  }
  for (const query of ["", "?utm_source=mail", "?issue=3", "?%71=x"])
    await ask(`${url}/about${query}`);
  expect(rendered).toEqual(["/no-such-page", "/about"]);
});

test("lets a browser keep data that it asks for ahead of a click", async () => {
  const url = await startServer(renderPage);
  const caching = async (path: string, headers = {}) =>
    (await ask(url + path, headers)).headers["cache-control"];
  const ahead = { "sec-purpose": "prefetch" };
  expect(await caching("/pricing.data?_routes=pages%2Fpricing", ahead)).toBe("private, max-age=10");
  expect(await caching("/pricing.data?_routes=pages%2Fpricing")).toBe(mustRevalidate);
  expect(await caching("/pricing", ahead)).toBe(mustRevalidate);
});

test("where too much waits, what isn't in memory is refused, and the framework never hears of it", async () => {
  const url = await startServer(renderPage, true);
  const methods = ["GET", "HEAD", "POST"];
  const answers = await Promise.all(
    methods.map((method) => ask(`${url}/contact?sheet=leads&sum=5`, {}, method)),
  );
  for (const [index, answer] of answers.entries()) {
    const method = methods[index];
    expect(answer.status, method).toBe(503);
    expect(answer.headers, method).toMatchObject({
      "retry-after": "5",
      "x-content-type-options": "nosniff",
    });
    expect(String(answer.body), method).toBe(method === "HEAD" ? "" : "<p>Busy</p>");
  }
});
