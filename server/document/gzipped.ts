import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { chooseEncoding } from "../page-cache/choose-encoding.ts";

const compress = promisify(gzip);

/** A page that is made for one request is worth a moment's compression from here, and no more than that beyond. */
const sizeMin = 1_024;
const sizeMax = 256 * 1024;

/**
 * The page, compressed where the visitor takes gzip, so that the results of a search come with one flight as well. Only
 * what has a turn in the queue comes here, so no more than a few pages are compressed at a time, off the thread.
 */
export async function gzipped(
  html: string,
  { status, headers }: Response,
  acceptEncoding: string | undefined,
): Promise<Response> {
  headers.append("Vary", "Accept-Encoding");
  const isWorthIt = html.length >= sizeMin && html.length <= sizeMax;
  if (!isWorthIt || chooseEncoding(acceptEncoding, ["gzip"]) === "identity") {
    return new Response(html, { status, headers });
  }
  headers.set("Content-Encoding", "gzip");
  return new Response(await compress(html), { status, headers });
}
