import { type Kysely, type Selectable, sql } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import { isSqliteBusy } from "#db/sqlite-dialect.ts";
import type {
  BouncesTable,
  ConsentEventsTable,
  ContactMessagesTable,
  Database,
  ErasuresTable,
  OutboxTable,
  SendRowsTable,
  SubscribersTable,
} from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { isConsentTo } from "./consent-ledger.ts";
import { addressHash, recordErasure } from "./erasures.ts";
import { forgetSubscriber } from "./leave.ts";
import { loadSubscriber } from "./load-subscriber.ts";

export type MailboxRows = {
  subscriptions: Selectable<SubscribersTable>[];
  consentEvents: (Selectable<ConsentEventsTable> & { wording: string | null })[];
  messages: Selectable<ContactMessagesTable>[];
  deliveries: Selectable<OutboxTable>[];
  issues: (Selectable<SendRowsTable> & { title: string })[];
  bounces: Selectable<BouncesTable>[];
};

export function mailboxTest(email: string): (address: string) => boolean {
  const wanted = mailboxKey(email);
  return (address) => mailboxKey(address) === wanted;
}

export async function findMailboxRows(db: Kysely<Database>, email: string): Promise<MailboxRows> {
  const mailbox = mailboxKey(email);
  const rowsOf = <Table extends "subscribers" | "contact_messages" | "outbox" | "bounces">(
    table: Table,
  ) =>
    db
      .selectFrom(table as "outbox")
      .selectAll()
      .where("mailbox_key", "=", mailbox)
      .orderBy("id")
      .execute() as unknown as Promise<Selectable<Database[Table]>[]>;
  const subscriptions = await rowsOf("subscribers");
  return {
    subscriptions,
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
      .innerJoin("sends", "sends.id", "send_rows.send_id")
      .selectAll("send_rows")
      .select("title")
      .where("reader_id", "in", [0, ...subscriptions.map(({ id }) => id)])
      .orderBy("send_rows.id")
      .execute(),
    bounces: await rowsOf("bounces"),
  };
}

export type ConsentProof = {
  mailbox: string;
  subscription: Pick<
    Selectable<SubscribersTable>,
    "email" | "subscribed_at" | "confirmed_at" | "unsubscribed_at" | "bounced_at"
  >;
  entries: MailboxRows["consentEvents"];
};

/** The proof of consent; null for a mailbox that isn't a subscriber's. */
export async function proveConsent(
  db: Kysely<Database>,
  email: string,
): Promise<ConsentProof | null> {
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

/** Everything stored about a mailbox; times are ISO 8601 in UTC. */
type MailboxExport = {
  address: string;
  exported_at: string;
  subscriptions: Record<string, string | null>[];
  consent_events: Record<string, string | null>[];
  messages: Record<string, string | number | null>[];
  deliveries: Record<string, unknown>[];
  issues: Record<string, string | number | null>[];
  bounces: Record<string, string | null>[];
};

/**
 * Answers a request for access (GDPR, art. 15 and 20; PIPEDA, principle 4.9). The tokens are left out: they would let
 * whoever gets the file act for the person.
 */
export async function exportMailbox(
  db: Kysely<Database>,
  { email, now }: { email: string; now: Date },
): Promise<MailboxExport> {
  const rows = await findMailboxRows(db, email);
  return {
    address: email,
    exported_at: now.toISOString(),
    subscriptions: rows.subscriptions.map(
      ({ id, token, confirm_token, mailbox_key, mail_delivery_id, ...kept }) => {
        const proof = rows.consentEvents.findLast((entry) => isConsentTo(kept, entry));
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
    messages: rows.messages.map(({ submission_key, mailbox_key, ...kept }) => kept),
    deliveries: rows.deliveries.map((row) => ({
      delivery_id: row.delivery_id,
      kind: row.kind,
      created_at: row.created_at,
      delivered_at: row.delivered_at,
      failed_at: row.failed_at,
      attempts: row.attempts,
      last_error: row.last_error,
      content: withoutToken(row.payload),
    })),
    issues: rows.issues.map(({ issue_id, title, state, attempts, settled_at, answer }) => ({
      issue_id,
      title,
      state,
      attempts,
      settled_at,
      answer,
    })),
    bounces: rows.bounces.map(({ id, mailbox_key, report_key, ...kept }) => kept),
  };
}

function withoutToken(payload: string): unknown {
  try {
    const { token, confirmToken, ...content } = JSON.parse(payload) as Record<string, unknown>;
    return content;
  } catch {
    return payload;
  }
}

type Erased = {
  subscriptions: number;
  messages: number;
  deliveries: number;
  /** Mail files have these in their names. */
  deliveryIds: string[];
  /** The job that tells the webhook is deleted once it is delivered. */
  webhookTold: boolean;
};

/**
 * Deletes everything about a mailbox in one transaction (GDPR, art. 17; PIPEDA, principle 4.5). A webhook that knows of
 * the subscription hears of its end (GDPR, art. 19). A hash stays, so that no import or restored backup brings the
 * person back. `until` limits it to what was stored by then.
 */
export async function eraseMailbox(
  {
    db,
    newsletterWebhookUrl,
    now,
  }: { db: Kysely<Database>; newsletterWebhookUrl: string | null; now: Date },
  { email, until = now.toISOString() }: { email: string; until?: string },
): Promise<Erased> {
  const mailbox = mailboxKey(email);
  return await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailbox, now);
    const isDue = loaded.row !== null && loaded.row.subscribed_at <= until;
    const forgotten = isDue
      ? await forgetSubscriber(trx, loaded, { event: "erase", now, until, newsletterWebhookUrl })
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
    const deliveryIds = [...forgotten.deliveryIds, ...others.map(({ delivery_id }) => delivery_id)];
    if (isDue || messages.length + deliveryIds.length > 0) {
      await recordErasure(trx, { hash: addressHash(mailbox), erasedAt: until });
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

/** Clears deleted rows from SQLite's write-ahead log. */
export async function forgetDeletedPages(db: Kysely<Database>): Promise<void> {
  if (isPostgres(db)) return;
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } catch (error) {
    // A running server folds its log in by itself later.
    if (!isSqliteBusy(error)) throw error;
  }
}

const pageRows = 1_000;

/**
 * Repeats, on a restored database, the erasures that came after its backup. Later data of the person stays. Returns how
 * many mailboxes it erased.
 */
export async function repeatErasures(
  db: Kysely<Database>,
  erasures: readonly Selectable<ErasuresTable>[],
  now: Date,
): Promise<number> {
  const erasedAt = new Map(erasures.map((one) => [one.address_hash, one.erased_at]));
  const present = new Map<string, string>();
  if (erasedAt.size > 0) {
    for await (const mailbox of knownMailboxes(db)) {
      if (erasedAt.has(addressHash(mailbox))) present.set(addressHash(mailbox), mailbox);
    }
  }
  let repeated = 0;
  for (const [hash, until] of erasedAt) {
    const email = present.get(hash);
    if (email !== undefined) {
      // The webhook was told at the time.
      const erased = await eraseMailbox({ db, newsletterWebhookUrl: null, now }, { email, until });
      if (erased.subscriptions + erased.messages + erased.deliveries > 0) repeated += 1;
    }
    await recordErasure(db, { hash, erasedAt: until });
  }
  return repeated;
}

async function* knownMailboxes(db: Kysely<Database>): AsyncGenerator<string> {
  for (const table of ["subscribers", "contact_messages", "outbox"] as const) {
    for (let after = ""; ; ) {
      const rows = await db
        .selectFrom(table)
        .select("mailbox_key")
        .distinct()
        .where("mailbox_key", ">", after)
        .orderBy("mailbox_key")
        .limit(pageRows)
        .execute();
      for (const { mailbox_key } of rows) if (mailbox_key !== null) yield mailbox_key;
      after = rows.at(-1)?.mailbox_key ?? after;
      if (rows.length < pageRows) break;
    }
  }
}
