import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { erasedAmong } from "../privacy/erasures.ts";
import { addressKeys } from "./email-key.ts";
import { newSubscriberToken } from "./subscriber-token.ts";

/** Rows in one statement: well below the databases' limits on parameters (SQLite 32,766, PostgreSQL 65,535). */
const batchSize = 100;

/** A subscriber from another list; times are ISO 8601 in UTC with milliseconds. */
export type ImportedSubscriber = {
  email: string;
  consentText: string;
  consentPage: string | null;
  consentAddress: string | null;
  subscribedAt: string;
  confirmedAt: string | null;
  unsubscribedAt: string | null;
};

/**
 * Imports subscribers in one transaction and answers how many were new. An address that is there already keeps its row
 * as it is: above all, one that has unsubscribed stays so. One whose holder asked to be erased is left out. No mail goes out and no webhook is called. `onProgress`
 * hears how many have been looked at after each batch.
 */
export async function importSubscribers(
  db: Kysely<Database>,
  subscribers: readonly ImportedSubscriber[],
  onProgress: (done: number) => void = () => {},
): Promise<{ added: number; erased: number }> {
  return await db.transaction().execute(async (trx) => {
    let added = 0;
    let erased = 0;
    for (let start = 0; start < subscribers.length; start += batchSize) {
      const batch = subscribers.slice(start, start + batchSize);
      const gone = await erasedAmong(
        trx,
        batch.map(({ email }) => email),
      );
      const welcome = batch.filter(({ email }) => !gone.has(email));
      erased += batch.length - welcome.length;
      onProgress(start + batch.length);
      if (welcome.length === 0) continue;
      const rows = await trx
        .insertInto("subscribers")
        .values(welcome.map(subscriberRow))
        .onConflict((conflict) => conflict.column("email_key").doNothing())
        .returning("id")
        .execute();
      added += rows.length;
    }
    return { added, erased };
  });
}

function subscriberRow(subscriber: ImportedSubscriber) {
  return {
    email: subscriber.email,
    ...addressKeys(subscriber.email),
    token: newSubscriberToken(),
    consent_text: subscriber.consentText,
    consent_page: subscriber.consentPage,
    consent_address: subscriber.consentAddress,
    subscribed_at: subscriber.subscribedAt,
    confirmed_at: subscriber.confirmedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
  };
}
