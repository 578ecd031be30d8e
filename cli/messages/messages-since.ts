import type { ContactListing } from "#contact/messages.ts";
import { listMessages } from "#contact/messages.ts";
import type { OpenStore } from "#server/open-store.ts";
import { torontoDate } from "../terminal/toronto-time.ts";

/** Messages read from the database at once. */
const pageRows = 500;

/**
 * Messages, newest first, page by page; with `since` (`YYYY-MM-DD`) only those received on that day in Toronto or
 * later, with `held` only those held as suspected spam, with `limit` at most so many.
 */
export async function* messagesSince(
  { db }: OpenStore,
  {
    since,
    held = false,
    limit = Number.POSITIVE_INFINITY,
  }: { since?: string; held?: boolean; limit?: number },
): AsyncGenerator<ContactListing> {
  let beforeId: number | undefined;
  let left = limit;
  while (left > 0) {
    const page = await listMessages(db, { limit: Math.min(pageRows, left), beforeId, held });
    for (const message of page) {
      if (since !== undefined && torontoDate(new Date(message.receivedAt)) < since) return;
      yield message;
    }
    left -= page.length;
    beforeId = page.at(-1)?.id;
    if (page.length < pageRows) return;
  }
}
