import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import {
  withdrawAddressChange,
  withdrawAddressChangesTo,
} from "./address-change/withdraw-address-change.ts";
import type { LoadedSubscriber } from "./load-subscriber.ts";
import { recordDeparture } from "./privacy/erasures.ts";
import { sendSignUpNews } from "./send-sign-up-news.ts";
import { subscriberStates, type Transition } from "./subscriber-states.ts";
import { keepPause } from "./withdraw-mail.ts";

type ForgottenSubscriber = {
  answer: Transition["answer"];
  deliveryIds: string[];
  webhookTold: boolean;
};

/**
 * Deletes a subscriber with the ledger, the links, changes of address that wait, and the mails and webhook calls about
 * the mailbox, sent or not. The webhook hears of the end only where it has heard of the subscription: a call that waits
 * to be made first is taken back with everything else. What stays for an hour at most is a hash, where a mail has just
 * gone out.
 */
export async function forgetSubscriber(
  trx: Kysely<Database>,
  loaded: LoadedSubscriber,
  {
    event,
    now,
    until = now.toISOString(),
    newsletterWebhookUrl,
  }: {
    event: "remove" | "erase";
    now: Date;
    /** Only what was there at that moment. */
    until?: string;
    newsletterWebhookUrl: string | null;
  },
): Promise<ForgottenSubscriber> {
  const { row, mailbox, state, pauseUntil } = loaded;
  const { to, answer, tell } = subscriberStates[state][event];
  await withdrawAddressChange(trx, mailbox, now);
  await withdrawAddressChangesTo(trx, { mailbox, until, now });
  const deliveries = await trx
    .deleteFrom("outbox")
    .where("mailbox_key", "=", mailbox)
    .where("kind", "in", ["confirmation-email", "address-change-email", "newsletter-webhook"])
    .where("created_at", "<=", until)
    .returning(["delivery_id", "kind", "created_at", "attempts"])
    .execute();
  if (row) {
    // Other servers' words may name the address. Before the reader, as a hand-over locks them.
    await trx
      .updateTable("send_rows")
      .set({ answer: null })
      .where("reader_id", "=", row.id)
      .execute();
    await trx.deleteFrom("subscribers").where("id", "=", row.id).execute();
    if (event === "remove" && to === "erased" && row.unsubscribed_at) {
      await recordDeparture(trx, { mailbox, leftAt: row.unsubscribed_at });
    }
    if (pauseUntil) await keepPause(trx, { mailbox, until: pauseUntil, now });
  }
  const isUnheard = deliveries.some(
    ({ kind, created_at, attempts }) =>
      kind === "newsletter-webhook" && created_at === row?.webhook_told_at && attempts === 0,
  );
  const webhookTold =
    newsletterWebhookUrl !== null &&
    tell === "ended" &&
    row !== null &&
    row.webhook_told_at !== null &&
    !isUnheard;
  if (webhookTold) {
    await sendSignUpNews(trx, [
      {
        loaded,
        transition: { tell },
        mail: null,
        email: row.email,
        now,
        newsletterWebhookUrl,
        erasedAt: now,
      },
    ]);
  }
  return {
    answer,
    deliveryIds: deliveries.map(({ delivery_id }) => delivery_id),
    webhookTold,
  };
}
