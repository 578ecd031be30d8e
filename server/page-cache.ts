import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { hours } from "#content/hours.ts";
import { ownWords } from "#content/own-words.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import { nextTorontoMidnight, nextTorontoTime } from "#content/toronto-time.ts";
import { securityHeaders } from "./document.ts";
import { mustRevalidate, type PageAddress } from "./page-address.ts";

/** RFC 5861, stale-if-error. */
const staleMaxMs = 24 * 60 * 60_000;
/** Then a stale page is shown. */
const patienceMs = 1_000;

type Entry = {
  address: PageAddress;
  answer: StoredAnswer;
  madeAt: number;
  lastsUntil: number;
  /** Null if the page shows no issues or the version is unknown. */
  version: string | null;
  /** Another object after each change. */
  words: SiteSettings["words"];
};

export type PageCacheOptions = {
  settings: SiteSettings;
  render(address: PageAddress): Promise<Response>;
  archiveVersion: () => Promise<string>;
};

/** Caches a page until the day, the opening or an issue changes. */
export function createPageCache({ settings, render, archiveVersion }: PageCacheOptions) {
  const entries = new LRUCache<string, Entry>({
    // A thousand pages in three encodings.
    maxSize: 96 * 1024 * 1024,
    sizeCalculation: ({ answer: { variants } }) =>
      Object.values(variants).reduce((sum, { body }) => sum + body.length, 0),
  });
  const underWay = new Map<string, Promise<Found>>();
  const readVersion = watchVersion(archiveVersion);

  type Found = { answer: StoredAnswer; isStale: boolean } | { response: Response };

  function isCurrent(entry: Entry): boolean {
    return Date.now() < entry.lastsUntil && entry.words === settings.words;
  }

  async function find(address: PageAddress): Promise<Found & { isHit: boolean }> {
    const { page, key } = address;
    const version = page.showsIssues ? await readVersion() : null;
    const entry = entries.get(key ?? "");
    if (entry && entry.version === version && isCurrent(entry))
      return { answer: entry.answer, isStale: false, isHit: true };
    const isShowable = entry && Date.now() - entry.madeAt < staleMaxMs;
    const stale = isShowable ? { answer: entry.answer, isStale: true } : null;
    // The database is down, so rendering would fail too.
    if (stale && page.showsIssues && version === null) return { ...stale, isHit: true };
    const rendering = renderOnce(address, version, stale);
    if (!stale) return { ...(await rendering), isHit: false };
    const late = delay(patienceMs, stale, { ref: false });
    return { ...(await Promise.race([rendering.catch(() => stale), late])), isHit: false };
  }

  /** Shares a render unless the archive has changed since it began. */
  function renderOnce(
    address: PageAddress,
    version: string | null,
    stale: Found | null,
  ): Promise<Found> {
    const name = `${version} ${address.key}`;
    const begun = underWay.get(name);
    if (begun) return begun;
    const rendering = renderAndStore(address, version, stale).finally(() => underWay.delete(name));
    // Prevents an unhandled rejection.
    rendering.catch(() => {});
    underWay.set(name, rendering);
    return rendering;
  }

  async function renderAndStore(
    address: PageAddress,
    version: string | null,
    stale: Found | null,
  ): Promise<Found> {
    const madeAt = Date.now();
    const { words } = settings;
    const response = await render(address);
    const { status } = response;
    if (status >= 500 && stale) return stale;
    if (status === 404 && address.ifMissing) {
      entries.delete(address.key ?? "");
      return await find(address.ifMissing);
    }
    // The missing page is cached although it says no-store.
    const isUncacheable =
      response.headers.get("cache-control")?.includes("no-store") && status !== 404;
    if (status !== address.status || isUncacheable) return { response };
    const body = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type");
    const headers = { ...Object.fromEntries(response.headers), ...securityHeaders(settings, type) };
    const answer = await storePage({ status, headers, body });
    const { opens, closes } = ownWords(settings, "hours", hours);
    const lastsUntil = Math.min(
      nextTorontoMidnight(madeAt),
      nextTorontoTime(madeAt, opens),
      nextTorontoTime(madeAt, closes),
    );
    entries.set(address.key ?? "", { address, answer, madeAt, lastsUntil, version, words });
    return { answer, isStale: false };
  }

  function respond(answer: StoredAnswer, isStale: boolean, request: Request) {
    const caching = isStale ? mustRevalidate : aheadCaching(answer, request.headers);
    return answerWith(answer, request, caching);
  }

  return {
    peek(target: string, request: Request) {
      const entry = entries.get(target);
      if (!entry || entry.address.page.showsIssues || !isCurrent(entry)) return null;
      return respond(entry.answer, false, request);
    },
    async answer(address: PageAddress, request: Request) {
      const found = await find(address);
      const { isHit } = found;
      if ("response" in found) return { response: found.response.clone(), isHit };
      return { response: respond(found.answer, found.isStale, request), isHit };
    },
  };
}

/** A prefetched page (app/ui/link.tsx) must still be cached at the click. */
function aheadCaching({ status }: StoredAnswer, requestHeaders: Headers) {
  const isAhead = status === 200 && requestHeaders.get("purpose") === "prefetch";
  return isAhead ? "private, max-age=10" : undefined;
}

/** Null while the version can't be read; only the first visitor waits for it. */
function watchVersion(look: () => Promise<string>): () => Promise<string | null> {
  let isHanging = false;
  return async () => {
    if (isHanging) return null;
    const version = look().catch(() => null);
    const read = await Promise.race([version, delay(patienceMs, undefined, { ref: false })]);
    if (read !== undefined) return read;
    isHanging = true;
    void version.then(() => {
      isHanging = false;
    });
    return null;
  };
}

type Encoding = "br" | "gzip" | "identity";

type Variant = { etag: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

export type StoredAnswer = { status: number; variants: Record<Encoding, Variant> };

type Content = {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function storePage(content: Content): Promise<StoredAnswer> {
  const { body } = content;
  const params = {
    // A tenth larger in a tenth of the time.
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const [br, gz] = await Promise.all([brotli(body, { params }), gzipped(body)]);
  return store(content, { br, gzip: gz });
}

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
    // RFC 9110, section 8.8.1.
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

export function answerWith(
  { status, variants }: StoredAnswer,
  { method, headers: requestHeaders }: Request,
  cacheControl?: string,
): Response {
  const { etag, headers, body } = variants[chooseEncoding(requestHeaders.get("accept-encoding"))];
  const sent = cacheControl ? { ...headers, "cache-control": cacheControl } : headers;
  if (status === 200 && matches(requestHeaders.get("if-none-match"), etag)) {
    const { "content-length": _, "content-encoding": __, "content-type": ___, ...others } = sent;
    return new Response(null, { status: 304, headers: others });
  }
  return new Response(method === "HEAD" ? null : body, { status, headers: sent });
}

const accepted = (name: string) =>
  new RegExp(`(?:^|[ ,])${name}(?![\\w-]| *; *q=0(?:[.]0*)? *(?:,|$))`, "i");
const acceptsBrotli = accepted("br");
const acceptsGzip = accepted("gzip");

/** RFC 9110, section 12.5.3. */
function chooseEncoding(acceptEncoding: string | null): Encoding {
  if (acceptEncoding === null) return "identity";
  if (acceptsBrotli.test(acceptEncoding)) return "br";
  return acceptsGzip.test(acceptEncoding) ? "gzip" : "identity";
}

/** Weak (RFC 9110, section 8.8.3.2): a compressing proxy makes tags weak. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return (
    ifNoneMatch === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
  );
}
