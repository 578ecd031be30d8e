import type { APIRequestContext, APIResponse } from "@playwright/test";
import { madeSmall } from "../made-small.ts";
import { expect, test } from "../site-test.ts";
import { sitePages } from "./routes.ts";

const htmlMaxBytes = 14_336;
/** Ten segments of Ethernet's, which a TCP connection sends before it waits for an answer (RFC 6928). */
const firstFlightBytes = 10 * 1_460;
const scriptsMaxBytes = 112_640;
const ownScriptsMaxBytes = 5_000;

/** A file as short as this, such as one line that hands on another file's names, gains nothing by being compressed. */
const incompressibleBytes = 200;

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
    const small = await madeSmall(request, path);
    expect.soft(contentLength(small, path), `${path}: HTML`).toBeLessThanOrEqual(htmlMaxBytes);
    expect
      .soft(await sum([...files, bookingWidget]), `${path}: scripts`)
      .toBeLessThanOrEqual(scriptsMaxBytes);
    expect.soft(await sum(own), `${path}: its own`).toBeLessThanOrEqual(ownScriptsMaxBytes);
  }
});

test("every page, and every font that it preloads, comes with one flight, headers and all", async ({
  request,
}) => {
  const fonts = new Set<string>();
  for (const { path } of sitePages.filter(isKept)) {
    const page = await madeSmall(request, path);
    expect.soft(bytesWithHeaders(page), path).toBeLessThanOrEqual(firstFlightBytes);
    const preloads = (await page.text()).matchAll(/<link rel="preload" href="([^"]+\.woff2)"/g);
    for (const [, file = ""] of preloads) fonts.add(file);
  }
  expect(fonts.size).toBeGreaterThan(0);
  for (const file of fonts) {
    const font = await request.get(file);
    expect.soft(bytesWithHeaders(font), file).toBeLessThanOrEqual(firstFlightBytes);
  }
});

/** Pages that are kept as bytes; others are compressed as they go, by a lighter method. */
function isKept({ path, status }: (typeof sitePages)[number]): boolean {
  return status === 200 && !path.startsWith("/search");
}

async function bytesSent(request: APIRequestContext, path: string): Promise<number> {
  return contentLength(await request.get(path, asBrotli), path);
}

function contentLength(answer: APIResponse, path: string): number {
  const headers = answer.headers();
  const bytes = Number(headers["content-length"]);
  if (bytes > incompressibleBytes) expect(headers["content-encoding"], path).toBe("br");
  return bytes;
}

function bytesWithHeaders(answer: APIResponse): number {
  const lines = answer.headersArray().map(({ name, value }) => `${name}: ${value}\r\n`);
  const head = ["HTTP/1.1 200 OK\r\n", ...lines, "\r\n"].join("");
  return head.length + Number(answer.headers()["content-length"]);
}
