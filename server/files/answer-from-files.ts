import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isOfEveryAnswer } from "../document/security-headers.ts";
import { chooseEncoding } from "../page-cache/choose-encoding.ts";
import { type Variant, writeVariant } from "../page-cache/write-variant.ts";
import type { StaticFile } from "./static-files.ts";

/**
 * Answers GET and HEAD of files straight from memory, before any framework sees the request, and has the others
 * answered by `next`. Only a path that is exactly a file's is answered, so nothing else can be reached.
 */
export function answerFromFiles(
  files: ReadonlyMap<string, StaticFile>,
  next: RequestListener,
): RequestListener {
  return (request, response) => {
    const { method, url = "/" } = request;
    if (method !== "GET" && method !== "HEAD") return next(request, response);
    const queryAt = url.indexOf("?");
    const file = files.get(queryAt < 0 ? url : url.slice(0, queryAt));
    if (!file) return next(request, response);
    const { range } = request.headers;
    if (range !== undefined && method === "GET") {
      return writeRange(range, file.variants.identity, request, response);
    }
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    writeVariant(200, file.variants[encoding], request, response);
  };
}

/**
 * Answers one range of the uncompressed file with 206, or 416 where it lies outside. What can't be read as one range,
 * and a range of a file that has changed since, is answered with the whole (RFC 9110, sections 13.1.5 and 14.2).
 */
function writeRange(
  asked: string,
  whole: Variant,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const ifRange = request.headers["if-range"];
  const range = ifRange && ifRange !== whole.etag ? null : readRange(asked, whole.body.length);
  if (range === null || request.headers["if-none-match"] !== undefined) {
    writeVariant(200, whole, request, response);
    return;
  }
  const size = whole.body.length;
  if (range === "outside") {
    const refusal = ["content-range", `bytes */${size}`, "content-length", "0"];
    response.writeHead(416, [...securityHeadersOf(whole), ...refusal]).end();
    return;
  }
  const { first, last } = range;
  const headers = whole.headers.slice(0, whole.headers.lastIndexOf("content-length"));
  headers.push("content-range", `bytes ${first}-${last}/${size}`);
  headers.push("content-length", String(last - first + 1));
  response.writeHead(206, headers).end(whole.body.subarray(first, last + 1));
}

function securityHeadersOf({ headers }: Variant): string[] {
  return headers.flatMap((name, at) =>
    at % 2 === 0 && isOfEveryAnswer(name) ? headers.slice(at, at + 2) : [],
  );
}

/** The first and last byte asked for; null where the header is not one range of bytes. */
function readRange(
  asked: string,
  size: number,
): { first: number; last: number } | "outside" | null {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(asked.trim()) ?? [];
  if (from === "" && to === "") return null;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "outside" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return null;
  return first >= size ? "outside" : { first, last };
}
