import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import { mustRevalidate } from "../page-policy/page-caching.ts";
import { createVariant, type Variant, withCacheControl } from "./write-variant.ts";

export const encodings = ["br", "zstd", "gzip", "identity"] as const;
export type Encoding = (typeof encodings)[number];

/** A response as bytes, in every encoding that a client may ask for. */
export type CachedResponse = {
  status: number;
  /** Of the headers and the uncompressed body. */
  hash: string;
  variants: Record<Encoding, Variant>;
  sizeBytes: number;
};

// A page is compressed once and sent many times, so it gets the most thorough setting of each. Ten times a page takes
// seconds at those; whoever asks for so much waits less at a lighter one.
const thoroughly = { br: 11, zstd: 12, gzip: 9 };
const quickly = { br: 5, zstd: 3, gzip: 6 };
const thoroughMaxBytes = 100 * 1024;
const brotli = promisify(brotliCompress);
const zstandard = promisify(zstdCompress);
const gzipped = promisify(gzip);
function brotliOptions(sizeBytes: number, quality: number) {
  // A compressor's memory goes by its window, 32 MB for one of 4 MB; a page needs none larger than itself.
  const window = Math.ceil(Math.log2(sizeBytes + 16)) + 1;
  const { BROTLI_MIN_WINDOW_BITS: min, BROTLI_MAX_WINDOW_BITS: max } = constants;
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: sizeBytes,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(Math.max(window, min), max),
    },
  };
}
function zstdOptions(sizeBytes: number, level: number) {
  return {
    params: { [constants.ZSTD_c_compressionLevel]: level },
    pledgedSrcSize: sizeBytes,
  };
}

/** Headers that belong to one answer on one connection, or that each variant has of its own. */
const ownHeaders = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "etag",
  "keep-alive",
  "transfer-encoding",
  "vary",
  "x-request-id",
]);

/**
 * Reads an uncompressed response whole and makes its variants. Where it says the same as the one before it, that one is
 * given again, so that looking anew at an unchanged page costs no compression.
 */
export async function cacheResponse(
  response: Response,
  previous: CachedResponse | null,
): Promise<CachedResponse> {
  const { body, hash, variant } = await readResponse(response);
  if (previous?.hash === hash && previous.status === response.status) return previous;
  const levels = body.length > thoroughMaxBytes ? quickly : thoroughly;
  const [br, zst, gz] = await Promise.all([
    brotli(body, brotliOptions(body.length, levels.br)),
    zstandard(body, zstdOptions(body.length, levels.zstd)),
    gzipped(body, { level: levels.gzip }),
  ]);
  return {
    status: response.status,
    hash,
    variants: {
      br: variant("br", br),
      zstd: variant("zstd", zst),
      gzip: variant("gzip", gz),
      identity: variant("identity", body),
    },
    sizeBytes: body.length + br.length + zst.length + gz.length,
  };
}

/** A response that is given once, in the form of the others. It is not worth compressing. */
export async function uncachedResponse(response: Response): Promise<CachedResponse> {
  const { body, hash, variant } = await readResponse(response);
  const identity = variant("identity", body);
  return {
    status: response.status,
    hash,
    variants: { br: identity, zstd: identity, gzip: identity, identity },
    sizeBytes: body.length,
  };
}

/** The response as it is given while a new one can't be made: no cache on the way may give it without asking. */
export function staleResponse(response: CachedResponse): CachedResponse {
  const { br, zstd, gzip, identity } = response.variants;
  const stale = (variant: Variant) => withCacheControl(variant, mustRevalidate);
  return {
    ...response,
    variants: { br: stale(br), zstd: stale(zstd), gzip: stale(gzip), identity: stale(identity) },
  };
}

async function readResponse(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  const shared = [...response.headers].filter(([name]) => !ownHeaders.has(name));
  const hash = createHash("sha256")
    .update(shared.flat().join("\n"))
    .update(body)
    .digest("base64url");
  const variant = (encoding: Encoding, bytes: Buffer): Variant =>
    createVariant({
      shared,
      etag: `"${hash.slice(0, 22)}-${encoding}"`,
      encoding: encoding === "identity" ? null : encoding,
      body: bytes,
    });
  return { body, hash, variant };
}
