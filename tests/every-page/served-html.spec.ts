import { brotliCompressSync } from "node:zlib";
import { HtmlValidate } from "html-validate";
import { expect, test } from "../site-test.ts";
import { sitePages } from "./routes.ts";

const htmlMaxBytes = 30_000;
/** Files fetched after the load. None of them runs before a visitor's first press. */
const scriptsMaxBytes = 90_000;

const validator = new HtmlValidate({ extends: ["html-validate:standard"] });

test("every page is valid HTML, is light, and begins with the same bar", async ({ request }) => {
  const sizes = new Map<string, number>();
  async function compressedBytes(path: string): Promise<number> {
    const bytes =
      sizes.get(path) ?? brotliCompressSync(await (await request.get(path)).body()).length;
    sizes.set(path, bytes);
    return bytes;
  }
  const bars = new Map<string, string[]>();
  for (const { path, status } of sitePages) {
    const response = await request.get(path);
    expect.soft(response.status(), path).toBe(status);
    const html = await response.text();
    const { results } = await validator.validateString(html);
    const faults = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
    );
    expect.soft(faults, path).toEqual([]);
    expect.soft(html, path).toMatch(/^<!DOCTYPE html><html lang="en-CA"/i);

    const [, bar = ""] =
      /<body>(<a class="[\w -]*skip-link".*?)<nav class="site-menu"/s.exec(html) ?? [];
    // The bar marks the current page, and so differs.
    const same = bar.replace(/ aria-current="\w+"/g, "");
    bars.set(same, [...(bars.get(same) ?? []), path]);

    expect.soft(brotliCompressSync(html).length, `${path}: HTML`).toBeLessThan(htmlMaxBytes);
    const scripts = new Set(html.match(/\/assets\/[\w.-]+\.js/g));
    expect(scripts.size, path).toBeGreaterThan(0);
    let total = await compressedBytes("/assets/external/widget.js");
    for (const script of scripts) total += await compressedBytes(script);
    expect.soft(total, `${path}: scripts`).toBeLessThan(scriptsMaxBytes);
  }
  expect([...bars.values()]).toEqual([sitePages.map(({ path }) => path)]);
});
