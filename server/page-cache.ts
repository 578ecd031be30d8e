import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { nextTorontoMidnight } from "#content/toronto-time.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { securityHeaders } from "./document/security-headers.ts";
import type { PageAddress } from "./page-address.ts";
import { answerWith, type StoredAnswer, storePage } from "./stored-answer.ts";

/** A thousand pages of 60 KB, each in three encodings. */
const maxBytes = 96 * 1024 * 1024;
/** While nothing new can be made, the last good page is shown for up to this long (stale-if-error, RFC 5861). */
const staleMaxMs = 24 * 60 * 60_000;
/** Nobody waits longer than this for a new page, or for the archive's version, where there is a last good page. */
const patienceMs = 1_000;
/** An issue that was edited at a hosted project without a new version is shown after this at the latest. */
const issuesMaxMs = 10 * 60_000;

/** For a page that may be old: no cache on the way may show it without asking. */
export const mustRevalidate = "public, max-age=0, must-revalidate";

type Entry = {
  answer: StoredAnswer;
  madeAt: number;
  /** When the day changes, or its time is up. */
  lastsUntil: number;
  /** The archive's when the page was begun; null where it shows no issues or that wasn't known. */
  version: string | null;
};

export type PageCache = {
  /** The page from memory, or as it is made now, once for everybody who asks meanwhile. */
  answer(address: PageAddress, request: Request): Promise<{ response: Response; isHit: boolean }>;
};

type PageCacheOptions = {
  settings: SiteSettings;
  /** Makes the page, uncompressed, for nobody in particular. */
  render(address: PageAddress): Promise<Response>;
  /** Another word after every change to the issues, asked for with each page; null where only their age ends pages. */
  archiveVersion: (() => Promise<string>) | null;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** Pages as bytes. A page lasts until the day changes in Toronto; one that shows issues, until one of them changes. */
export function createPageCache({
  settings,
  render,
  archiveVersion,
  now = Date.now,
}: PageCacheOptions): PageCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ answer }) => answer.sizeBytes,
  });
  const making = new Map<string, Promise<Made>>();
  const readVersion = watchVersion(archiveVersion);

  type Made = { answer: StoredAnswer; isStale: boolean } | { response: Response };

  async function find(address: PageAddress): Promise<Made & { isHit: boolean }> {
    const { page, key } = address;
    const seen = page.showsIssues ? await readVersion() : null;
    const entry = entries.get(key ?? "");
    if (entry && entry.version === seen && now() < entry.lastsUntil)
      return { answer: entry.answer, isStale: false, isHit: true };
    const stale =
      entry && now() - entry.madeAt < staleMaxMs ? { answer: entry.answer, isStale: true } : null;
    // Without a version the database is away, and so would the page be.
    if (stale && page.showsIssues && archiveVersion && seen === null)
      return { ...stale, isHit: true };
    const made = makeOnce(address, seen, entry);
    if (!stale) return { ...(await made), isHit: false };
    const late = delay(patienceMs, stale, { ref: false });
    return { ...(await Promise.race([made.catch(() => stale), late])), isHit: false };
  }

  /** Who comes while it is made shares it, unless the archive has changed since it was begun. */
  function makeOnce(address: PageAddress, seen: string | null, previous?: Entry): Promise<Made> {
    const name = `${seen} ${address.key}`;
    const begun = making.get(name);
    if (begun) return begun;
    const made = make(address, seen, previous).finally(() => making.delete(name));
    // Where nobody waits any more, a failure is no error that nothing handles.
    made.catch(() => {});
    making.set(name, made);
    return made;
  }

  async function make(address: PageAddress, seen: string | null, previous?: Entry): Promise<Made> {
    const madeAt = now();
    const response = await render(address);
    const { status } = response;
    if (status >= 500 && previous) return { answer: previous.answer, isStale: true };
    if (status === 404 && address.ifMissing) {
      entries.delete(address.key ?? "");
      return await find(address.ifMissing);
    }
    // A page that says what is missing is made once for whatever is, in spite of what it says of itself.
    const isUncacheable =
      response.headers.get("cache-control")?.includes("no-store") && status !== 404;
    if (status !== address.status || isUncacheable) return { response };
    const body = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type");
    const headers = { ...Object.fromEntries(response.headers), ...securityHeaders(settings, type) };
    const answer = await storePage({ status, headers, body }, previous?.answer);
    const midnight = nextTorontoMidnight(madeAt);
    const lastsUntil = address.page.showsIssues
      ? Math.min(midnight, madeAt + issuesMaxMs)
      : midnight;
    entries.set(address.key ?? "", { answer, madeAt, lastsUntil, version: seen });
    return { answer, isStale: false };
  }

  return {
    async answer(address, { headers }) {
      const found = await find(address);
      const { isHit } = found;
      // Everybody who waited for an answer that isn't stored reads a copy.
      if ("response" in found) return { response: found.response.clone(), isHit };
      const caching = found.isStale ? mustRevalidate : aheadCaching(address, found.answer, headers);
      return { response: answerWith(found.answer, headers, caching), isHit };
    },
  };
}

/** Data that a browser fetches ahead must still be there at the click: for ten seconds, and for it alone. */
function aheadCaching({ isData }: PageAddress, { status }: StoredAnswer, asked: Headers) {
  const isAhead = isData && status === 200 && asked.get("sec-purpose")?.startsWith("prefetch");
  return isAhead ? "private, max-age=10" : undefined;
}

/** Null while the archive's version can't be read. Where it hangs, one visitor waits for that and not the next. */
function watchVersion(look: (() => Promise<string>) | null): () => Promise<string | null> {
  let given: Promise<string> | null = null;
  let latest: Promise<string | null> = Promise.resolve(null);
  let isHanging = false;

  async function inTime(version: Promise<string>): Promise<string | null> {
    const answered = version
      .catch(() => null)
      .finally(() => {
        isHanging = false;
      });
    const late = delay(patienceMs, undefined, { ref: false });
    const seen = await Promise.race([answered, late]);
    isHanging = seen === undefined;
    return seen ?? null;
  }

  return async () => {
    const asked = look?.() ?? null;
    // The archive looks once a second, and gives the same promise until then.
    if (asked && asked !== given) latest = inTime(asked);
    given = asked;
    return isHanging ? null : await latest;
  };
}
