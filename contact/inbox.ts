import { type RawBuilder, type SqlBool, sql } from "kysely";
import { holdsText } from "#db/hold-text.ts";
import type { Db } from "#db/tables.ts";

// A mail program can't report a reply, so a message's state is what the owner says at the desk.

export const inboxViews = ["all", "new", "later", "answered", "held"] as const;

export type InboxView = (typeof inboxViews)[number];

/** `today` is the day in Toronto, such as `2026-11-28`: what was left for later is new again on its day. */
function conditionOf(view: InboxView, today: string): RawBuilder<SqlBool> {
  const isOpen = sql`held_at is null and answered_at is null`;
  return {
    all: sql<SqlBool>`true`,
    new: sql<SqlBool>`${isOpen} and (later_until is null or later_until <= ${today})`,
    later: sql<SqlBool>`${isOpen} and later_until > ${today}`,
    answered: sql<SqlBool>`held_at is null and answered_at is not null`,
    held: sql<SqlBool>`held_at is not null`,
  }[view];
}

/** How many messages each view has. */
export async function countInbox(db: Db, today: string): Promise<Record<InboxView, number>> {
  const counts = inboxViews.map(
    (view) => sql`count(*) filter (where ${conditionOf(view, today)}) as ${sql.ref(view)}`,
  );
  const { rows } = await sql<
    Record<InboxView, number>
  >`select ${sql.join(counts)} from contact_messages`.execute(db);
  const numbers = inboxViews.map((view) => [view, Number(rows[0]?.[view])]);
  return Object.fromEntries(numbers) as Record<InboxView, number>;
}

const columns = [
  "id",
  "first_name as firstName",
  "last_name as lastName",
  "email",
  "subject",
  "received_at as receivedAt",
  "held_at as heldAt",
  "answered_at as answeredAt",
  "later_until as laterUntil",
] as const;

const beginning = sql<string>`substr(message, 1, 160)`.as("beginning");

export type InboxRow = Awaited<ReturnType<typeof listInbox>>[number];

/**
 * Messages with their beginnings, newest first. `find` is words in a name, an address, the company or the message,
 * whatever their accents and capitals. `beforeId` continues after the last id of the previous page.
 */
export async function listInbox(
  db: Db,
  {
    view = "all",
    today,
    find = "",
    limit,
    beforeId,
  }: { view?: InboxView; today: string; find?: string; limit: number; beforeId?: number },
) {
  let query = db
    .selectFrom("contact_messages")
    .select([...columns, beginning])
    .where(conditionOf(view, today))
    .where(holdsText(db, find));
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return await query.orderBy("id", "desc").limit(limit).execute();
}

/** One message, and others from the same mailbox; null if there is none. */
export async function openMessage(db: Db, id: number) {
  const message = await db
    .selectFrom("contact_messages")
    .select([...columns, "company", "phone", "message"])
    .select(["mailbox_key as mailbox", "from_page as fromPage"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!message) return null;
  const others = await db
    .selectFrom("contact_messages")
    .select(["id", "received_at as receivedAt", beginning])
    .where("mailbox_key", "=", message.mailbox)
    .where("id", "<>", id)
    .orderBy("id", "desc")
    .limit(5)
    .execute();
  return { ...message, others };
}

/** The pages that most messages came from since a moment; null stands for those whose page isn't known. */
export async function countOrigins(db: Db, { since }: { since: Date }) {
  return await db
    .selectFrom("contact_messages")
    .select(["from_page as page", ({ fn }) => fn.countAll<number>().as("count")])
    .where("received_at", ">=", since.toISOString())
    .where("held_at", "is", null)
    .groupBy("from_page")
    .orderBy("count", "desc")
    .orderBy("from_page")
    .limit(5)
    .execute();
}

/** Returns the ids of those that weren't answered before, for undoing. */
export async function answerMessages(
  db: Db,
  { ids, now }: { ids: number[]; now: Date },
): Promise<number[]> {
  const answered = await db
    .updateTable("contact_messages")
    .set({ answered_at: now.toISOString() })
    .where("id", "in", [0, ...ids])
    .where("answered_at", "is", null)
    .returning("id")
    .execute();
  return answered.map(({ id }) => id);
}

export async function reopenMessages(db: Db, { ids }: { ids: number[] }): Promise<void> {
  const messages = db.updateTable("contact_messages").where("id", "in", [0, ...ids]);
  await messages.set({ answered_at: null }).execute();
}

/** Leaves a message for a day in Toronto, `2026-11-28`. */
export async function leaveForLater(
  db: Db,
  { id, until }: { id: number; until: string },
): Promise<void> {
  const message = db.updateTable("contact_messages").where("id", "=", id);
  await message.set({ later_until: until }).execute();
}

/** A mail about one that waits still goes. */
export async function eraseMessages(db: Db, { ids }: { ids: number[] }): Promise<void> {
  await db
    .deleteFrom("contact_messages")
    .where("id", "in", [0, ...ids])
    .execute();
}
