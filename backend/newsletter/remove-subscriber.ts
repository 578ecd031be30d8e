import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { Database } from "../database/tables.ts";
import { announce } from "./announce.ts";
import { emailKey } from "./email-key.ts";

export type RemoveSubscriberResult =
  | { ok: true; email: string }
  | { ok: false; reason: "unknown_subscriber" };

/**
 * Deletes what is kept of a subscriber, as a person may ask for (PIPEDA, principle 4.5): the row with the consent, and
 * the mails and webhook calls that name the address, delivered or not. Where the person had not unsubscribed, the
 * webhook still hears of the end, so that a mailing tool behind it stops too.
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
    const removed = await trx
      .deleteFrom("subscribers")
      .where("email_key", "=", emailKey(email))
      .returning(["email", "token", "unsubscribed_at"])
      .executeTakeFirst();
    if (!removed) return { ok: false, reason: "unknown_subscriber" };
    await trx
      .deleteFrom("outbox")
      .where("kind", "in", ["confirmation-email", "newsletter-webhook"])
      .where((eb) =>
        eb.or([
          payloadHolds(eb, `"token":${JSON.stringify(removed.token)}`),
          payloadHolds(eb, `"email":${JSON.stringify(removed.email)}`),
        ]),
      )
      .execute();
    if (removed.unsubscribed_at === null) {
      const type = "newsletter.unsubscribed";
      await announce(trx, { type, email: removed.email, now, newsletterWebhookUrl });
    }
    return { ok: true, email: removed.email };
  });
}

function payloadHolds(eb: ExpressionBuilder<Database, "outbox">, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`${eb.ref("payload")} like ${pattern} escape '\\'`;
}
