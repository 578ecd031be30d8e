import { hash, randomBytes, randomUUID } from "node:crypto";
import { type Insertable, type Selectable, sql } from "kysely";
import { foldText } from "#content/text.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { ConsentEvent, Database, Db, LeavingWay } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { enqueue, noteQuarantined } from "#mail/outbox-jobs.ts";
import {
  planMail,
  type SignUp,
  type SubscriberEvent,
  subscriberStateOf,
  subscriberStates,
  tellingOf,
} from "./subscriber-states.ts";

type HappeningEvent = Exclude<SubscriberEvent, "erase">;

type Happening = {
  event: HappeningEvent;
  now: Date;
  occurredAt?: Date;
  newsletterWebhookUrl: string | null;
  requestId?: string | null;
  signUp?: SignUp;
  way?: LeavingWay;
  /** When its mail may go; now by default. */
  mailAt?: Date;
};

/** Applies an event to a mailbox loaded in the same transaction, as the table of states says. */
export async function applyEvent(trx: Db, loaded: LoadedSubscriber, happening: Happening) {
  const { row, mailbox, state } = loaded;
  const { event, now, occurredAt = now, mailAt = now, signUp, requestId } = happening;
  const transition = subscriberStates[state][event];
  const changesState = transition.to !== state;
  const mail = planMail(transition, { ...loaded, mailAt, signUp }, newSubscriberToken);
  const deliveryId = randomUUID();
  const telling =
    happening.newsletterWebhookUrl === null ? null : tellingOf(transition, row, now.toISOString());
  const times = { now: now.toISOString(), endedAt: occurredAt.toISOString() };
  const change = {
    ...(changesState || mail ? transition.write?.({ row, signUp, ...times }) : {}),
    ...(telling && { webhook_told_at: telling.webhook_told_at }),
    ...(mail && { mail_delivery_id: deliveryId }),
    ...(mail?.payload.confirmToken && { confirm_token: mail.payload.confirmToken }),
  };
  const email = change.email ?? row?.email ?? "";

  if (row && Object.keys(change).length > 0) {
    const update = trx.updateTable("subscribers").where("id", "=", row.id);
    await update.set({ ...change, search_text: foldText(email) }).execute();
  } else if (!row && signUp && changesState) {
    const token = mail?.payload.token ?? newSubscriberToken();
    const first = { email, subscribed_at: times.now, token, mailbox_key: mailbox };
    await trx
      .insertInto("subscribers")
      .values({ ...first, ...change, search_text: foldText(email) })
      .execute();
  }
  if (row && (mail || changesState)) await withdrawMail(trx, mailbox, now);
  if (transition.to === "confirmed" && changesState) {
    await trx.deleteFrom("erasures").where("address_hash", "=", addressHash(mailbox)).execute();
  }
  if (transition.note) await noteQuarantined(trx, now);
  if (event !== "ask" && (signUp || changesState)) {
    await addConsentEntry(trx, loaded, { ...happening, event: entryEvents[event] });
  }
  if (mail) {
    const { notBefore, payload } = mail;
    const job = { kind: "confirmation-email", deliveryId, notBefore, payload } as const;
    await enqueue(trx, { ...job, now, requestId });
  }
  if (telling) {
    const payload = { type: telling.type, timestamp: times.now, data: { email } };
    await enqueue(trx, { kind: "newsletter-webhook", payload, now, requestId });
  }
  return transition.answer;
}

const entryEvents: Record<Exclude<HappeningEvent, "ask">, ConsentEvent> = {
  "sign up": "signed_up",
  "sign up, suspected": "held",
  add: "added",
  confirm: "confirmed",
  leave: "left",
  bounce: "bounced",
  complain: "complained",
  release: "released",
};

async function addConsentEntry(
  trx: Db,
  { row, mailbox }: LoadedSubscriber,
  entry: Omit<Happening, "event"> & { event: ConsentEvent },
): Promise<void> {
  const { event, now, occurredAt = now, signUp, way } = entry;
  const values: Insertable<Database["consent_events"]> = {
    mailbox_key: mailbox,
    event,
    email: signUp?.email ?? row?.pending_email ?? row?.email ?? "",
    wording_hash: signUp ? wordingHash(signUp.wording) : null,
    page: signUp?.page,
    network_address: signUp?.networkAddress,
    way,
    occurred_at: occurredAt.toISOString(),
    recorded_at: now.toISOString(),
  };
  if (signUp) await addWordings(trx, [signUp.wording]);
  await trx.insertInto("consent_events").values(values).execute();
}

export async function addWordings(trx: Db, wordings: string[]): Promise<void> {
  await trx
    .insertInto("consent_wordings")
    // Sorted, so that two imports can't deadlock.
    .values(wordings.toSorted().map((wording) => ({ hash: wordingHash(wording), wording })))
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}

export function wordingHash(wording: string): string {
  return hash("sha256", wording);
}

export type LoadedSubscriber = Awaited<ReturnType<typeof loadSubscriber>>;

/** Reads and locks a mailbox's state, by an advisory lock on PostgreSQL, which needs no row. */
export async function loadSubscriber(trx: Db, mailbox: string, now: Date) {
  await lockMailbox(trx, mailbox);
  return await readSubscriber(trx, mailbox, now);
}

export async function lockMailbox(trx: Db, mailbox: string): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`select pg_advisory_xact_lock_shared(${allMailboxes}),
    pg_advisory_xact_lock(hashtextextended(${mailbox}, 0))`.execute(trx);
}

const allMailboxes = sql`hashtextextended('all mailboxes', 0)`;

/** Locks every mailbox: PostgreSQL hasn't room for as many locks as a list has lines. */
export async function lockAllMailboxes(trx: Db): Promise<void> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${allMailboxes})`.execute(trx);
}

export async function readSubscriber(trx: Db, mailbox: string, now: Date) {
  const row =
    (await trx
      .selectFrom("subscribers")
      .selectAll()
      .where("mailbox_key", "=", mailbox)
      .executeTakeFirst()) ?? null;
  const mail = row?.mail_delivery_id
    ? await trx
        .selectFrom("outbox")
        .selectAll()
        .where("delivery_id", "=", row.mail_delivery_id)
        .executeTakeFirst()
    : undefined;
  const pause = await trx
    .selectFrom("mail_pauses")
    .select("until")
    .where("address_hash", "=", addressHash(mailbox))
    .executeTakeFirst();
  const erasure = await trx
    .selectFrom("erasures")
    .select("erased_at")
    .where("address_hash", "=", addressHash(mailbox))
    .executeTakeFirst();
  const remembered = pause ? Date.parse(pause.until) : 0;
  const until = new Date(Math.max(remembered, mail ? pauseEnd(mail, now) : 0));
  const pauseUntil = until > now ? until : null;
  return { mailbox, state: subscriberStateOf(row, erasure !== undefined), row, pauseUntil };
}

/** The end of the hour's pause after a mail, in ms since 1970. One that was refused each time hasn't arrived. */
function pauseEnd(mail: Selectable<Database["outbox"]>, now: Date): number {
  if (mail.attempts > 0 && mail.refusals === mail.attempts) return 0;
  const waits = mail.delivered_at === null && mail.failed_at === null;
  const mailedAt = waits
    ? Math.max(now.getTime(), Date.parse(mail.next_attempt_at))
    : Date.parse(mail.delivered_at ?? mail.failed_at ?? mail.created_at);
  return mailedAt + 60 * 60 * 1000;
}

/** Deletes the waiting mails. One that was tried may have arrived, so it starts the pause. */
async function withdrawMail(trx: Db, mailbox: string, now: Date): Promise<void> {
  const taken = await trx
    .deleteFrom("outbox")
    .where("mailbox_key", "=", mailbox)
    .where("kind", "=", "confirmation-email")
    .where("delivered_at", "is", null)
    .returningAll()
    .execute();
  const until = taken.map((mail) =>
    mail.attempts > 0
      ? pauseEnd({ ...mail, next_attempt_at: now.toISOString() }, now)
      : Date.parse(mail.next_attempt_at),
  );
  if (until.length > 0) {
    await rememberPause(trx, { mailbox, until: new Date(Math.max(...until)), now });
  }
}

/** Stores the pause under a hash, which outlives the row. */
export async function rememberPause(
  trx: Db,
  { mailbox, until, now }: { mailbox: string; until: Date; now: Date },
): Promise<void> {
  await trx.deleteFrom("mail_pauses").where("until", "<=", now.toISOString()).execute();
  if (until <= now) return;
  await sql`
    insert into mail_pauses (address_hash, until)
    values (${addressHash(mailbox)}, ${until.toISOString()})
    on conflict (address_hash) do update set until = excluded.until
    where mail_pauses.until < excluded.until`.execute(trx);
}

export function addressHash(email: string): string {
  return hash("sha256", `erased mailbox ${mailboxKey(email)}`);
}

/** Remembers who was erased, or has left and was deleted by age: no import brings them back. */
export async function recordErasure(
  trx: Db,
  { address_hash, erased_at }: { address_hash: string; erased_at: string },
): Promise<void> {
  await sql`insert into erasures (address_hash, erased_at) values (${address_hash}, ${erased_at})
    on conflict (address_hash) do update set erased_at = excluded.erased_at`.execute(trx);
}

/** A secret for mailed links: 256 random bits as 43 characters. */
export function newSubscriberToken(): string {
  return randomBytes(32).toString("base64url");
}

export async function findMailboxOfToken(db: Db, token: string): Promise<string | null> {
  if (!/^[\w-]{43}$/.test(token)) return null;
  const { rows } = await sql<{ mailbox: string }>`
    select mailbox_key as mailbox from subscribers
    where token = ${token} or confirm_token = ${token}`.execute(db);
  return rows[0]?.mailbox ?? null;
}
