import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { newSubscriberToken } from "#newsletter/subscribers/apply-event.ts";

/** Mail goes to so many domains, as with a real list, so that one that rests doesn't hold up the others. */
const domains = 200;

export function subscriberAddress(number: number): string {
  return `reader-${number}@d${number % domains}.example`;
}

/** Adds confirmed subscribers number `from` to `from + count - 1`. */
export async function addSubscribers(db: Kysely<Database>, count: number, from = 0): Promise<void> {
  const emails = Array.from({ length: count }, (_, index) => subscriberAddress(from + index));
  await addConfirmed(db, emails);
}

export async function addConfirmed(db: Kysely<Database>, emails: string[]): Promise<void> {
  const at = "2026-11-01T12:00:00.000Z";
  const rows = emails.map((email) => ({
    email,
    mailbox_key: email,
    token: newSubscriberToken(),
    subscribed_at: at,
    confirmed_at: at,
  }));
  await db.insertInto("subscribers").values(rows).execute();
}
