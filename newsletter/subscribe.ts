import type { Kysely } from "kysely";
import type { CountEvent } from "#contracts/ports.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { Database, HeldReason, Priority } from "#db/tables.ts";
import { findMailbox, mailboxKey, readAddress } from "#mail/mailbox-key.ts";
import { applyEvent, type SignUp } from "./apply-event.ts";
import { type ConsentOrigin, consentOf } from "./consent-ledger.ts";
import { loadSubscriber } from "./load-subscriber.ts";
import { hasBounced, type SubscriberState, subscriberStates } from "./subscriber-states.ts";
import { findMailboxOfToken } from "./subscriber-token.ts";

/** What the newsletter's features work with. */
export type NewsletterDeps = {
  db: Kysely<Database>;
  /** Who asks for consent and whose links go into mail. */
  site: SiteIdentity;
  /** The operator's own webhook; the only one that is ever called. */
  newsletterWebhookUrl: string | null;
  /** Wakes the outbox worker after a commit; the worker also looks by itself. */
  wakeOutbox: () => void;
  countEvent?: CountEvent;
  clock?: () => Date;
};

export type SubscribeResult =
  | { ok: true; duplicate: boolean }
  | { ok: false; reason: "invalid_email" };

type SignUpOrigin = ConsentOrigin & {
  requestId?: string | null;
  /** What makes it look like spam: then it is quarantined, and answered as if it weren't. */
  suspicion?: HeldReason | null;
  /** The priority of its mail, where more waits than is sent. */
  priority?: Priority;
};

/**
 * Takes a sign-up in one transaction: the subscriber, the proof of consent, the mail and the webhook call. A mailbox
 * counts once, however its address is spelled, and is mailed once an hour at most. `duplicate` says that it has
 * confirmed, or was signed up before and hasn't confirmed yet; never which of the two.
 */
export async function subscribe(
  { db, site, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { email, requestId, suspicion = null, priority, ...origin }: { email: string } & SignUpOrigin,
): Promise<SubscribeResult> {
  const address = readAddress(email);
  const mailbox = address === null ? null : findMailbox(address);
  if (address === null || mailbox === null) return { ok: false, reason: "invalid_email" };
  const signUp: SignUp = { email: address, suspicion, ...consentOf(site, origin) };
  const now = clock();
  const { answer } = await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailbox, now);
    const event = suspicion ? "sign up, suspected" : "sign up";
    const happening = { event, now, newsletterWebhookUrl, requestId, signUp, priority } as const;
    return await applyEvent(trx, loaded, happening);
  });
  wakeOutbox();
  return { ok: true, duplicate: answer === "duplicate" };
}

type ConfirmResult =
  | { ok: true }
  | { ok: false; reason: "unknown_token" }
  /** The consent was withdrawn since; an old link doesn't bring it back. */
  | { ok: false; reason: "unsubscribed" };

/**
 * Confirms the address that a token was sent to. A repeat is answered like the first time. Only the latest link confirms:
 * one from before somebody left doesn't answer for a stranger's sign-up since.
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

/** The state that an older link is about: without the sign-up that waits now. */
function withoutPending(state: SubscriberState): SubscriberState {
  if (state.endsWith("after leaving")) return "left";
  return state === "confirmed" || state === "left" ? state : "absent";
}

type ReleaseSubscriberResult =
  | {
      ok: true;
      email: string;
      /** When the confirmation mail goes out at the earliest; null where there is nothing to confirm. */
      mailAt: Date | null;
    }
  | { ok: false; reason: "unknown_subscriber" | "not_held" };

/**
 * Releases a quarantined sign-up, or an address that had bounced. A mailbox that was sent a mail about a sign-up within
 * the hour gets this one when the hour is over. A subscriber who has left stays so until they confirm.
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
    return { ok: true, email: released, mailAt: hasBounced(loaded.state) ? null : (mailAt ?? now) };
  });
}
