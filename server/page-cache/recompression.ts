import type { PageKey } from "../page-policy/resolve-address.ts";
import { type CachedResponse, madeSmall } from "./cached-response.ts";

/**
 * Making one of many as small as it can be takes 70 ms of another thread, for which nobody waits: whoever comes first gets
 * it some 8 % larger. So many may wait for it, and one more in so long after that, when it is asked for again: a stranger
 * who asks for all of them costs a seventh of a core at most.
 */
const waitingMax = 8;
const oneMoreEveryMs = 500;
/**
 * What was made for its first visitor is made small so much later: three threads that compress would take the processors
 * of a small machine from the very answer.
 */
const answeredAfterMs = 200;
/**
 * What has just changed is made small so much later: all copies of the server that share a machine make it anew at the same
 * moment, and are to show it before any makes it smaller.
 */
const changedAfterMs = 1_000;

type RecompressionOptions<Entry> = {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Whether it is still what the cache gives. */
  isCached: (page: PageKey, entry: Entry) => boolean;
  /** Takes the small one in its place. */
  replace: (page: PageKey, entry: Entry, response: CachedResponse) => void;
};

/** Makes what the cache gives as small as it can be, after it has first been given. */
export function createRecompression<Entry extends { response: CachedResponse }>({
  now,
  isCached,
  replace,
}: RecompressionOptions<Entry>) {
  /** The moment from which on none of those at once has been used (a "leaky bucket" by its time). */
  let freeSince = 0;
  /**
   * One is made small after the other: all that show issues are due at once after a change, and four at a time would take
   * the processors of a small machine from whoever waits for a page, and 16 MB.
   */
  let last = Promise.resolve();

  function isAnotherAllowed(): boolean {
    const time = now();
    const since = Math.max(freeSince, time - waitingMax * oneMoreEveryMs) + oneMoreEveryMs;
    if (since > time) return false;
    freeSince = since;
    return true;
  }

  function begin(page: PageKey, entry: Entry) {
    const isLeft = !isCached(page, entry) || entry.response.effort === "thorough";
    if (isLeft || (page.varies && !isAnotherAllowed())) return;
    last = last.then(() => recompress(page, entry));
  }

  async function recompress(page: PageKey, entry: Entry) {
    if (!isCached(page, entry)) return;
    // Where it can't be compressed now, it is as good as it was.
    const response = await madeSmall(entry.response).catch(() => null);
    if (response && isCached(page, entry)) replace(page, entry, response);
  }

  return {
    later(page: PageKey, entry: Entry, { isChange }: { isChange: boolean }) {
      // Data is small as it is, and nobody waits for it before there is anything to see.
      if (page.isData) return;
      const afterMs = isChange ? changedAfterMs : answeredAfterMs;
      setTimeout(begin, afterMs, page, entry).unref();
    },
  };
}
