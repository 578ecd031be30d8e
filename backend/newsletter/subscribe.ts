import type { Kysely } from "kysely";
import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import type { Database } from "../database/tables.ts";
import { isPlainAddress } from "../email/mail-message.ts";
import { enqueue } from "../outbox/enqueue.ts";
import { announce } from "./announce.ts";
import { type ConsentOrigin, consentRecord } from "./consent.ts";
import { emailKey } from "./email-key.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";
import { newSubscriberToken } from "./subscriber-token.ts";

/** An address that has not confirmed gets no second confirmation mail sooner, whoever asks for it. */
const confirmationPauseMs = 60 * 60 * 1000;

export type SubscribeResult =
  | { ok: true; duplicate: false }
  | { ok: true; duplicate: true; state: "confirmed" | "unconfirmed" | "confirmation_sent_again" }
  | { ok: false; reason: "invalid_email" };

type Consent = ReturnType<typeof consentRecord> & { email: string; subscribed_at: string };

/**
 * Takes a sign-up: the subscriber with the proof of consent, the confirmation mail and the webhook event, together or
 * not at all. An address counts once, however it is capitalised; one that had unsubscribed begins anew.
 */
export async function subscribe(
  { db, site, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { email, requestId, ...origin }: { email: string; requestId?: string | null } & ConsentOrigin,
): Promise<SubscribeResult> {
  const parsed = v.safeParse(emailAddress("Email"), email);
  if (!parsed.success || !isPlainAddress(parsed.output)) {
    return { ok: false, reason: "invalid_email" };
  }
  const address = parsed.output;
  const key = emailKey(address);
  const now = clock();
  const consent = {
    email: address,
    ...consentRecord(site, origin),
    subscribed_at: now.toISOString(),
  };

  const result = await db.transaction().execute(async (trx): Promise<SubscribeResult> => {
    const begun = (await insertSubscriber(trx, key, consent)) ?? (await renew(trx, key, consent));
    if (begun) {
      const payload = { email: address, token: begun.token };
      await enqueue(trx, { kind: "confirmation-email", payload, now, requestId });
      const type = "newsletter.subscribed";
      await announce(trx, { type, email: address, now, newsletterWebhookUrl, requestId });
      return { ok: true, duplicate: false };
    }
    const again = await refreshUnconfirmed(trx, key, consent, now);
    if (again) {
      const payload = { email: address, token: again.token };
      await enqueue(trx, { kind: "confirmation-email", payload, now, requestId });
      return { ok: true, duplicate: true, state: "confirmation_sent_again" };
    }
    const { confirmed_at } = await trx
      .selectFrom("subscribers")
      .select("confirmed_at")
      .where("email_key", "=", key)
      .executeTakeFirstOrThrow();
    return { ok: true, duplicate: true, state: confirmed_at ? "confirmed" : "unconfirmed" };
  });
  wakeOutbox();
  return result;
}

// Each of the three statements below decides and writes at once, so that sign-ups at the same moment can't both win.

async function insertSubscriber(trx: Kysely<Database>, key: string, consent: Consent) {
  return await trx
    .insertInto("subscribers")
    .values({
      ...consent,
      email_key: key,
      token: newSubscriberToken(),
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("token")
    .executeTakeFirst();
}

/** The token stays: unsubscribe links in mail that was sent before have to go on working (CASL, s. 11(2)). */
async function renew(trx: Kysely<Database>, key: string, consent: Consent) {
  return await trx
    .updateTable("subscribers")
    .set({ ...consent, confirmed_at: null, unsubscribed_at: null })
    .where("email_key", "=", key)
    .where("unsubscribed_at", "is not", null)
    .returning("token")
    .executeTakeFirst();
}

/**
 * A mail goes out whenever `subscribed_at` of an unconfirmed address is set, in the same transaction, so that column is
 * also the time of the last mail.
 */
async function refreshUnconfirmed(trx: Kysely<Database>, key: string, consent: Consent, now: Date) {
  return await trx
    .updateTable("subscribers")
    .set(consent)
    .where("email_key", "=", key)
    .where("confirmed_at", "is", null)
    .where("unsubscribed_at", "is", null)
    .where("subscribed_at", "<=", new Date(now.getTime() - confirmationPauseMs).toISOString())
    .returning("token")
    .executeTakeFirst();
}
