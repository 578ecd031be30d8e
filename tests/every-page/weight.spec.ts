import { brotliCompressSync } from "node:zlib";
import { expect, test } from "../site-test.ts";
import { sitePages } from "./routes.ts";

const htmlMaxBytes = 30_000;
const scriptsMaxBytes = 130_000;

test("every page's HTML with its styles, and its scripts, stay small", async ({ request }) => {
  const sizes = new Map<string, number>();
  async function compressedBytes(path: string): Promise<number> {
    const known = sizes.get(path);
    if (known !== undefined) return known;
    const bytes = brotliCompressSync(await (await request.get(path)).body()).length;
    sizes.set(path, bytes);
    return bytes;
  }
  for (const { path } of sitePages) {
    const html = await (await request.get(path)).text();
    expect.soft(brotliCompressSync(html).length, `${path}: HTML`).toBeLessThan(htmlMaxBytes);
    const scripts = new Set(html.match(/\/assets\/[\w.-]+\.js/g));
    expect(scripts.size, path).toBeGreaterThan(0);
    let total = await compressedBytes("/assets/external/widget.js");
    for (const script of scripts) total += await compressedBytes(script);
    expect.soft(total, `${path}: scripts`).toBeLessThan(scriptsMaxBytes);
  }
});
