import { brotliCompressSync, constants } from "node:zlib";
import { expect, test } from "vitest";
import { cacheResponse } from "./cached-response.ts";

const words = Array.from(
  { length: 500 },
  (_, id) => `<url><loc>/newsletter/${id}</loc></url>`,
).join("");

function bytesAt(quality: number): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return brotliCompressSync(words, { params }).length;
}

async function bytesOf(type: string): Promise<number> {
  const response = new Response(words, { headers: { "content-type": type } });
  const { variants } = await cacheResponse(response, null, "thorough");
  return variants.br.body.length;
}

test("what no page waits for is compressed quickly, and a page as small as it can be", async () => {
  const smallest = await bytesOf("text/html; charset=utf-8");
  expect(smallest).toBeLessThanOrEqual(bytesAt(constants.BROTLI_MAX_QUALITY));
  for (const type of [
    "application/xml",
    "application/rss+xml; charset=utf-8",
    "application/json",
  ]) {
    expect(await bytesOf(type), type).toBeGreaterThan(smallest);
  }
});
