import type { Kysely } from "kysely";
import type { Database, Priority } from "#db/tables.ts";
import { findMailbox } from "#mail/mailbox-key.ts";
import { enqueue, newDeliveryId } from "#mail/outbox-jobs.ts";
import { readAddress } from "#mail/read-address.ts";
import { type LoadedSubscriber, loadSubscriber, lockMailboxes } from "../load-subscriber.ts";
import type { NewsletterDeps } from "../newsletter-deps.ts";
import { isSubscriberToken, newSubscriberToken } from "../subscriber-token.ts";
import { withdrawMail } from "../withdraw-mail.ts";
import { withdrawAddressChange, withdrawUnsentChangesTo } from "./withdraw-address-change.ts";

type RequestAddressChangeResult =
  | { ok: true }
  | { ok: false; reason: "invalid_email" }
  /** Nobody's link, or that of somebody who is no reader any more: they sign up with the new address. */
  | { ok: false; reason: "not_a_reader" };

/**
 * Takes a reader's wish to be sent the newsletter at another address, and asks that address's owner. Nothing changes
 * until they confirm. The answer is the same whatever the address is to the newsletter already, and it's mailed once an
 * hour at most, whoever asks for it and however it is spelled: what is asked within that hour is mailed at its end.
 */
export async function requestAddressChange(
  { db, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  {
    token,
    email,
    requestId,
    priority,
  }: { token: string; email: string; requestId?: string | null; priority?: Priority },
): Promise<RequestAddressChangeResult> {
  const address = readAddress(email);
  const toMailbox = address === null ? null : findMailbox(address);
  if (address === null || toMailbox === null) return { ok: false, reason: "invalid_email" };
  const now = clock();
  const result = await db
    .transaction()
    .execute(async (trx): Promise<RequestAddressChangeResult> => {
      const fromMailbox = await findReaderOfToken(trx, token);
      if (fromMailbox === null) return { ok: false, reason: "not_a_reader" };
      await lockMailboxes(trx, [fromMailbox, toMailbox]);
      const from = await loadSubscriber(trx, fromMailbox, now);
      if (from.state !== "confirmed") return { ok: false, reason: "not_a_reader" };
      const to = await loadSubscriber(trx, toMailbox, now);
      await askOwner(trx, { fromMailbox, to, address, now, requestId, priority });
      return { ok: true };
    });
  wakeOutbox();
  return result;
}

/** By the link in issues alone: one in an older mail may have gone to somebody else's spelling of the mailbox. */
async function findReaderOfToken(trx: Kysely<Database>, token: string): Promise<string | null> {
  if (!isSubscriberToken(token)) return null;
  const reader = await trx
    .selectFrom("subscribers")
    .select("mailbox_key")
    .where("token", "=", token)
    .executeTakeFirst();
  return reader?.mailbox_key ?? null;
}

type Asked = {
  fromMailbox: string;
  to: LoadedSubscriber;
  address: string;
  now: Date;
  requestId?: string | null;
  priority?: Priority;
};

async function askOwner(
  trx: Kysely<Database>,
  { fromMailbox, to, address, now, requestId, priority }: Asked,
): Promise<void> {
  const asked = await trx
    .selectFrom("address_changes")
    .select(["to_email", "token"])
    .where("from_mailbox", "=", fromMailbox)
    .executeTakeFirst();
  const isAgain = asked?.to_email === address;
  // What has been mailed already, or waits for the pause to end, isn't mailed again before.
  if (isAgain && to.pauseUntil) return;
  await withdrawAddressChange(trx, fromMailbox, now);
  await withdrawUnsentChangesTo(trx, to.mailbox, now);
  await withdrawMail(trx, to.mailbox, now);
  // What was just taken back may have been tried already.
  const { pauseUntil } = await loadSubscriber(trx, to.mailbox, now);
  const at = pauseUntil ?? now;
  const confirmToken = isAgain ? asked.token : newSubscriberToken();
  const deliveryId = newDeliveryId();
  await trx
    .insertInto("address_changes")
    .values({
      from_mailbox: fromMailbox,
      to_mailbox: to.mailbox,
      to_email: address,
      token: confirmToken,
      asked_at: now.toISOString(),
      mail_delivery_id: deliveryId,
      mail_at: at.toISOString(),
    })
    .execute();
  const payload = { email: address, confirmToken };
  const delivery = { deliveryId, notBefore: at, requestId, priority };
  await enqueue(trx, { kind: "address-change-email", payload, now, ...delivery });
}
