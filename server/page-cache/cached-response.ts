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
  effort: Effort;
  sizeBytes: number;
};

/**
 * How small it is made. Thoroughly costs some 70 ms of another thread for a page of 70 KB and saves a tenth of its
 * bytes: that is for what is sent many times. Quickly costs 3 ms.
 */
type Effort = "thorough" | "quick";

const levelsOf = {
  thorough: { br: 11, zstd: 12, gzip: 9 },
  quick: { br: 6, zstd: 3, gzip: 6 },
} as const;
/** Ten times a page takes seconds at the thorough levels; whoever asks for so much waits less at the others. */
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
  effort: Effort,
): Promise<CachedResponse> {
  const content = await readResponse(response);
  const { status } = response;
  if (previous?.hash === content.hash && previous.status === status) return previous;
  return await compressed({ ...content, status }, effort);
}

/** The same response, its variants as small as they can be. */
export async function madeSmall({ status, hash, variants }: CachedResponse) {
  const { headers, body } = variants.identity;
  const shared = Array.from({ length: headers.length / 2 }, (_, index) =>
    headers.slice(2 * index, 2 * index + 2),
  ).filter(([name = ""]) => !ownHeaders.has(name)) as [string, string][];
  return await compressed({ status, hash, shared, body }, "thorough");
}

type Content = Pick<CachedResponse, "status" | "hash"> & {
  /** Headers of every variant. */
  shared: [string, string][];
  body: Buffer;
};

async function compressed(content: Content, effort: Effort): Promise<CachedResponse> {
  const { status, hash, body } = content;
  const levels = levelsOf[isWorthMuch(content) ? effort : "quick"];
  const [br, zst, gz] = await Promise.all([
    brotli(body, brotliOptions(body.length, levels.br)),
    zstandard(body, zstdOptions(body.length, levels.zstd)),
    gzipped(body, { level: levels.gzip }),
  ]);
  return {
    status,
    hash,
    variants: {
      br: variantOf(content, "br", br, effort),
      zstd: variantOf(content, "zstd", zst, effort),
      gzip: variantOf(content, "gzip", gz, effort),
      identity: variantOf(content, "identity", body),
    },
    effort,
    sizeBytes: body.length + br.length + zst.length + gz.length,
  };
}

/**
 * Only somebody who waits for a page sees the difference: of a sitemap with 500 issues, the thorough levels take 80 ms of a
 * thread for 300 bytes less.
 */
function isWorthMuch({ shared, body }: Content): boolean {
  const type = shared.find(([name]) => name === "content-type")?.[1] ?? "";
  return body.length <= thoroughMaxBytes && !/\b(?:xml|json)\b/.test(type);
}

/** A response that is given once, in the form of the others. It is not worth compressing. */
export async function uncachedResponse(response: Response): Promise<CachedResponse> {
  const { status } = response;
  const content = await readResponse(response);
  const { body, hash } = content;
  const identity = variantOf({ ...content, status }, "identity", body);
  return {
    status,
    hash,
    variants: { br: identity, zstd: identity, gzip: identity, identity },
    effort: "quick",
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
  return { body, hash, shared };
}

function variantOf(
  { hash, shared }: Content,
  encoding: Encoding,
  body: Buffer,
  effort: Effort = "thorough",
): Variant {
  // A strong tag names the very bytes (RFC 9110, section 8.8.1).
  const ending = effort === "quick" ? "-quick" : "";
  return createVariant({
    shared,
    etag: `"${hash.slice(0, 22)}-${encoding}${ending}"`,
    encoding: encoding === "identity" ? null : encoding,
    body,
  });
}
