import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const encodings = ["br", "gzip", "identity"] as const;
type Encoding = (typeof encodings)[number];

type Variant = { etag: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

/** A file or a page in memory, in each encoding that a browser may accept. */
export type StoredAnswer = {
  status: number;
  /** Of the headers and the body. */
  hash: string;
  sizeBytes: number;
  variants: Record<Encoding, Variant>;
};

type Content = {
  status: number;
  /** Names in lower case, without those of an encoding. */
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** A tenth larger than the best quality, in a tenth of the time. */
const brotliQuality = 9;

/** Stores a page. If it equals the previous one, that is returned, so that it isn't compressed again. */
export async function storePage(
  content: Content,
  previous: StoredAnswer | undefined,
): Promise<StoredAnswer> {
  const { body } = content;
  const hash = hashOf(content);
  if (previous?.hash === hash) return previous;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const [br, gz] = await Promise.all([brotli(body, { params }), gzipped(body)]);
  return store(content, hash, { br, gzip: gz });
}

/** Stores a file with the forms that the build has compressed. */
export function storeFile(
  content: Content,
  compressed: Partial<Record<Encoding, Buffer<ArrayBuffer>>>,
): StoredAnswer {
  return store(content, hashOf(content), compressed);
}

function store(
  { status, headers, body }: Content,
  hash: string,
  compressed: Partial<Record<Encoding, Buffer<ArrayBuffer>>>,
): StoredAnswer {
  const variantIn = (encoding: Encoding): Variant => {
    const bytes = compressed[encoding] ?? body;
    const isEncoded = bytes !== body;
    // A strong tag names the very bytes (RFC 9110, section 8.8.1).
    const etag = `"${hash}${isEncoded ? `-${encoding}` : ""}"`;
    return {
      etag,
      headers: {
        ...headers,
        etag,
        vary: "accept-encoding",
        ...(isEncoded && { "content-encoding": encoding }),
        "content-length": String(bytes.length),
      },
      body: bytes,
    };
  };
  const variants = {
    br: variantIn("br"),
    gzip: variantIn("gzip"),
    identity: variantIn("identity"),
  };
  const bodies = new Set(Object.values(variants).map((variant) => variant.body));
  const sizeBytes = [...bodies].reduce((sum, { length }) => sum + length, 0);
  return { status, hash, sizeBytes, variants };
}

/** Answers with the variant that the browser accepts, or with 304 if it has that already. */
export function answerWith(
  { status, variants }: StoredAnswer,
  { method, headers: asked }: Request,
  cacheControl?: string,
): Response {
  const { etag, headers, body } = variants[chooseEncoding(asked.get("accept-encoding"))];
  const sent = cacheControl ? { ...headers, "cache-control": cacheControl } : headers;
  if (status === 200 && names(asked.get("if-none-match"), etag)) {
    const { "content-length": _, "content-encoding": __, "content-type": ___, ...kept } = sent;
    return new Response(null, { status: 304, headers: kept });
  }
  return new Response(method === "HEAD" ? null : body, { status, headers: sent });
}

const accepted = (name: string) =>
  new RegExp(`(?:^|[ ,])${name}(?![\\w-]| *; *q=0(?:[.]0*)? *(?:,|$))`, "i");
const acceptsBrotli = accepted("br");
const acceptsGzip = accepted("gzip");

/** The smallest that `Accept-Encoding` allows (RFC 9110, section 12.5.3). */
function chooseEncoding(acceptEncoding: string | null): Encoding {
  if (acceptEncoding === null) return "identity";
  if (acceptsBrotli.test(acceptEncoding)) return "br";
  return acceptsGzip.test(acceptEncoding) ? "gzip" : "identity";
}

/** Weak comparison (RFC 9110, section 8.8.3.2): a proxy that compresses makes a strong tag weak. */
function names(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return (
    ifNoneMatch === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
  );
}

function hashOf({ status, headers, body }: Content): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([status, headers]))
    .update(body);
  return hash.digest("base64url").slice(0, 22);
}
