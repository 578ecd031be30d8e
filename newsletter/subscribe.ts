import type { HeldReason } from "#contact/held/held-reason.ts";
import { commitShared } from "#db/commit-shared.ts";
import type { SharedWrite } from "#db/shared-write.ts";
import type { Priority } from "#db/tables.ts";
import { findMailbox, readAddress } from "#mail/mailbox-key.ts";
import { applyEvent, applyEvents } from "./apply-event.ts";
import { type ConsentOrigin, consentOf } from "./consent.ts";
import { keepWordings } from "./consent-ledger.ts";
import type { Applied, Happening, SignUp } from "./happening.ts";
import { loadLocked, loadSubscriber, lockFreeMailboxes } from "./load-subscriber.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";

export type SubscribeResult =
  | { ok: true; duplicate: boolean }
  | { ok: false; reason: "invalid_email" };

type SignUpOrigin = ConsentOrigin & {
  requestId?: string | null;
  /** What makes it look like spam: then it is held, and answered as if it weren't. */
  suspicion?: HeldReason | null;
  /** The priority of its mail, where more waits than is sent. */
  priority?: Priority;
};

/**
 * Takes a sign-up: where the mailbox stands with the proof of consent, the mail and the webhook event, together or not at
 * all. A mailbox counts once, however its address is spelled, and is mailed once an hour at most. `duplicate` tells that
 * it has confirmed, or was signed up before and has not confirmed yet; never which of the two.
 */
export async function subscribe(
  { db, site, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { email, requestId, suspicion = null, priority, ...origin }: { email: string } & SignUpOrigin,
): Promise<SubscribeResult> {
  const address = readAddress(email);
  const mailbox = address === null ? null : findMailbox(address);
  if (address === null || mailbox === null) return { ok: false, reason: "invalid_email" };
  const signUp: SignUp = { email: address, suspicion, ...consentOf(site, origin) };
  await keepWordings(db, [signUp.wording]);
  const now = clock();
  const event = suspicion ? "sign up, suspected" : "sign up";
  const happening = { event, now, newsletterWebhookUrl, requestId, signUp, priority } as const;
  const { answer } = await commitShared(db, signingUp, { mailbox, happening });
  wakeOutbox();
  return { ok: true, duplicate: answer === "duplicate" };
}

/** Sign-ups of different mailboxes share their statements; one whose mailbox is busy elsewhere waits for it alone. */
const signingUp: SharedWrite<{ mailbox: string; happening: Happening }, Applied> = {
  keyOf: ({ mailbox }) => mailbox,
  async writeAll(trx, items) {
    const locked = await lockFreeMailboxes(
      trx,
      items.map(({ mailbox }) => mailbox),
    );
    const ours = items.filter(({ mailbox }) => locked.has(mailbox));
    if (ours.length === 0) return items.map(() => null);
    const loaded = await loadLocked(
      trx,
      ours.map(({ mailbox, happening }) => ({ mailbox, now: happening.now })),
    );
    const applied = await applyEvents(
      trx,
      loaded.map((one, index) => ({ loaded: one, happening: ours[index]?.happening as Happening })),
    );
    return items.map((item) => applied[ours.indexOf(item)] ?? null);
  },
  async writeOne(trx, { mailbox, happening }) {
    return await applyEvent(trx, await loadSubscriber(trx, mailbox, happening.now), happening);
  },
};
