import { type KeptAnswer, keepAnswer } from "./kept-answer.ts";
import type { PageKey } from "./page-key.ts";

/** Past its time an answer is still given for this long while a new one is made, so that no visitor waits for it. */
const staleMs = 900;
const defaultMaxEntries = 500;
const maxBytes = 48 * 1024 * 1024;

type Entry = { answer: KeptAnswer; freshUntil: number; usableUntil: number };

export type PageCache = {
  /** The kept answer, where there is one that may still be given. */
  find(page: PageKey): KeptAnswer | null;
  /**
   * Makes the answer, keeps it where it may be kept, and gives it. Requests that come meanwhile share the one making.
   * A rejection is everyone's who waited, and nothing is kept of it.
   */
  make(page: PageKey): Promise<KeptAnswer>;
};

type PageCacheOptions = {
  /** Asks for the page by its key, without any encoding. */
  render: (key: string) => Promise<Response>;
  /** Milliseconds since 1970. */
  now?: () => number;
  maxEntries?: number;
};

/**
 * Pages as bytes. An entry ends when its time is up or when the day changes in Toronto, whichever comes first; the
 * least recently made go when there are too many.
 */
export function createPageCache({
  render,
  now = Date.now,
  maxEntries = defaultMaxEntries,
}: PageCacheOptions): PageCache {
  const entries = new Map<string, Entry>();
  const making = new Map<string, Promise<KeptAnswer>>();
  let totalBytes = 0;

  function find(page: PageKey): KeptAnswer | null {
    const entry = entries.get(page.key);
    if (!entry) return null;
    const time = now();
    if (time < entry.freshUntil) return entry.answer;
    if (time >= entry.usableUntil) return null;
    // One refresh at a time; whether it fails is seen by the request that finds nothing usable any more.
    if (!making.has(page.key)) make(page).catch(() => {});
    return entry.answer;
  }

  function make(page: PageKey): Promise<KeptAnswer> {
    const underWay = making.get(page.key);
    if (underWay) return underWay;
    const made = makeAnew(page).finally(() => making.delete(page.key));
    making.set(page.key, made);
    return made;
  }

  async function makeAnew(page: PageKey): Promise<KeptAnswer> {
    const askedAt = now();
    const response = await render(page.key);
    const answer = await keepAnswer(response, entries.get(page.key)?.answer ?? null);
    remove(page.key);
    if (mayBeKept(response)) {
      const midnight = nextTorontoMidnight(askedAt);
      add(page.key, {
        answer,
        freshUntil: Math.min(askedAt + page.keptMs, midnight),
        usableUntil: Math.min(askedAt + page.keptMs + staleMs, midnight),
      });
    }
    return answer;
  }

  function add(key: string, entry: Entry) {
    entries.set(key, entry);
    totalBytes += entry.answer.sizeBytes;
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries && totalBytes <= maxBytes) break;
      remove(oldest);
    }
  }

  function remove(key: string) {
    totalBytes -= entries.get(key)?.answer.sizeBytes ?? 0;
    entries.delete(key);
  }

  return { find, make };
}

function mayBeKept(response: Response): boolean {
  return response.status === 200 && !response.headers.get("cache-control")?.includes("no-store");
}

/** The moment at which the day of the given moment ends in Toronto; days of 23 and 25 hours included. */
export function nextTorontoMidnight(timeMs: number): number {
  return Temporal.Instant.fromEpochMilliseconds(timeMs)
    .toZonedDateTimeISO("America/Toronto")
    .add({ days: 1 })
    .startOfDay().epochMilliseconds;
}
