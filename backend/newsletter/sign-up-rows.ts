import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import type { HeldReason } from "../held/held-reason.ts";
import { confirmationPauseMs } from "./confirmation-pause.ts";
import type { consentRecord } from "./consent.ts";
import { addressKeys } from "./email-key.ts";
import { newSubscriberToken } from "./subscriber-token.ts";

/** What a sign-up writes: the address with the proof of consent. `subscribed_at` is now. */
export type SignUp = ReturnType<typeof consentRecord> & { email: string; subscribed_at: string };

/** Undefined keeps the mail that is in the row already, since no other is written. */
type Mail = { confirmation_delivery_id: string | undefined };

// Each of the statements below decides and writes at once, so that sign-ups at the same moment can't both win.

/** Adds an address that isn't there yet; held, where a reason is given. */
export async function insertSignUp(
  trx: Kysely<Database>,
  signUp: SignUp,
  { confirmation_delivery_id, held }: Mail & { held: HeldReason | null },
) {
  return await trx
    .insertInto("subscribers")
    .values({
      ...signUp,
      ...addressKeys(signUp.email),
      confirmation_delivery_id: confirmation_delivery_id ?? null,
      held_at: held && signUp.subscribed_at,
      held_reason: held,
      token: newSubscriberToken(),
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("token")
    .executeTakeFirst();
}

/**
 * Begins anew with an address that has left or is held. The token stays: unsubscribe links in mail that was sent before
 * have to go on working (CASL, s. 11(2)).
 */
export async function renewSignUp(trx: Kysely<Database>, signUp: SignUp, mail: Mail) {
  return await trx
    .updateTable("subscribers")
    .set({ ...signUp, ...mail, confirmed_at: null, unsubscribed_at: null })
    .set({ held_at: null, held_reason: null })
    .where("email_key", "=", addressKeys(signUp.email).email_key)
    .where((eb) => eb.or([eb("unsubscribed_at", "is not", null), eb("held_at", "is not", null)]))
    .returning("token")
    .executeTakeFirst();
}

/** Renews the consent of an address that has not confirmed for the length of the pause; another mail follows. */
export async function refreshUnconfirmed(trx: Kysely<Database>, signUp: SignUp, mail: Mail) {
  const pauseBefore = Date.parse(signUp.subscribed_at) - confirmationPauseMs;
  return await trx
    .updateTable("subscribers")
    .set({ ...signUp, ...mail })
    .where("email_key", "=", addressKeys(signUp.email).email_key)
    .where("confirmed_at", "is", null)
    .where("unsubscribed_at", "is", null)
    .where("subscribed_at", "<=", new Date(pauseBefore).toISOString())
    .returning("token")
    .executeTakeFirst();
}

/**
 * Holds a sign-up for an address that is there already, where one that is not held would lead to a mail. Until its
 * release the row stays unsubscribed or unconfirmed, as it was.
 */
export async function holdKnown(
  trx: Kysely<Database>,
  signUp: SignUp,
  { held, mailedLately }: { held: HeldReason; mailedLately: boolean },
) {
  return await trx
    .updateTable("subscribers")
    .set({ ...signUp, held_at: signUp.subscribed_at, held_reason: held })
    .where("email_key", "=", addressKeys(signUp.email).email_key)
    .where("held_at", "is", null)
    .where((eb) => {
      const left = eb("unsubscribed_at", "is not", null);
      return mailedLately ? left : eb.or([left, eb("confirmed_at", "is", null)]);
    })
    .returning("unsubscribed_at")
    .executeTakeFirst();
}
