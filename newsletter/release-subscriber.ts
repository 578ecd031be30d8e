import { mailboxKey } from "#mail/mailbox-key.ts";
import { applyEvent } from "./apply-event.ts";
import { loadSubscriber } from "./load-subscriber.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";
import { hasBounced } from "./subscriber-states.ts";

type ReleaseSubscriberResult =
  | {
      ok: true;
      email: string;
      /** When the confirmation mail goes out at the earliest; null where there is nothing to confirm. */
      mailAt: Date | null;
    }
  | { ok: false; reason: "unknown_subscriber" | "not_held" };

/**
 * Lets a held sign-up go on, or an address that had bounced be mailed again: the confirmation mail and the webhook event,
 * with the row or not at all. A mailbox that was sent such a mail within the hour gets this one when the hour is over.
 * Who has left stays so until they confirm.
 */
export async function releaseSubscriber(
  {
    db,
    newsletterWebhookUrl,
    now,
  }: Pick<NewsletterDeps, "db" | "newsletterWebhookUrl"> & { now: Date },
  { email }: { email: string },
): Promise<ReleaseSubscriberResult> {
  return await db.transaction().execute(async (trx): Promise<ReleaseSubscriberResult> => {
    const loaded = await loadSubscriber(trx, mailboxKey(email), now);
    const { answer, mailAt } = await applyEvent(trx, loaded, {
      event: "release",
      now,
      newsletterWebhookUrl,
    });
    if (answer !== "ok") {
      return { ok: false, reason: answer === "unknown" ? "unknown_subscriber" : "not_held" };
    }
    const released = loaded.row?.pending_email ?? loaded.row?.email ?? email;
    const isReader = hasBounced(loaded.state);
    return { ok: true, email: released, mailAt: isReader ? null : (mailAt ?? now) };
  });
}
