import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

type Encoding = "br" | "gzip" | "identity";

type Variant = { etag: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

/** A file or a page in memory, in each encoding that a browser may accept. */
export type StoredAnswer = { status: number; variants: Record<Encoding, Variant> };

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

/** Compresses and stores a page. */
export async function storePage(content: Content): Promise<StoredAnswer> {
  const { body } = content;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const [br, gz] = await Promise.all([brotli(body, { params }), gzipped(body)]);
  return store(content, { br, gzip: gz });
}

/** Stores a page or file with its compressed forms. */
export function store(
  { status, headers, body }: Content,
  compressed: Partial<Record<Encoding, Buffer<ArrayBuffer>>>,
): StoredAnswer {
  const hash = createHash("sha256")
    .update(JSON.stringify([status, headers]))
    .update(body)
    .digest("base64url")
    .slice(0, 22);
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
  return { status, variants };
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
