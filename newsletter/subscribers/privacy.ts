import { type Selectable, sql } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import { isSqliteBusy } from "#db/open-sqlite.ts";
import type { Database, Db } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import {
  addressHash,
  type LoadedSubscriber,
  loadSubscriber,
  recordErasure,
  rememberPause,
} from "./load-subscriber.ts";
import type { OperatorDeps } from "./subscribe.ts";
import { subscriberStates } from "./subscriber-states.ts";

export async function findMailboxRows(db: Db, email: string) {
  const mailbox = mailboxKey(email);
  const rowsOf = async <Table extends "subscribers" | "contact_messages" | "outbox" | "bounces">(
    table: Table,
  ) => {
    const { rows } = await sql<Selectable<Database[Table]>>`
      select * from ${sql.table(table)} where mailbox_key = ${mailbox} order by id`.execute(db);
    return rows;
  };
  return {
    subscriptions: await rowsOf("subscribers"),
    consentEvents: await db
      .selectFrom("consent_events")
      .leftJoin("consent_wordings", "hash", "wording_hash")
      .selectAll("consent_events")
      .select("wording")
      .where("mailbox_key", "=", mailbox)
      .orderBy("id")
      .execute(),
    messages: await rowsOf("contact_messages"),
    deliveries: await rowsOf("outbox"),
    issues: await db
      .selectFrom("send_rows")
      .innerJoin("subscribers", "subscribers.id", "send_rows.reader_id")
      .innerJoin("sends", "sends.id", "send_rows.send_id")
      .select(["send_rows.issue_id", "title", "send_rows.state", "attempts"])
      .select(["settled_at", "answer"])
      .where("mailbox_key", "=", mailbox)
      .orderBy("send_rows.id")
      .execute(),
    bounces: await rowsOf("bounces"),
  };
}

export type ConsentProof = NonNullable<Awaited<ReturnType<typeof proveConsent>>>;

export async function proveConsent(db: Db, email: string) {
  const { subscriptions, consentEvents } = await findMailboxRows(db, email);
  const [subscription] = subscriptions;
  if (!subscription) return null;
  const { email: address, subscribed_at, confirmed_at, unsubscribed_at, bounced_at } = subscription;
  return {
    mailbox: mailboxKey(email),
    subscription: { email: address, subscribed_at, confirmed_at, unsubscribed_at, bounced_at },
    entries: consentEvents,
  };
}

/**
 * Everything stored about a mailbox (GDPR, art. 15 and 20; PIPEDA, principle 4.9), without its
 * tokens.
 */
export async function exportMailbox(db: Db, { email, now }: { email: string; now: Date }) {
  const rows = await findMailboxRows(db, email);
  return {
    address: email,
    exported_at: now.toISOString(),
    subscriptions: rows.subscriptions.map(
      ({ id, token, confirm_token, mailbox_key, mail_delivery_id, search_text, ...kept }) => {
        const proof = rows.consentEvents.findLast(
          ({ occurred_at, email, wording }) =>
            occurred_at === kept.subscribed_at && email === kept.email && wording !== null,
        );
        return {
          ...kept,
          consent_text: proof?.wording ?? null,
          consent_page: proof?.page ?? null,
          consent_address: proof?.network_address ?? null,
        };
      },
    ),
    consent_events: rows.consentEvents.map(
      ({ id, mailbox_key, wording_hash, wording, ...entry }) => ({ ...entry, wording }),
    ),
    messages: rows.messages.map(({ submission_key, mailbox_key, search_text, ...kept }) => kept),
    deliveries: rows.deliveries.map(({ payload, delivery_id, kind, attempts, ...row }) => {
      const { token, confirmToken, ...content } = JSON.parse(payload);
      const { created_at, delivered_at, failed_at, last_error } = row;
      const times = { created_at, delivered_at, failed_at };
      return { delivery_id, kind, ...times, attempts, last_error, content };
    }),
    issues: rows.issues,
    bounces: rows.bounces.map(({ id, mailbox_key, report_key, ...kept }) => kept),
  };
}

/**
 * Erases a mailbox (GDPR, art. 17 and 19; PIPEDA, principle 4.5). A hash stays, so that no import
 * or backup brings it back. `until` spares later data.
 */
export async function eraseMailbox(
  { db, newsletterWebhookUrl, now }: OperatorDeps,
  { email, until = always }: { email: string; until?: string },
) {
  const mailbox = mailboxKey(email);
  const inTransaction = <Result>(work: (trx: Db) => Promise<Result>) =>
    db.isTransaction ? work(db) : db.transaction().execute(work);
  return await inTransaction(async (trx) => {
    const loaded = await loadSubscriber(trx, mailbox, now);
    const isDue = loaded.row !== null && (await storedAt(trx, loaded.row)) <= until;
    const forgotten = isDue
      ? await forgetSubscriber(trx, loaded, { now, until, newsletterWebhookUrl })
      : { deliveryIds: [], webhookTold: false };
    const messages = await trx
      .deleteFrom("contact_messages")
      .where("mailbox_key", "=", mailbox)
      .where("received_at", "<=", until)
      .returning("id")
      .execute();
    const others = await trx
      .deleteFrom("outbox")
      .where("mailbox_key", "=", mailbox)
      .where("created_at", "<=", until)
      .returning("delivery_id")
      .execute();
    await trx.deleteFrom("staged_subscribers").where("mailbox_key", "=", mailbox).execute();
    const deliveryIds = [...forgotten.deliveryIds, ...others.map(({ delivery_id }) => delivery_id)];
    const found = messages.length + deliveryIds.length;
    if (isDue || found > 0) {
      const erased_at = until === always ? now.toISOString() : until;
      await recordErasure(trx, { address_hash: addressHash(mailbox), erased_at });
    }
    return {
      subscriptions: isDue ? 1 : 0,
      messages: messages.length,
      deliveries: deliveryIds.length,
      deliveryIds,
      webhookTold: forgotten.webhookTold,
    };
  });
}

/** Later than every time that is stored. */
const always = "9999";

/** When the subscriber came here: `subscribed_at` may be a list's, and wrong. */
async function storedAt(trx: Db, row: Selectable<Database["subscribers"]>): Promise<string> {
  const first = await trx
    .selectFrom("consent_events")
    .select(({ fn }) => fn.min("recorded_at").as("at"))
    .where("mailbox_key", "=", row.mailbox_key)
    .executeTakeFirst();
  return first?.at ?? row.subscribed_at;
}

export async function forgetDeletedPages(db: Db): Promise<void> {
  if (isPostgres(db)) return;
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } catch (error) {
    if (!isSqliteBusy(error)) throw error;
  }
}

/** Repeats later erasures on a restored database. Returns how many mailboxes it erased. */
export async function repeatErasures(
  db: Db,
  erasures: readonly Selectable<Database["erasures"]>[],
  now: Date,
): Promise<number> {
  if (erasures.length === 0) return 0;
  const { rows } = await sql<{ mailbox: string }>`
    select mailbox_key as mailbox from subscribers
    union select mailbox_key from contact_messages
    union select mailbox_key from outbox where mailbox_key is not null`.execute(db);
  const known = new Map(rows.map(({ mailbox }) => [addressHash(mailbox), mailbox]));
  let repeated = 0;
  for (const erasure of erasures) {
    const { address_hash, erased_at: until } = erasure;
    const email = known.get(address_hash);
    if (email !== undefined) {
      const erased = await eraseMailbox({ db, newsletterWebhookUrl: null, now }, { email, until });
      const { subscriptions, messages, deliveries } = erased;
      if (subscriptions + messages + deliveries > 0) repeated += 1;
    }
    await recordErasure(db, erasure);
  }
  return repeated;
}

/** Deletes a subscriber with ledger, links and jobs, and tells the webhook if it knows of them. */
async function forgetSubscriber(
  trx: Db,
  { row, mailbox, state, pauseUntil }: LoadedSubscriber,
  { now, until, newsletterWebhookUrl }: Omit<OperatorDeps, "db"> & { until: string },
): Promise<{ deliveryIds: string[]; webhookTold: boolean }> {
  const { tell } = subscriberStates[state].erase;
  const deliveries = await trx
    .deleteFrom("outbox")
    .where("mailbox_key", "=", mailbox)
    .where("kind", "in", ["confirmation-email", "newsletter-webhook"])
    .where("created_at", "<=", until)
    .returning(["delivery_id", "kind", "created_at", "attempts"])
    .execute();
  const deliveryIds = deliveries.map(({ delivery_id }) => delivery_id);
  if (!row) return { deliveryIds, webhookTold: false };
  // Answers may name the address. Lock order: rows before the subscriber, as in a hand-over.
  const rows = trx.updateTable("send_rows").where("reader_id", "=", row.id);
  await rows.set({ answer: null }).execute();
  await trx.deleteFrom("subscribers").where("id", "=", row.id).execute();
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
