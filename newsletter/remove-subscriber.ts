import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { forgetSubscriber } from "./forget-subscriber.ts";
import { loadSubscriber } from "./load-subscriber.ts";

type RemoveSubscriberResult =
  /** `deliveryIds`: of the mails about it, whose files may lie in the data folder. */
  { ok: true; email: string; deliveryIds: string[] } | { ok: false; reason: "unknown_subscriber" };

/**
 * Deletes what is kept of a subscriber, however the address is spelled, as a person may ask for (PIPEDA, principle 4.5):
 * the row with the ledger of the consent, and the mails and webhook calls about it, delivered or not.
 */
export async function removeSubscriber(
  {
    db,
    newsletterWebhookUrl,
    now,
  }: { db: Kysely<Database>; newsletterWebhookUrl: string | null; now: Date },
  { email }: { email: string },
): Promise<RemoveSubscriberResult> {
  return await db.transaction().execute(async (trx): Promise<RemoveSubscriberResult> => {
    const loaded = await loadSubscriber(trx, mailboxKey(email), now);
    if (!loaded.row) return { ok: false, reason: "unknown_subscriber" };
    const { deliveryIds } = await forgetSubscriber(trx, loaded, {
      event: "remove",
      now,
      newsletterWebhookUrl,
    });
    return { ok: true, email: loaded.row.email, deliveryIds };
  });
}
