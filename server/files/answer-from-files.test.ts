import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerFromFiles } from "./answer-from-files.ts";
import { readStaticFiles } from "./static-files.ts";

const script = "export const words = 'the same words';\n".repeat(40);

let folder = "";
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "static-files-test-"));
  mkdirSync(path.join(folder, "assets/external"), { recursive: true });
  mkdirSync(path.join(folder, ".vite"));
  writeFileSync(path.join(folder, "assets/home-LB6z7iC_.js"), script);
  writeFileSync(path.join(folder, "assets/home-LB6z7iC_.js.br"), brotliCompressSync(script));
  writeFileSync(path.join(folder, "assets/external/widget.js"), "// widget\n");
  writeFileSync(path.join(folder, "favicon.svg"), "<svg/>");
  writeFileSync(path.join(folder, "notes.br"), "a file of its own");
  writeFileSync(path.join(folder, ".vite/manifest.json"), "{}");
  const files = readStaticFiles(folder, { url: "https://chalkline.example" });
  server = createServer(
    answerFromFiles(files, (_request, response) => response.writeHead(202).end("the site")),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

/** Asks with the path as it stands and without the decompression that fetch does by itself. */
function ask(target: string, headers: Record<string, string> = {}, method = "GET") {
  const { port } = server.address() as AddressInfo;
  return new Promise<Answer>((resolve, reject) => {
    request({ host: "127.0.0.1", port, path: target, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}

describe("a file", () => {
  test("with a hash in its name is kept for a year", async () => {
    const { status, headers, body } = await ask("/assets/home-LB6z7iC_.js");
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^text\/javascript/);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(body.toString()).toBe(script);
  });

  test.each(["/favicon.svg", "/assets/external/widget.js", "/favicon.svg?v=2"])(
    "without one is kept for an hour: %s",
    async (target) => {
      expect((await ask(target)).headers["cache-control"]).toBe("public, max-age=3600");
    },
  );

  test("goes out as the build compressed it, to those who accept that", async () => {
    const accepted = { "accept-encoding": "gzip, br" };
    const { headers, body } = await ask("/assets/home-LB6z7iC_.js", accepted);
    expect(headers["content-encoding"]).toBe("br");
    expect(headers.vary).toBe("accept-encoding");
    expect(headers["content-length"]).toBe(String(body.length));
    expect(brotliDecompressSync(body).toString()).toBe(script);
    const other = await ask("/assets/home-LB6z7iC_.js", { "accept-encoding": "zstd" });
    expect(other.headers["content-encoding"]).toBeUndefined();
    expect(other.body.toString()).toBe(script);
    expect(other.headers.etag).not.toBe(headers.etag);
  });

  test("is not sent again to those who have it", async () => {
    const { headers } = await ask("/favicon.svg");
    const etag = headers.etag ?? "";
    const again = await ask("/favicon.svg", { "if-none-match": `W/${etag}` });
    expect(again.status).toBe(304);
    expect(again.headers.etag).toBe(etag);
    expect(again.headers["cache-control"]).toBe("public, max-age=3600");
    expect(again.body.length).toBe(0);
    expect((await ask("/favicon.svg", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("answers HEAD with its length", async () => {
    const { status, headers, body } = await ask("/favicon.svg", {}, "HEAD");
    expect(status).toBe(200);
    expect(headers["content-length"]).toBe("6");
    expect(body.length).toBe(0);
  });
});

describe("a range", () => {
  test.each([
    ["bytes=0-9", 0, 9],
    ["bytes=10-", 10, script.length - 1],
    ["bytes=-5", script.length - 5, script.length - 1],
    ["bytes=5-999999", 5, script.length - 1],
  ])("of the uncompressed file is sent: %s", async (range, first, last) => {
    const { status, headers, body } = await ask("/assets/home-LB6z7iC_.js", {
      range,
      "accept-encoding": "br",
    });
    expect(status).toBe(206);
    expect(headers["content-range"]).toBe(`bytes ${first}-${last}/${script.length}`);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers["content-encoding"]).toBeUndefined();
    expect(body.toString()).toBe(script.slice(first, last + 1));
  });

  test.each(["bytes=999999-", "bytes=-0"])("outside the file is refused: %s", async (range) => {
    const { status, headers } = await ask("/assets/home-LB6z7iC_.js", { range });
    expect(status).toBe(416);
    expect(headers["content-range"]).toBe(`bytes */${script.length}`);
  });

  test.each(["lines=1-2", "bytes=0-1,4-5", "bytes=9-2", "bytes=-", "bytes=a-b"])(
    "that is not one range of bytes gives the whole file: %s",
    async (range) => {
      const { status, body } = await ask("/assets/home-LB6z7iC_.js", { range });
      expect(status).toBe(200);
      expect(body.toString()).toBe(script);
    },
  );

  test("of a file that has changed since gives the whole file", async () => {
    const target = "/assets/home-LB6z7iC_.js";
    const etag = (await ask(target)).headers.etag ?? "";
    const same = await ask(target, { range: "bytes=0-3", "if-range": etag });
    expect(same.status).toBe(206);
    const changed = await ask(target, { range: "bytes=0-3", "if-range": '"older"' });
    expect(changed.status).toBe(200);
    expect(changed.body.toString()).toBe(script);
  });
});

describe("left to the site are", () => {
  test.each([
    "/",
    "/.vite/manifest.json",
    "/assets/home-LB6z7iC_.js.br",
    "/assets/../favicon.svg",
    "/assets",
    "/%66avicon.svg",
  ])("addresses that are no file's: %s", async (target) => {
    const { status, body } = await ask(target);
    expect(status).toBe(202);
    expect(body.toString()).toBe("the site");
  });

  test("other methods", async () => {
    expect((await ask("/favicon.svg", {}, "POST")).status).toBe(202);
  });
});

test("a file that only looks like a compressed form is a file", async () => {
  expect((await ask("/notes.br")).body.toString()).toBe("a file of its own");
});
