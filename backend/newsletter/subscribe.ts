import type { Kysely } from "kysely";
import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { commitTogether } from "../database/commit-together.ts";
import type { Database } from "../database/tables.ts";
import { isPlainAddress } from "../email/mail-message.ts";
import { mailboxKey } from "../email/mailbox-key.ts";
import type { HeldReason } from "../held/held-reason.ts";
import { noteHeld } from "../held/note-held.ts";
import { enqueue, newDeliveryId } from "../outbox/enqueue.ts";
import type { Turn } from "../outbox/turn.ts";
import { announce } from "./announce.ts";
import { findRecentMails, lockMailbox } from "./confirmation-pause.ts";
import { type ConsentOrigin, consentRecord } from "./consent.ts";
import { emailKey } from "./email-key.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";
import {
  holdKnown,
  insertSignUp,
  refreshUnconfirmed,
  renewSignUp,
  type SignUp,
} from "./sign-up-rows.ts";

export type SubscribeResult =
  | { ok: true; duplicate: false }
  | { ok: true; duplicate: true; state: "confirmed" | "unconfirmed" | "confirmation_sent_again" }
  | { ok: false; reason: "invalid_email" };

type SignUpOrigin = ConsentOrigin & {
  requestId?: string | null;
  /** What makes it look like spam: then it is held, and answered as if it weren't. */
  suspicion?: HeldReason | null;
  /** When its mail's turn is, where more wait than are sent. */
  turn?: Turn;
};

/**
 * Takes a sign-up: the subscriber with the proof of consent, the confirmation mail and the webhook event, together or
 * not at all. An address counts once, however it is capitalised; one that had unsubscribed begins anew. A mailbox is
 * sent one confirmation mail an hour at most: a sign-up for another spelling of its address is held meanwhile.
 */
export async function subscribe(
  { db, site, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { email, requestId, suspicion = null, turn, ...origin }: { email: string } & SignUpOrigin,
): Promise<SubscribeResult> {
  const parsed = v.safeParse(emailAddress("Email"), email);
  if (!parsed.success || !isPlainAddress(parsed.output)) {
    return { ok: false, reason: "invalid_email" };
  }
  const address = parsed.output;
  const key = emailKey(address);
  const mailbox = mailboxKey(address);
  const now = clock();
  const consent = consentRecord(site, origin);
  const signUp = { email: address, ...consent, subscribed_at: now.toISOString() };

  const result = await commitTogether(db, async (trx): Promise<SubscribeResult> => {
    await lockMailbox(trx, mailbox);
    const recentMails = await findRecentMails(trx, mailbox, now);
    const mailedLately = recentMails.some((mail) => mail.emailKey === key);
    const held = suspicion ?? (recentMails.length > 0 && !mailedLately ? "same_mailbox" : null);
    if (held) return await hold(trx, signUp, { held, mailedLately, now });

    const deliveryId = mailedLately ? undefined : newDeliveryId();
    const mail = { confirmation_delivery_id: deliveryId };
    const begun =
      (await insertSignUp(trx, signUp, { ...mail, held })) ??
      (await renewSignUp(trx, signUp, mail));
    const again = begun || mailedLately ? undefined : await refreshUnconfirmed(trx, signUp, mail);
    const token = (begun ?? again)?.token;
    if (token && deliveryId) {
      const payload = { email: address, token };
      await enqueue(trx, { kind: "confirmation-email", payload, now, deliveryId, requestId, turn });
    }
    if (begun) {
      const type = "newsletter.subscribed";
      await announce(trx, { type, email: address, now, newsletterWebhookUrl, requestId });
      // Who comes back within the hour has the mail already, and its link works again.
      if (deliveryId) return { ok: true, duplicate: false };
    }
    if (again) return { ok: true, duplicate: true, state: "confirmation_sent_again" };
    return await describeKnown(trx, key);
  });
  wakeOutbox();
  return result;
}

/** Answers what a sign-up that is not held would have been answered. */
async function hold(
  trx: Kysely<Database>,
  signUp: SignUp,
  { held, mailedLately, now }: { held: HeldReason; mailedLately: boolean; now: Date },
): Promise<SubscribeResult> {
  const inserted = await insertSignUp(trx, signUp, { confirmation_delivery_id: undefined, held });
  const known = inserted ? undefined : await holdKnown(trx, signUp, { held, mailedLately });
  if (inserted || known) await noteHeld(trx, now);
  if (inserted || (known?.unsubscribed_at && !mailedLately)) return { ok: true, duplicate: false };
  if (known && !known.unsubscribed_at) {
    return { ok: true, duplicate: true, state: "confirmation_sent_again" };
  }
  return await describeKnown(trx, emailKey(signUp.email));
}

async function describeKnown(trx: Kysely<Database>, key: string): Promise<SubscribeResult> {
  const { confirmed_at, unsubscribed_at } = await trx
    .selectFrom("subscribers")
    .select(["confirmed_at", "unsubscribed_at"])
    .where("email_key", "=", key)
    .executeTakeFirstOrThrow();
  const isReader = confirmed_at !== null && unsubscribed_at === null;
  return { ok: true, duplicate: true, state: isReader ? "confirmed" : "unconfirmed" };
}
