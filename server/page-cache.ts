import { createHash, randomBytes } from "node:crypto";
import { setTimeout as delay, setImmediate as nextRound } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import { hours } from "#content/hours.ts";
import { ownWords } from "#content/own-words.ts";
import type { RequestOrigin, SiteSettings } from "#content/site-settings.ts";
import { nextTorontoMidnight, nextTorontoTime } from "#content/toronto-time.ts";
import { finishDocument, securityHeaders } from "./document.ts";
import { cachingOf, mustRevalidate, type PageAddress } from "./page-address.ts";

type DocumentOptions = {
  settings: SiteSettings;
  site(request: Request, origin: RequestOrigin): Response | Promise<Response>;
  /** Null in development, where the bundler adds them by script. */
  styles: string | null;
};

/** Too many pages wait. */
export class Busy extends Error {}

/** Further pages are refused. More forms may wait, since they go first. */
const waitingMax = { pages: 48, forms: 192 };

/** Makes the finished answer of a page's address, each in its turn. */
export function createDocuments({ settings, site, styles }: DocumentOptions) {
  // Rendering uses one thread; a second page runs while the first waits for data.
  const queue = new PQueue({ concurrency: 2 });

  async function make(request: Request, address: PageAddress, origin: RequestOrigin) {
    const isForm = request.method === "POST";
    if (queue.size >= waitingMax[isForm ? "forms" : "pages"]) throw new Busy();
    const waiting = new AbortController();
    // A retrying proxy must wait longer (deploy/nginx/chalkline.conf).
    const timer = setTimeout(() => waiting.abort(new Busy()), 6_000);
    const render = () => {
      clearTimeout(timer);
      // Others get in between two pages.
      return renderPage(request, address, origin).finally(nextRound);
    };
    return await queue.add(render, { priority: isForm ? 1 : 0, signal: waiting.signal });
  }

  async function renderPage(request: Request, address: PageAddress, origin: RequestOrigin) {
    const nonce = randomBytes(16).toString("hex");
    const rendered = await site(request, { ...origin, nonce });
    const { status } = rendered;
    const headers = new Headers(rendered.headers);
    const isNeverCached = status >= 500 || request.method === "POST";
    if (isNeverCached) headers.set("Cache-Control", "no-store");
    else if (!headers.has("Cache-Control"))
      headers.set("Cache-Control", rendered.ok ? cachingOf(address) : mustRevalidate);
    if (!headers.get("Content-Type")?.startsWith("text/html"))
      return new Response(rendered.body, { status, headers });
    const { showsIssueBody } = address.page;
    const facts = { settings, nonce, showsIssueBody, styles };
    const { html, policy } = finishDocument(await rendered.text(), facts);
    headers.set("Content-Security-Policy", policy);
    return new Response(html, { status, headers });
  }

  return {
    make,
    makeForEverybody(address: PageAddress): Promise<Response> {
      return make(new Request(settings.url + address.key), address, { clientAddress: null });
    },
  };
}

/** RFC 5861, stale-if-error. */
const staleMaxMs = 24 * 60 * 60_000;
/** Then a stale page is shown. */
const patienceMs = 1_000;

type Entry = {
  address: PageAddress;
  answer: StoredAnswer;
  /** Then it is stale. */
  lastsUntil: number;
  /** Null if the page shows no issues or the version is unknown. */
  version: string | null;
  /** Another object after each change. */
  words: SiteSettings["words"];
};

export type PageCacheOptions = {
  settings: SiteSettings;
  makeDocument(address: PageAddress): Promise<Response>;
  archiveVersion: () => Promise<string>;
};

/** Caches a page until the day, the opening or an issue changes. */
export function createPageCache({ settings, makeDocument, archiveVersion }: PageCacheOptions) {
  const entries = new LRUCache<string, Entry>({
    ttl: staleMaxMs,
    ttlResolution: 1_000,
    // A thousand pages in three encodings.
    maxSize: 96 * 1024 * 1024,
    sizeCalculation: ({ answer: { variants } }) =>
      Object.values(variants).reduce((sum, { body }) => sum + body.length, 0),
  });
  const underWay = new Map<string, Promise<Found>>();

  /** Null while it can't be read. */
  function readVersion(): Promise<string | null> {
    const version = archiveVersion().catch(() => null);
    return Promise.race([version, delay(patienceMs, null, { ref: false })]);
  }

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
    const stale = entry ? { answer: entry.answer, isStale: true } : null;
    // The database is down, so rendering would fail too.
    if (stale && page.showsIssues && version === null) return { ...stale, isHit: true };
    const rendering = renderOnce(address, version);
    if (!stale) return { ...(await rendering), isHit: false };
    const late = delay(patienceMs, stale, { ref: false });
    const found = await Promise.race([rendering.catch(() => stale), late]);
    const isBroken = "response" in found && found.response.status >= 500;
    return { ...(isBroken ? stale : found), isHit: false };
  }

  /** Shares a render unless the archive has changed since it began. */
  function renderOnce(address: PageAddress, version: string | null): Promise<Found> {
    const name = `${version} ${address.key}`;
    const begun = underWay.get(name);
    if (begun) return begun;
    const rendering = renderAndStore(address, version).finally(() => underWay.delete(name));
    // Prevents an unhandled rejection.
    rendering.catch(() => {});
    underWay.set(name, rendering);
    return rendering;
  }

  async function renderAndStore(address: PageAddress, version: string | null): Promise<Found> {
    const madeAt = Date.now();
    const { words } = settings;
    const response = await makeDocument(address);
    const { status } = response;
    if (status === 404) entries.delete(address.key ?? "");
    // The missing page is cached although it says no-store.
    const isUncacheable =
      response.headers.get("cache-control")?.includes("no-store") && status !== 404;
    if (status !== address.status || isUncacheable) return { response };
    const body = Buffer.from(await response.arrayBuffer());
    const headers = { ...securityHeaders(settings), ...Object.fromEntries(response.headers) };
    const answer = store({ status, headers, body, ...(await compressed(body)) });
    const { opens, closes } = ownWords(settings, "hours", hours);
    const lastsUntil = Math.min(
      nextTorontoMidnight(madeAt),
      nextTorontoTime(madeAt, opens),
      nextTorontoTime(madeAt, closes),
    );
    entries.set(address.key ?? "", { address, answer, lastsUntil, version, words });
    return { answer, isStale: false };
  }

  return {
    peek(target: string, request: Request) {
      const entry = entries.get(target);
      if (!entry || entry.address.page.showsIssues || !isCurrent(entry)) return null;
      return answerWith(entry.answer, request);
    },
    async answer(address: PageAddress, request: Request) {
      const found = await find(address);
      const { isHit } = found;
      if ("response" in found) return { response: found.response.clone(), isHit };
      const caching = found.isStale ? mustRevalidate : undefined;
      return { response: answerWith(found.answer, request, caching), isHit };
    },
  };
}

type Encoding = "br" | "gzip" | "identity";

type Variant = { etag: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

export type StoredAnswer = { status: number; variants: Record<Encoding, Variant> };

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compressed(body: Buffer<ArrayBuffer>) {
  const params = {
    // A tenth larger in a tenth of the time.
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const [br, gz] = await Promise.all([brotli(body, { params }), gzipped(body)]);
  return { br, gzip: gz };
}

type Content = {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
  br?: Buffer<ArrayBuffer>;
  gzip?: Buffer<ArrayBuffer>;
};

export function store({ status, headers, body, br, gzip }: Content): StoredAnswer {
  const hash = createHash("sha256")
    .update(JSON.stringify([status, headers]))
    .update(body)
    .digest("base64url")
    .slice(0, 22);
  const variantOf = (bytes: Buffer<ArrayBuffer>, encoding?: Encoding): Variant => {
    // RFC 9110, section 8.8.1.
    const etag = `"${[hash, encoding].filter(Boolean).join("-")}"`;
    return {
      etag,
      headers: {
        ...headers,
        etag,
        vary: "accept-encoding",
        ...(encoding && { "content-encoding": encoding }),
        "content-length": String(bytes.length),
      },
      body: bytes,
    };
  };
  const identity = variantOf(body);
  const variants = {
    br: br ? variantOf(br, "br") : identity,
    gzip: gzip ? variantOf(gzip, "gzip") : identity,
    identity,
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
