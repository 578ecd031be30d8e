import { type RawBuilder, type SqlBool, sql } from "kysely";
import { holdsText } from "#db/hold-text.ts";
import type { Db } from "#db/tables.ts";

export const inboxViews = ["all", "new", "later", "answered", "held"] as const;

export type InboxView = (typeof inboxViews)[number];

/** `today`: Toronto's day, when messages left for it are new again. */
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

/** Newest first, with beginnings alone. `beforeId` continues after a page's last id. */
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

/** Null if there is none. */
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

/** Null stands for unknown pages. */
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

/** Returns the ids that were changed, for undoing. */
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

export async function leaveForLater(
  db: Db,
  { id, until }: { id: number; until: string },
): Promise<void> {
  const message = db.updateTable("contact_messages").where("id", "=", id);
  await message.set({ later_until: until }).execute();
}

/** A waiting mail about one still goes. */
export async function eraseMessages(db: Db, { ids }: { ids: number[] }): Promise<void> {
  await db
    .deleteFrom("contact_messages")
    .where("id", "in", [0, ...ids])
    .execute();
}
