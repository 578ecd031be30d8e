import { listSubscribers, type SubscriberListing } from "#newsletter/list-subscribers.ts";
import type { OpenStore } from "#server/open-store.ts";

/** Subscribers read from the database at once. */
const pageRows = 500;

/**
 * Subscribers in the order of their sign-up, page by page; only the confirmed, the bounced, the held, or at most `limit`,
 * where asked.
 */
export async function* allSubscribers(
  { db }: OpenStore,
  {
    confirmed = false,
    bounced = false,
    held = false,
    limit = Number.POSITIVE_INFINITY,
  }: { confirmed?: boolean; bounced?: boolean; held?: boolean; limit?: number },
): AsyncGenerator<SubscriberListing> {
  const state = confirmed ? "confirmed" : bounced ? "bounced" : undefined;
  let afterId = 0;
  let left = limit;
  while (left > 0) {
    const rows = Math.min(pageRows, left);
    const page = await listSubscribers(db, { state, held, afterId, limit: rows });
    yield* page;
    left -= page.length;
    afterId = page.at(-1)?.id ?? afterId;
    if (page.length < pageRows) return;
  }
}
