import { nextTorontoMidnight } from "#content/toronto-time.ts";
import type { PageKey } from "../page-policy/resolve-address.ts";
import {
  type CachedResponse,
  cacheResponse,
  staleResponse,
  uncachedResponse,
} from "./cached-response.ts";
import { createRecompression } from "./recompression.ts";

/** Past its time a response is still given for this long while a new one is made, so that no visitor waits for it. */
const staleMs = 900;
/**
 * While none can be made, the last good one is given for up to this long (RFC 5861 calls it stale-if-error). A database
 * that is away for longer is no outage any more that nobody needs to see.
 */
const staleIfErrorMs = 24 * 60 * 60_000;
/** Where there is a last good one, nobody waits longer than this for a new one. */
const patienceMs = 1_000;
/**
 * A page that shows issues is given for so long without being made anew, as long as the archive's version says that none
 * has changed. Pages without issues are kept as long.
 */
const unchangedMaxMs = 10 * 60_000;
/** How long a page that could not be made is left in peace. */
const retryAfterMs = 1_000;

/** Pages of which there are many, such as issues, share this room; it never costs another page its place. */
const defaultVaryingMaxEntries = 400;
const varyingMaxBytes = 40 * 1024 * 1024;
type Entry = {
  showsIssues: boolean;
  response: CachedResponse;
  /** The same, as it is given when a new one can't be made; made when it is needed. */
  stale: CachedResponse | null;
  madeAt: number;
  /** The version of the archive that it shows; null where that isn't known or it shows none. */
  version: string | null;
  freshUntil: number;
  usableUntil: number;
  /** Until then no new one is made, since that has just failed. */
  failingUntil: number;
};

type Made = Omit<Entry, "stale" | "failingUntil" | "showsIssues">;

export type PageCache = {
  /** The cached response, where there is one that may still be given. */
  find(page: PageKey): CachedResponse | null;
  /** Whether it is being made now, so that asking for it costs nothing more. */
  isMaking(page: PageKey): boolean;
  /**
   * Makes the response, keeps it where it may be kept, and gives it. Requests that come meanwhile share the one making.
   * Where it can't be made, the last good one is given, if there is any. A rejection is everyone's who waited. `asker`
   * is the visitor's address.
   */
  make(page: PageKey, asker?: string | null): Promise<CachedResponse>;
  /** Something has changed in the archive: what shows issues is made anew before it is given again. */
  archiveChanged(): void;
};

/** Makes the page, without any encoding, for `asker`; `read` takes the response in while its turn lasts. */
export type RenderPage = <T>(
  page: PageKey,
  asker: string | null,
  read: (response: Response) => Promise<T>,
) => Promise<T>;

type PageCacheOptions = {
  render: RenderPage;
  /** A word that is another one after every change to the issues; null where there is no such word. */
  archiveVersion?: (() => Promise<string>) | null;
  /** Whether there is such an issue, from memory; null where only making its page tells. */
  hasIssue?: ((id: number) => Promise<boolean | null>) | null;
  /** Milliseconds since 1970. */
  now?: () => number;
  varyingMaxEntries?: number;
};

/**
 * Pages as bytes. An entry ends when its time is up or when the day changes in Toronto, whichever comes first. Of pages
 * of which there are many, the least recently made go when there are too many; every other page keeps its place.
 */
export function createPageCache({
  render,
  archiveVersion = null,
  hasIssue = null,
  now = Date.now,
  varyingMaxEntries = defaultVaryingMaxEntries,
}: PageCacheOptions): PageCache {
  const fixed = new Map<string, Entry>();
  const varying = new Map<string, Entry>();
  const making = new Map<string, { made: Promise<CachedResponse>; change: number }>();
  /** Counts what has been heard of changes to the archive: what was begun before one may show what was there before. */
  let change = 0;
  let varyingBytes = 0;
  const recompression = createRecompression<Entry>({
    now,
    isCached: (page, entry) => entryOf(page) === entry,
    replace(page, entry, response) {
      if (page.varies) varyingBytes += response.sizeBytes - entry.response.sizeBytes;
      entry.response = response;
    },
  });

  function entryOf({ key, varies }: PageKey): Entry | undefined {
    return (varies ? varying : fixed).get(key);
  }

  function find(page: PageKey): CachedResponse | null {
    const entry = entryOf(page);
    if (!entry) return null;
    const time = now();
    if (time < entry.freshUntil) return entry.response;
    if (time >= entry.usableUntil && time >= entry.failingUntil) return null;
    // One refresh at a time; whether it fails is seen by the request that finds nothing usable any more.
    if (time >= entry.failingUntil) refresh(page, null);
    return time < entry.usableUntil ? entry.response : lastGood(page);
  }

  function make(page: PageKey, asker: string | null = null): Promise<CachedResponse> {
    const made = refresh(page, asker);
    return lastGood(page) ? madeInTime(page, made) : made;
  }

  /** The one making under way, unless it may show what has changed since. */
  function refresh(page: PageKey, asker: string | null): Promise<CachedResponse> {
    const underWay = making.get(page.key);
    if (underWay && (!page.showsIssues || underWay.change === change)) return underWay.made;
    const made = lookAgain(page, asker).finally(() => {
      if (making.get(page.key)?.made === made) making.delete(page.key);
    });
    // Those who wait see it fail; where nobody does, that is no error nobody handles.
    made.catch(() => {});
    making.set(page.key, { made, change });
    return made;
  }

  async function madeInTime(page: PageKey, made: Promise<CachedResponse>) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, patienceMs, null);
    });
    const inTime = await Promise.race([made, late]).finally(() => clearTimeout(timer));
    return inTime ?? instead(page) ?? made;
  }

  /** Makes the page anew, unless what it shows is known to be the same. */
  async function lookAgain(page: PageKey, asker: string | null): Promise<CachedResponse> {
    const askedAt = now();
    const askedAfter = change;
    const missing = (await isKnownToBeMissing(page)) && answerMissing(page, asker);
    if (missing) return missing;
    const version = page.showsIssues ? await versionNow() : null;
    const entry = entryOf(page);
    if (version === null || entry?.version !== version || !mayGoOn(entry, askedAt)) {
      return await makeAnew(page, asker, { version, askedAfter });
    }
    keep(page, { ...entry, ...timesOf(page, askedAt, askedAfter) });
    return entry.response;
  }

  /** Forgets a page that doesn't exist; gives what is said in its place, where there is something. */
  function answerMissing(page: PageKey, asker: string | null) {
    remove(page);
    return page.whenMissing && (find(page.whenMissing) ?? make(page.whenMissing, asker));
  }

  async function isKnownToBeMissing({ issueId, whenMissing }: PageKey): Promise<boolean> {
    if (issueId === null || !whenMissing || !hasIssue) return false;
    return (await hasIssue(issueId).catch(() => null)) === false;
  }

  async function versionNow(): Promise<string | null> {
    // A database that doesn't answer is met, and told of, where the page is made.
    return (await archiveVersion?.().catch(() => null)) ?? null;
  }

  function mayGoOn({ madeAt }: Entry, time: number): boolean {
    return time < madeAt + unchangedMaxMs && time < nextTorontoMidnight(madeAt);
  }

  async function makeAnew(
    page: PageKey,
    asker: string | null,
    { version, askedAfter }: { version: string | null; askedAfter: number },
  ): Promise<CachedResponse> {
    const askedAt = now();
    const previous = entryOf(page)?.response ?? null;
    const made = await render(page, asker, async (response) => {
      const isKept = mayBeKept(response, page);
      // What has changed is shown before it is as small as it can be.
      const isChange = previous !== null && isPage(response);
      const read = isKept
        ? cacheResponse(response, previous, page.varies || isChange ? "quick" : "thorough")
        : uncachedResponse(response);
      return { isKept, isChange, response: await read };
    }).catch((error: unknown) => {
      const response = instead(page);
      if (!response) throw error;
      return { isKept: false, isChange: false, response };
    });
    if (made.response.status >= 500) return instead(page) ?? made.response;
    if (made.isKept) {
      const { response } = made;
      const times = timesOf(page, askedAt, askedAfter);
      keep(page, { response, madeAt: askedAt, version, ...times }, made.isChange);
    } else if (made.response.status === 404) {
      return answerMissing(page, asker) ?? made.response;
    }
    return made.response;
  }

  /** What is given in place of a page that could not be made just now. */
  function instead(page: PageKey): CachedResponse | null {
    const entry = entryOf(page);
    if (entry) entry.failingUntil = now() + retryAfterMs;
    return lastGood(page);
  }

  /** The last good one, with a note to all caches on the way that it is not to be given without asking. */
  function lastGood(page: PageKey): CachedResponse | null {
    const entry = entryOf(page);
    if (!entry || now() - entry.madeAt >= staleIfErrorMs) return null;
    entry.stale ??= staleResponse(entry.response);
    return entry.stale;
  }

  /** The times of a page that is known to be right at a moment, before anything else was heard of the archive. */
  function timesOf({ ttlMs, showsIssues }: PageKey, time: number, askedAfter: number) {
    if (showsIssues && askedAfter !== change) return { freshUntil: time, usableUntil: time };
    const midnight = nextTorontoMidnight(time);
    return {
      freshUntil: Math.min(time + ttlMs, midnight),
      usableUntil: Math.min(time + ttlMs + staleMs, midnight),
    };
  }

  function keep(page: PageKey, made: Made, isChange = false) {
    remove(page);
    const { showsIssues } = page;
    const entry: Entry = { ...made, showsIssues, stale: null, failingUntil: 0 };
    (page.varies ? varying : fixed).set(page.key, entry);
    recompression.later(page, entry, { isChange });
    if (!page.varies) return;
    varyingBytes += entry.response.sizeBytes;
    for (const [key, { response: oldest }] of varying) {
      if (varying.size <= varyingMaxEntries && varyingBytes <= varyingMaxBytes) break;
      varying.delete(key);
      varyingBytes -= oldest.sizeBytes;
    }
  }

  function remove(page: PageKey) {
    if (page.varies) varyingBytes -= varying.get(page.key)?.response.sizeBytes ?? 0;
    (page.varies ? varying : fixed).delete(page.key);
  }

  function archiveChanged() {
    change += 1;
    for (const entry of [...fixed.values(), ...varying.values()]) {
      if (entry.showsIssues) Object.assign(entry, { freshUntil: 0, usableUntil: 0 });
    }
  }

  return { find, make, isMaking: ({ key }) => making.has(key), archiveChanged };
}

/** What somebody waits for, and not a feed's or sitemap's reader. */
function isPage({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/html") ?? false;
}

/** A page that says what is missing is made once for whatever is, so it is kept in spite of what it says of itself. */
function mayBeKept(response: Response, { status }: PageKey): boolean {
  if (response.status !== status) return false;
  return status === 404 || !response.headers.get("cache-control")?.includes("no-store");
}
