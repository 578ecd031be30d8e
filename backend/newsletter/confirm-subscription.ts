import { liftErasure } from "../privacy/erasures.ts";
import { announce } from "./announce.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";
import { isSubscriberToken } from "./subscriber-token.ts";

export type ConfirmResult =
  | { ok: true }
  | { ok: false; reason: "unknown_token" }
  /** The consent has been withdrawn since; an old link doesn't bring it back. */
  | { ok: false; reason: "unsubscribed" };

/** Confirms the address that a token was sent to. A repeat is answered like the first time. */
export async function confirmSubscription(
  { db, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { token, requestId }: { token: string; requestId?: string | null },
): Promise<ConfirmResult> {
  if (!isSubscriberToken(token)) return { ok: false, reason: "unknown_token" };
  const now = clock();
  const result = await db.transaction().execute(async (trx): Promise<ConfirmResult> => {
    const confirmed = await trx
      .updateTable("subscribers")
      // A later sign-up that is held has nothing left to wait for.
      .set({ confirmed_at: now.toISOString(), held_at: null })
      .where("token", "=", token)
      .where("confirmed_at", "is", null)
      .where("unsubscribed_at", "is", null)
      .returning("email")
      .executeTakeFirst();
    if (confirmed) {
      await liftErasure(trx, confirmed.email);
      const type = "newsletter.confirmed";
      await announce(trx, { type, email: confirmed.email, now, newsletterWebhookUrl, requestId });
      return { ok: true };
    }
    const subscriber = await trx
      .selectFrom("subscribers")
      .select("unsubscribed_at")
      .where("token", "=", token)
      .executeTakeFirst();
    if (!subscriber) return { ok: false, reason: "unknown_token" };
    return subscriber.unsubscribed_at ? { ok: false, reason: "unsubscribed" } : { ok: true };
  });
  wakeOutbox();
  return result;
}
