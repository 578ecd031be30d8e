import { announce } from "./announce.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";
import { isSubscriberToken } from "./subscriber-token.ts";

export type UnsubscribeResult = { ok: true } | { ok: false; reason: "unknown_token" };

/** Ends a subscription, confirmed or not, at once. A repeat is answered like the first time. */
export async function unsubscribe(
  { db, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { token, requestId }: { token: string; requestId?: string | null },
): Promise<UnsubscribeResult> {
  if (!isSubscriberToken(token)) return { ok: false, reason: "unknown_token" };
  const now = clock();
  const result = await db.transaction().execute(async (trx): Promise<UnsubscribeResult> => {
    const ended = await trx
      .updateTable("subscribers")
      .set({ unsubscribed_at: now.toISOString() })
      .where("token", "=", token)
      .where("unsubscribed_at", "is", null)
      .returning("email")
      .executeTakeFirst();
    if (ended) {
      const type = "newsletter.unsubscribed";
      await announce(trx, { type, email: ended.email, now, newsletterWebhookUrl, requestId });
      return { ok: true };
    }
    const known = await trx
      .selectFrom("subscribers")
      .select("id")
      .where("token", "=", token)
      .executeTakeFirst();
    return known ? { ok: true } : { ok: false, reason: "unknown_token" };
  });
  wakeOutbox();
  return result;
}
