import type { Kysely } from "kysely";
import { commitTogether } from "#db/commit-together.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import { type SubscriberState, stateOf } from "../subscriber-states.ts";
import type { Allowance } from "./allowance.ts";
import { rowTransitions } from "./row-states.ts";
import { sendStatesBefore } from "./send-states.ts";

/** A mail to hand to the mail server now: the reader's address and link are those of this moment. */
export type HandedOver = {
  id: number;
  sendId: number;
  readerId: number;
  mailbox: string;
  email: string;
  token: string;
  attempts: number;
  /** Where another send has given the mail its Message-ID. */
  keptMessageId: string | null;
  claimedBy: string;
};

type HandOver = {
  sendId: number;
  /** At most so many. */
  limit: number;
  /** Unique to this hand-over; what settles the rows later is fenced by it. */
  claimant: string;
  now: Date;
  /** Whoever has a mail in hand for longer counts as dead. */
  leaseMs: number;
  /** How many more the rate allows now, in the transaction that takes them. */
  allowance: Allowance;
  /** Until when no mail goes to a domain, by ISO 8601; null where it may at once. */
  putOffUntil: (domain: string) => string | null;
};

/** Rows that one look goes through: those whose domain is put off wait, and come back together when it's over. */
const maxRounds = 20;

/**
 * Takes mails of a send that are due and in nobody's hand, the oldest first, no more than the pace allows. Each reader
 * is looked at in the same transaction: who has left, bounced or been erased since the send began is withdrawn here.
 */
export async function handOver(
  db: Kysely<Database>,
  order: HandOver,
): Promise<{ mails: HandedOver[]; nextAt?: Date }> {
  return await commitTogether(db, async (trx) => {
    if (!(await isSending(trx, order.sendId))) return { mails: [] };
    const { allowed, nextAt } = await order.allowance.read(trx, order.now);
    if (allowed === 0) return { mails: [], nextAt };
    const wanted = Math.min(order.limit, allowed);
    const mails: HandedOver[] = [];
    for (let round = 0; round < maxRounds && mails.length < wanted; round += 1) {
      const looked = await lookAt(trx, { ...order, limit: wanted - mails.length });
      if (looked === null) break;
      mails.push(...looked);
    }
    order.allowance.spend(mails.length);
    return { mails };
  });
}

function dueRows(db: Kysely<Database>, { sendId, now }: Pick<HandOver, "sendId" | "now">) {
  return db
    .selectFrom("send_rows")
    .where("send_rows.send_id", "=", sendId)
    .where("send_rows.settled_at", "is", null)
    .where("send_rows.due_at", "<=", now.toISOString());
}

/** Whether there is anything to take, without writing. */
export async function isAnyDue(
  db: Kysely<Database>,
  order: Pick<HandOver, "sendId" | "now">,
): Promise<boolean> {
  const due = await dueRows(db, order).select("send_rows.id").limit(1).executeTakeFirst();
  return due !== undefined;
}

/** A pause that comes now waits for this hand-over, so that none follows it. */
async function isSending(trx: Kysely<Database>, sendId: number): Promise<boolean> {
  const send = await trx
    .selectFrom("sends")
    .select("state")
    .where("id", "=", sendId)
    .$if(isPostgres(trx), (select) => select.forShare())
    .executeTakeFirst();
  return send !== undefined && sendStatesBefore.finish.includes(send.state);
}

/** One look at the next rows; null where none is due any more. */
async function lookAt(trx: Kysely<Database>, order: HandOver): Promise<HandedOver[] | null> {
  const rows = await dueRows(trx, order)
    .select([
      "send_rows.id",
      "send_rows.reader_id as readerId",
      "send_rows.attempts",
      "send_rows.message_id as keptMessageId",
    ])
    .orderBy("send_rows.due_at")
    .orderBy("send_rows.id")
    .limit(order.limit)
    .$if(isPostgres(trx), (select) => select.forUpdate().skipLocked())
    .execute();
  if (rows.length === 0) return null;
  const readers = await readReaders(
    trx,
    rows.map(({ readerId }) => readerId),
  );
  const mails: HandedOver[] = [];
  for (const row of rows) {
    const reader = readers.get(row.readerId);
    if (reader?.state !== "confirmed") {
      await withdraw(trx, row.id, order.now, reader?.state ?? "no longer a subscriber");
      continue;
    }
    const { mailbox, email, token } = reader;
    const due_at = order.putOffUntil(domainOf(email));
    if (due_at !== null) {
      await trx.updateTable("send_rows").set({ due_at }).where("id", "=", row.id).execute();
      continue;
    }
    const { sendId, claimant: claimedBy } = order;
    const attempts = row.attempts + 1;
    mails.push({ ...row, sendId, mailbox, email, token, attempts, claimedBy });
  }
  await markHandedOver(trx, order, mails);
  return mails;
}

type Reader = { mailbox: string; email: string; token: string; state: SubscriberState };

/** Where the readers stand, who can't leave until the hand-over is written down: whoever leaves is before it or after. */
async function readReaders(
  trx: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, Reader>> {
  const rows = await trx
    .selectFrom("subscribers")
    .select([
      "id",
      "mailbox_key as mailbox",
      "email",
      "token",
      "confirmed_at as confirmedAt",
      "unsubscribed_at as unsubscribedAt",
      "pending_since as pendingSince",
      "held_at as heldAt",
      "bounced_at as bouncedAt",
    ])
    .where("id", "in", ids)
    .orderBy("id")
    .$if(isPostgres(trx), (select) => select.forShare())
    .execute();
  return new Map(
    rows.map(({ id, mailbox, email, token, ...standing }) => [
      id,
      { mailbox, email, token, state: stateOf(standing, false) },
    ]),
  );
}

async function markHandedOver(trx: Kysely<Database>, order: HandOver, mails: HandedOver[]) {
  if (mails.length === 0) return;
  await trx
    .updateTable("send_rows")
    .set((eb) => ({
      state: rowTransitions["hand over"].to,
      claimed_by: order.claimant,
      due_at: new Date(order.now.getTime() + order.leaseMs).toISOString(),
      attempts: eb("attempts", "+", 1),
    }))
    .where(
      "id",
      "in",
      mails.map(({ id }) => id),
    )
    .execute();
}

async function withdraw(trx: Kysely<Database>, id: number, now: Date, answer: string) {
  await trx
    .updateTable("send_rows")
    .set({ state: rowTransitions.withdraw.to, settled_at: now.toISOString(), answer })
    .where("id", "=", id)
    .execute();
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
