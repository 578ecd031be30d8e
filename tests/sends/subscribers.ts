import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { newSubscriberToken } from "#newsletter/subscribers/load-subscriber.ts";

const batchSize = 500;

/** Mail goes to so many domains, as with a real list, so that one that rests doesn't hold up the others. */
const domains = 200;

export function subscriberAddress(number: number): string {
  return `reader-${number}@d${number % domains}.example`;
}

/** Adds confirmed subscribers number `from` to `from + count - 1`. */
export async function addSubscribers(db: Kysely<Database>, count: number, from = 0): Promise<void> {
  const at = "2026-11-01T12:00:00.000Z";
  for (let start = 0; start < count; start += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - start) }, (_, index) => {
      const email = subscriberAddress(from + start + index);
      return {
        email,
        mailbox_key: email,
        token: newSubscriberToken(),
        subscribed_at: at,
        confirmed_at: at,
      };
    });
    await db.insertInto("subscribers").values(rows).execute();
  }
}
