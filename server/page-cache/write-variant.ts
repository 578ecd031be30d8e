import type { IncomingMessage, ServerResponse } from "node:http";
import { isOfEveryAnswer } from "../document/security-headers.ts";

/** One encoding of an answer, ready to be written: headers as Node takes them, and bytes. */
export type Variant = {
  /** A strong tag, with its quotation marks. */
  etag: string;
  /** All of them, with the length. */
  headers: string[];
  /** Those that tell a browser how to go on keeping what it has (RFC 9110, section 15.4.5), and the security headers. */
  notModifiedHeaders: string[];
  body: Buffer;
};

/** Makes a variant of what every encoding of an answer has and what this one has of its own. */
export function createVariant({
  shared,
  etag,
  encoding,
  body,
}: {
  /** Names in lower case. */
  shared: [string, string][];
  etag: string;
  /** Null for the bytes as they are. */
  encoding: string | null;
  body: Buffer;
}): Variant {
  const tag = ["etag", etag, "vary", "accept-encoding"];
  const encoded = encoding === null ? [] : ["content-encoding", encoding];
  return {
    etag,
    headers: [...shared.flat(), ...tag, ...encoded, "content-length", String(body.length)],
    notModifiedHeaders: [
      ...shared.filter(([name]) => name === "cache-control" || isOfEveryAnswer(name)).flat(),
      ...tag,
    ],
    body,
  };
}

/** The variant with another `Cache-Control`. */
export function withCacheControl(variant: Variant, value: string): Variant {
  const replaced = (headers: string[]) =>
    headers.map((text, at) => (headers[at - 1] === "cache-control" && at % 2 === 1 ? value : text));
  return {
    ...variant,
    headers: replaced(variant.headers),
    notModifiedHeaders: replaced(variant.notModifiedHeaders),
  };
}

/** Answers a GET or HEAD with the variant, or with 304 where an asker of a 200 has it already. */
export function writeVariant(
  status: number,
  variant: Variant,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  leaveOutWhatIsUnderstood(request, response);
  const ifNoneMatch = request.headers["if-none-match"];
  if (ifNoneMatch !== undefined && status === 200 && names(ifNoneMatch, variant.etag)) {
    response.writeHead(304, variant.notModifiedHeaders).end();
    return;
  }
  response.writeHead(status, variant.headers);
  response.end(request.method === "HEAD" ? undefined : variant.body);
}

/**
 * HTTP/1.1 keeps its connections unless it is told otherwise (RFC 9112, section 9.3), so that Node's two lines on it, 48 bytes of
 * each page's first flight, are for those who ask in an older version.
 */
function leaveOutWhatIsUnderstood(request: IncomingMessage, response: ServerResponse): void {
  if (request.httpVersion === "1.1" && response.shouldKeepAlive)
    response.removeHeader("connection");
}

/** Weak comparison of RFC 9110, section 8.8.3.2; a proxy that recompresses makes our strong tag a weak one. */
function names(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
