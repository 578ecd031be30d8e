import { type Selectable, sql } from "kysely";
import { amount } from "#content/amounts.ts";
import { isPostgres } from "#db/database-handle.ts";
import { isSqliteBusy } from "#db/open-sqlite.ts";
import type { ConsentEvent, Database, Db, LeavingWay, ReportKind } from "#db/tables.ts";
import { deleteMailFiles, findMailFiles } from "#mail/mail-files.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import type { Config } from "#settings/settings.ts";
import { addressHash, loadSubscriber, recordErasure, rememberPause } from "./apply-event.ts";
import type { OperatorDeps } from "./subscribe.ts";
import { subscriberStates, tellingOf } from "./subscriber-states.ts";

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

/** GDPR, art. 17 and 19; PIPEDA, principle 4.5. A hash stays: no import brings it back. `until` spares later data. */
export async function eraseMailbox(
  { db, newsletterWebhookUrl, now }: OperatorDeps,
  { email, until }: { email: string; until?: string },
) {
  const mailbox = mailboxKey(email);
  const end = until ?? "9999";
  const erase = async (trx: Db) => {
    const { row, state, pauseUntil } = await loadSubscriber(trx, mailbox, now);
    const isDue = row !== null && (await storedAt(trx, row)) <= end;
    if (isDue) {
      // Answers may name the address. Lock order: rows before the subscriber, as in a hand-over.
      const rows = trx.updateTable("send_rows").where("reader_id", "=", row.id);
      await rows.set({ answer: null }).execute();
      // Ledger and links go with it.
      await trx.deleteFrom("subscribers").where("id", "=", row.id).execute();
      if (pauseUntil) await rememberPause(trx, { mailbox, until: pauseUntil, now });
    }
    const messages = await trx
      .deleteFrom("contact_messages")
      .where("mailbox_key", "=", mailbox)
      .where("received_at", "<=", end)
      .returning("id")
      .execute();
    const deliveries = await trx
      .deleteFrom("outbox")
      .where("mailbox_key", "=", mailbox)
      .where("created_at", "<=", end)
      .returning(["delivery_id", "kind", "created_at", "attempts"])
      .execute();
    await trx.deleteFrom("staged_subscribers").where("mailbox_key", "=", mailbox).execute();
    const telling = isDue ? tellingOf(subscriberStates[state].erase, row, "") : null;
    const isUnheard = deliveries.some(
      ({ kind, created_at, attempts }) =>
        kind === "newsletter-webhook" && created_at === row?.webhook_told_at && attempts === 0,
    );
    const webhookTold = newsletterWebhookUrl !== null && telling !== null && !isUnheard;
    if (webhookTold) {
      const data = { email: row?.email ?? "" };
      const payload = { type: telling.type, timestamp: now.toISOString(), data };
      await enqueue(trx, { kind: "newsletter-webhook", payload, now, erasedAt: now });
    }
    if (isDue || messages.length + deliveries.length > 0) {
      const erased_at = until ?? now.toISOString();
      await recordErasure(trx, { address_hash: addressHash(mailbox), erased_at });
    }
    return {
      subscriptions: isDue ? 1 : 0,
      messages: messages.length,
      deliveries: deliveries.length,
      deliveryIds: deliveries.map(({ delivery_id }) => delivery_id),
      webhookTold,
    };
  };
  return db.isTransaction ? await erase(db) : await db.transaction().execute(erase);
}

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

/** Repeats later erasures on a restored database. */
export async function repeatErasures(
  db: Db,
  erasures: readonly Selectable<Database["erasures"]>[],
  now: Date,
): Promise<void> {
  if (erasures.length === 0) return;
  const { rows } = await sql<{ mailbox: string }>`
    select mailbox_key as mailbox from subscribers
    union select mailbox_key from contact_messages
    union select mailbox_key from outbox where mailbox_key is not null`.execute(db);
  const known = new Map(rows.map(({ mailbox }) => [addressHash(mailbox), mailbox]));
  for (const erasure of erasures) {
    const { address_hash, erased_at: until } = erasure;
    const email = known.get(address_hash);
    if (email) await eraseMailbox({ db, newsletterWebhookUrl: null, now }, { email, until });
    await recordErasure(db, erasure);
  }
}

type PersonDeps = { db: Db; config: Config; now: Date };

/** Deletes everything about a person: the rows in one transaction, then the mail files. A repeat finds nothing. */
export async function erasePerson({ db, config, now }: PersonDeps, email: string) {
  const { dataDir, newsletterWebhookUrl } = config;
  const deps = { db, newsletterWebhookUrl, now };
  const { deliveryIds, ...erased } = await eraseMailbox(deps, { email });
  const mailFiles = await findMailFiles(dataDir, deliveryIds);
  await deleteMailFiles(dataDir, mailFiles);
  await forgetDeletedPages(db);
  return { ok: true as const, ...erased, mailFiles };
}

/** Places with data about a person that no command reaches, as sentences. */
export function placesOutOfReach(config: Config): string[] {
  const { contactTo, smtpUrl, newsletterWebhookUrl, databaseUrl } = config;
  const host = newsletterWebhookUrl && new URL(newsletterWebhookUrl).host;
  const isBooked = config.schedulingUrl ?? config.schedulingContactUrl;
  return [
    smtpUrl
      ? `The mailbox of ${contactTo}, and the mail servers on the way: contact messages are mailed there.`
      : "Wherever mail files from the data folder were copied to or opened.",
    isBooked && "The scheduling provider: calls are booked there.",
    host &&
      `The workflow at ${host}, and the mailing tool behind it: it was told of the subscription.`,
    "Files that were exported, and backups: those made until now hold it until you replace them.",
    databaseUrl &&
      "PostgreSQL's files: deleted rows stay in them until autovacuum, and in archived WAL for as long as you keep it.",
  ].filter((place) => place !== null);
}

/** The counts of what an erasure has deleted, without zeros. */
export function describeErased(
  erased: Record<"subscriptions" | "messages" | "deliveries" | "mailFiles", number> & {
    webhookTold: boolean;
  },
): string[] {
  const { subscriptions, messages, deliveries, mailFiles, webhookTold } = erased;
  return [
    subscriptions > 0 && "The subscription, with the proof of consent",
    messages > 0 && amount(messages, "message"),
    deliveries > 0 && amount(deliveries, "mail or call about them", "mails and calls about them"),
    mailFiles > 0 && amount(mailFiles, "mail file"),
    webhookTold && "The workflow that knew of the subscription is told of its end.",
  ].filter((line) => line !== false);
}

/** Everything stored about a person (GDPR, art. 15 and 20; PIPEDA, principle 4.9), without tokens. */
export async function exportPerson({ db, config, now }: PersonDeps, email: string) {
  const rows = await findMailboxRows(db, email);
  const deliveryIds = rows.deliveries.map((row) => row.delivery_id);
  return {
    address: email,
    exported_at: now.toISOString(),
    subscriptions: rows.subscriptions.map(
      ({ id, token, confirm_token, mailbox_key, mail_delivery_id, search_text, ...kept }) => kept,
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
    mail_files: await findMailFiles(config.dataDir, deliveryIds),
    may_also_be_in: placesOutOfReach(config),
  };
}

const consentEventWords: Record<ConsentEvent, string> = {
  signed_up: "Signed up on the site",
  held: "Signed up on the site; quarantined as suspected spam, so no mail went out",
  imported: "Imported from another list",
  added: "Added by the operator, with the proof of a consent that was given elsewhere",
  released: "Released by the operator",
  confirmed: "Confirmed by the link that was mailed to the address",
  bounced: "Ended by the mail server: the address takes no mail",
  complained: "Ended by a complaint: the mail service reported that its user calls it spam",
  left: "Unsubscribed",
};

const leavingWords: Record<LeavingWay, string> = {
  link: "on the page behind the link in a mail",
  one_click: "by the mail program's own button (RFC 8058)",
  operator: "asked of the operator",
  import: "by another program's list, which said so when it was imported",
  expired: "by the end of the consent that a purchase or question had implied (CASL, s. 10(10))",
};

const reportWords: Record<ReportKind, string> = {
  hard: "The address takes no mail",
  soft: "A mail was refused",
  complaint: "A mail was reported as spam",
};

type Entry = { at: string; isDay?: boolean; what: string; words?: string; messageId?: number };

/** What a person agreed to and wrote, and the mails to them that came back: the newest first. */
export function describeHistory({
  consentEvents,
  bounces,
  messages,
}: Pick<Awaited<ReturnType<typeof findMailboxRows>>, "consentEvents" | "bounces" | "messages">) {
  const entries: Entry[] = [
    ...consentEvents.toReversed().map(({ event, way, occurred_at: at, ...proof }) => ({
      ...{ at, isDay: event === "added" },
      what: consentEventWords[event] + (way ? `, ${leavingWords[way]}` : ""),
      words: [
        proof.wording && `“${proof.wording}”`,
        proof.page && `on ${proof.page}`,
        proof.network_address && `from the network address ${proof.network_address}`,
      ]
        .filter(Boolean)
        .join(" · "),
    })),
    ...bounces.map(({ occurred_at: at, kind, answer }) => ({
      ...{ at, what: reportWords[kind], words: answer ?? "" },
    })),
    ...messages.map(({ id, received_at: at }) => ({ at, what: "Wrote a message", messageId: id })),
  ];
  return entries.sort((a, b) => b.at.localeCompare(a.at));
}
