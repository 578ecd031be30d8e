import type { APIRequestContext } from "@playwright/test";
import { expect, test } from "../site-test.ts";
import { sitePages } from "./routes.ts";

/** What the first flight of a TCP connection carries: ten segments, less their headers (RFC 6928). */
const htmlMaxBytes = 14_336;
const scriptsMaxBytes = 110_000;
const ownScriptsMaxBytes = 5_000;

const asBrotli = { headers: { "Accept-Encoding": "br" } };
const bookingWidget = "/assets/external/widget.js";

test("every page's HTML with its styles fits into the first flight, and its scripts stay small", async ({
  request,
}) => {
  const sizes = new Map<string, number>();
  const sizeOf = async (file: string) => {
    const known = sizes.get(file) ?? (await bytesSent(request, file));
    sizes.set(file, known);
    return known;
  };
  const sum = async (files: Iterable<string>) => {
    let total = 0;
    for (const file of files) total += await sizeOf(file);
    return total;
  };
  for (const { path } of sitePages.filter(isKept)) {
    const html = await (await request.get(path)).text();
    const files = new Set(html.match(/\/assets\/[\w.-]+\.js/g));
    // The list of routes and the root are imported first, then what is the page's alone.
    const [, , ...own] = [...html.matchAll(/import\("([^"]+)"\)/g)].map(([, file = ""]) => file);
    own.pop();
    expect(own.length, `${path}: its own scripts`).toBeGreaterThan(0);
    expect.soft(await bytesSent(request, path), `${path}: HTML`).toBeLessThanOrEqual(htmlMaxBytes);
    expect
      .soft(await sum([...files, bookingWidget]), `${path}: scripts`)
      .toBeLessThanOrEqual(scriptsMaxBytes);
    expect.soft(await sum(own), `${path}: its own`).toBeLessThanOrEqual(ownScriptsMaxBytes);
  }
});

/** Pages that are kept as bytes; others are compressed as they go, by a lighter method. */
function isKept({ path, status }: (typeof sitePages)[number]): boolean {
  return status === 200 && !path.startsWith("/search");
}

async function bytesSent(request: APIRequestContext, path: string): Promise<number> {
  const headers = (await request.get(path, asBrotli)).headers();
  expect(headers["content-encoding"], path).toBe("br");
  return Number(headers["content-length"]);
}
