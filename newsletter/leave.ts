import type { Db, LeavingWay } from "#db/tables.ts";
import { findMailbox, mailboxKey } from "#mail/mailbox-key.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { applyEvent } from "./apply-event.ts";
import {
  type LoadedSubscriber,
  loadSubscriber,
  recordDeparture,
  rememberPause,
} from "./load-subscriber.ts";
import type { NewsletterDeps, OperatorDeps } from "./subscribe.ts";
import { subscriberStates } from "./subscriber-states.ts";
import { findMailboxOfToken } from "./subscriber-token.ts";

type UnsubscribeResult = { ok: true } | { ok: false; reason: "unknown_token" };

/** By the token of a mailed link, or by the operator with the address. */
type Leaving = { requestId?: string | null } & (
  | { token: string; way?: Extract<LeavingWay, "link" | "one_click"> }
  | { email: string }
);

/** Ends a subscription, confirmed or not. A repeat is answered like the first time. */
export async function unsubscribe(
  {
    db,
    newsletterWebhookUrl,
    wakeOutbox,
    clock = () => new Date(),
  }: Pick<NewsletterDeps, "db" | "newsletterWebhookUrl" | "wakeOutbox" | "clock">,
  leaving: Leaving,
): Promise<UnsubscribeResult> {
  const now = clock();
  const result = await db.transaction().execute(async (trx): Promise<UnsubscribeResult> => {
    const [mailbox, way] =
      "token" in leaving
        ? [await findMailboxOfToken(trx, leaving.token), leaving.way ?? "link"]
        : [findMailbox(leaving.email), "operator" as const];
    if (mailbox === null) return { ok: false, reason: "unknown_token" };
    const loaded = await loadSubscriber(trx, mailbox, now);
    const { requestId } = leaving;
    const happening = { event: "leave", way, now, newsletterWebhookUrl, requestId } as const;
    const { answer } = await applyEvent(trx, loaded, happening);
    return answer === "ok" ? { ok: true } : { ok: false, reason: "unknown_token" };
  });
  wakeOutbox();
  return result;
}

type RemoveSubscriberResult =
  /** `deliveryIds` name mail files in the data folder. */
  { ok: true; email: string; deliveryIds: string[] } | { ok: false; reason: "unknown_subscriber" };

/** Deletes a subscriber with the consent ledger and the jobs about them (PIPEDA, principle 4.5). */
export async function removeSubscriber(
  { db, newsletterWebhookUrl, now }: OperatorDeps,
  { email }: { email: string },
): Promise<RemoveSubscriberResult> {
  return await db.transaction().execute(async (trx): Promise<RemoveSubscriberResult> => {
    const loaded = await loadSubscriber(trx, mailboxKey(email), now);
    if (!loaded.row) return { ok: false, reason: "unknown_subscriber" };
    const removal = { event: "remove", now, newsletterWebhookUrl } as const;
    const { deliveryIds } = await forgetSubscriber(trx, loaded, removal);
    return { ok: true, email: loaded.row.email, deliveryIds };
  });
}

/**
 * Deletes a subscriber with the ledger, the links and the jobs about them. The webhook hears of the end only if it
 * heard of the subscription. A hash stays for an hour at most, after a mail has just gone out.
 */
export async function forgetSubscriber(
  trx: Db,
  { row, mailbox, state, pauseUntil }: LoadedSubscriber,
  {
    event,
    now,
    until = now.toISOString(),
    newsletterWebhookUrl,
  }: Omit<OperatorDeps, "db"> & { event: "remove" | "erase"; until?: string },
): Promise<{ deliveryIds: string[]; webhookTold: boolean }> {
  const { to, tell } = subscriberStates[state][event];
  const deliveries = await trx
    .deleteFrom("outbox")
    .where("mailbox_key", "=", mailbox)
    .where("kind", "in", ["confirmation-email", "newsletter-webhook"])
    .where("created_at", "<=", until)
    .returning(["delivery_id", "kind", "created_at", "attempts"])
    .execute();
  const deliveryIds = deliveries.map(({ delivery_id }) => delivery_id);
  if (!row) return { deliveryIds, webhookTold: false };
  // Answers may name the address. Before the subscriber, in the order in which a hand-over locks them.
  const rows = trx.updateTable("send_rows").where("reader_id", "=", row.id);
  await rows.set({ answer: null }).execute();
  await trx.deleteFrom("subscribers").where("id", "=", row.id).execute();
  if (event === "remove" && to === "erased" && row.unsubscribed_at) {
    await recordDeparture(trx, { mailbox, leftAt: row.unsubscribed_at });
  }
  if (pauseUntil) await rememberPause(trx, { mailbox, until: pauseUntil, now });
  const isUnheard = deliveries.some(
    ({ kind, created_at, attempts }) =>
      kind === "newsletter-webhook" && created_at === row.webhook_told_at && attempts === 0,
  );
  const webhookTold =
    newsletterWebhookUrl !== null && tell === "ended" && row.webhook_told_at !== null && !isUnheard;
  if (webhookTold) {
    const type = "newsletter.unsubscribed";
    const payload = { type, timestamp: now.toISOString(), data: { email: row.email } } as const;
    await enqueue(trx, { kind: "newsletter-webhook", payload, now, erasedAt: now });
  }
  return { deliveryIds, webhookTold };
}
