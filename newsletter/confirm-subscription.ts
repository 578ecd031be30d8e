import { applyEvent } from "./apply-event.ts";
import { findMailboxOfToken } from "./find-mailbox-of-token.ts";
import { loadSubscriber } from "./load-subscriber.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";
import { type SubscriberState, subscriberStates } from "./subscriber-states.ts";

type ConfirmResult =
  | { ok: true }
  | { ok: false; reason: "unknown_token" }
  /** The consent has been withdrawn since; an old link doesn't bring it back. */
  | { ok: false; reason: "unsubscribed" };

/**
 * Confirms the address that a token was sent to. A repeat is answered like the first time. Only the link of the sign-up
 * that waits confirms: one from before somebody left doesn't answer for a stranger's sign-up since.
 */
export async function confirmSubscription(
  { db, newsletterWebhookUrl, wakeOutbox, countEvent, clock = () => new Date() }: NewsletterDeps,
  { token, requestId }: { token: string; requestId?: string | null },
): Promise<ConfirmResult> {
  const now = clock();
  let isNew = false;
  const result = await db.transaction().execute(async (trx): Promise<ConfirmResult> => {
    const mailbox = await findMailboxOfToken(trx, token);
    if (mailbox === null) return { ok: false, reason: "unknown_token" };
    const loaded = await loadSubscriber(trx, mailbox, now);
    const isLatest = loaded.row?.confirm_token === token;
    const { answer } = isLatest
      ? await applyEvent(trx, loaded, { event: "confirm", now, newsletterWebhookUrl, requestId })
      : subscriberStates[withoutPending(loaded.state)].confirm;
    isNew = answer === "ok" && isLatest && loaded.state !== "confirmed";
    if (answer === "ok") return { ok: true };
    return { ok: false, reason: answer === "unsubscribed" ? "unsubscribed" : "unknown_token" };
  });
  wakeOutbox();
  if (isNew) countEvent?.("reader confirmed");
  return result;
}

/** What an older link speaks of: nothing of a sign-up that waits now. */
function withoutPending(state: SubscriberState): SubscriberState {
  if (state.endsWith("after leaving")) return "left";
  return state === "confirmed" || state === "left" ? state : "absent";
}
