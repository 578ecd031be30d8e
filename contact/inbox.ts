import { type RawBuilder, type SqlBool, sql } from "kysely";
import { holdsText, searchTextOf } from "#db/hold-text.ts";
import type { Db } from "#db/tables.ts";
import { isDay } from "#newsletter/calendar-date.ts";

// What the owner does with messages at the desk. A mail program can't report a reply, so a message is what the owner says.

export const inboxViews = ["all", "new", "waiting", "answered", "held", "bin"] as const;

export type InboxView = (typeof inboxViews)[number];

/** A quarantined message has no state of work until it is released. */
const isAtWork = sql`binned_at is null and held_at is null`;

const holds: Record<InboxView, RawBuilder<SqlBool>> = {
  all: sql`binned_at is null`,
  new: sql`${isAtWork} and answered_at is null and remind_on is null`,
  waiting: sql`${isAtWork} and remind_on is not null`,
  answered: sql`${isAtWork} and answered_at is not null and remind_on is null`,
  held: sql`binned_at is null and held_at is not null`,
  bin: sql`binned_at is not null`,
};

/** How many messages each view has. */
export async function countInbox(db: Db): Promise<Record<InboxView, number>> {
  const counts = inboxViews.map(
    (view) => sql`count(case when ${holds[view]} then 1 end) as ${sql.ref(view)}`,
  );
  const { rows } = await sql<
    Record<InboxView, number>
  >`select ${sql.join(counts)} from contact_messages`.execute(db);
  const [row] = rows;
  return Object.fromEntries(inboxViews.map((view) => [view, Number(row?.[view] ?? 0)])) as Record<
    InboxView,
    number
  >;
}

const columns = [
  "id",
  "first_name as firstName",
  "last_name as lastName",
  "email",
  "subject",
  "received_at as receivedAt",
  "held_at as heldAt",
  "read_at as readAt",
  "answered_at as answeredAt",
  "remind_on as remindOn",
  "binned_at as binnedAt",
] as const;

export type InboxFilter = {
  view?: InboxView;
  subject?: string;
  /** Words in a name, an address, the company, the message or a note, whatever their accents and capitals. */
  find?: string;
  /** Only those whose reminder is due on a day, such as `2026-11-28`. */
  dueOn?: string;
  /** None of these, which are shown elsewhere. */
  exceptIds?: number[];
};

export type InboxRow = Awaited<ReturnType<typeof listInbox>>[number];

/** Messages with their beginnings, newest first. `beforeId` continues after the last id of the previous page. */
export async function listInbox(
  db: Db,
  {
    view = "all",
    subject = "",
    find = "",
    dueOn,
    exceptIds = [],
    limit,
    beforeId,
  }: InboxFilter & { limit: number; beforeId?: number },
) {
  let query = db
    .selectFrom("contact_messages")
    .select(columns)
    .select(sql<string>`substr(message, 1, 160)`.as("beginning"))
    .where(holds[view]);
  if (subject) query = query.where("subject", "=", subject);
  if (dueOn) query = query.where("remind_on", "<=", dueOn);
  if (exceptIds.length > 0) query = query.where("id", "not in", exceptIds);
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  for (const word of find.split(/\s+/).filter(Boolean).slice(0, 10)) {
    const holdsWord = holdsText(db, word);
    const noted = db.selectFrom("message_notes").select("message_id").where(holdsWord);
    query = query.where((eb) => eb.or([holdsWord, eb("id", "in", noted)]));
  }
  return await query.orderBy("id", "desc").limit(limit).execute();
}

/** One message with its notes, and others from the same mailbox; null if there is none. */
export async function openMessage(db: Db, id: number) {
  const message = await db
    .selectFrom("contact_messages")
    .select(columns)
    .select(["company", "phone", "message", "mailbox_key as mailbox", "from_page as fromPage"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!message) return null;
  const notes = await db
    .selectFrom("message_notes")
    .select(["id", "text", "written_by as writtenBy", "written_at as writtenAt"])
    .where("message_id", "=", id)
    .orderBy("id")
    .execute();
  const others = await db
    .selectFrom("contact_messages")
    .select(["id", "received_at as receivedAt"])
    .select(sql<string>`substr(message, 1, 160)`.as("beginning"))
    .where("mailbox_key", "=", message.mailbox)
    .where("id", "<>", id)
    .where("binned_at", "is", null)
    .orderBy("id", "desc")
    .limit(5)
    .execute();
  const beside = (than: "<" | ">", order: "asc" | "desc") =>
    db
      .selectFrom("contact_messages")
      .select("id")
      .where("id", than, id)
      .where("binned_at", "is", null)
      .orderBy("id", order)
      .limit(1)
      .executeTakeFirst();
  const older = await beside("<", "desc");
  const newer = await beside(">", "asc");
  return { ...message, notes, others, olderId: older?.id, newerId: newer?.id };
}

/** By a press or the page's script, never by a GET: a browser may fetch a page that nobody looks at. */
export async function markAsRead(db: Db, { id, now }: { id: number; now: Date }): Promise<void> {
  await db
    .updateTable("contact_messages")
    .set({ read_at: now.toISOString() })
    .where("id", "=", id)
    .execute();
}

type Chosen = { ids: number[] };

export type WorkBefore = { id: number; answeredAt: string | null; remindOn: string | null };

/** Marks messages as answered, and ends their reminders. `before` has those that were answered or put off already. */
export async function answerMessages(db: Db, { ids, now }: Chosen & { now: Date }) {
  const at = now.toISOString();
  return await db.transaction().execute(async (trx) => {
    const before: WorkBefore[] = await trx
      .selectFrom("contact_messages")
      .select(["id", "answered_at as answeredAt", "remind_on as remindOn"])
      .where("id", "in", [0, ...ids])
      .where((on) => on.or([on("answered_at", "is not", null), on("remind_on", "is not", null)]))
      .execute();
    const changes = { answered_at: at, read_at: at, remind_on: null };
    return { ...(await change(trx, ids, changes)), before };
  });
}

/** Makes messages new again, or as they were `before` they were marked as answered. */
export async function reopenMessages(
  db: Db,
  { ids, before = [] }: Chosen & { before?: WorkBefore[] },
) {
  return await db.transaction().execute(async (trx) => {
    const done = await change(trx, ids, { answered_at: null, remind_on: null });
    for (const { id, answeredAt, remindOn } of before.filter(({ id }) => ids.includes(id)))
      await change(trx, [id], { answered_at: answeredAt, remind_on: remindOn });
    return done;
  });
}

/** Puts messages into the bin, where they are for thirty days. A mail about one that waits still goes. */
export function putInBin(db: Db, { ids, now }: Chosen & { now: Date }) {
  return change(db, ids, { binned_at: now.toISOString() });
}

export function takeFromBin(db: Db, { ids }: Chosen) {
  return change(db, ids, { binned_at: null });
}

type Changes = Partial<
  Record<"answered_at" | "read_at" | "remind_on" | "binned_at", string | null>
>;

async function change(db: Db, ids: number[], changes: Changes) {
  const { numUpdatedRows } = await db
    .updateTable("contact_messages")
    .set(changes)
    .where("id", "in", ids.length > 0 ? ids : [0])
    .executeTakeFirst();
  return { ok: true as const, count: Number(numUpdatedRows) };
}

const reminderMaxDays = 366;

/**
 * Lets a message wait until a day in Toronto: for the reply to an answer, or for the owner's own. `today` is the day there
 * now. A null day ends the waiting.
 */
export async function remindOfMessage(
  db: Db,
  { id, day, today }: { id: number; day: string | null; today: string },
): Promise<{ ok: true } | { ok: false; reason: "no_day" | "past_day" | "too_far" | "unknown" }> {
  if (day !== null) {
    if (!isDay(day)) return { ok: false, reason: "no_day" };
    const { days } = Temporal.PlainDate.from(today).until(day);
    if (days < 1) return { ok: false, reason: "past_day" };
    if (days > reminderMaxDays) return { ok: false, reason: "too_far" };
  }
  const { count } = await change(db, [id], { remind_on: day });
  return count > 0 ? { ok: true } : { ok: false, reason: "unknown" };
}

export const noteMaxLength = 5_000;

export async function addNote(
  db: Db,
  { messageId, text, by, now }: { messageId: number; text: string; by: string; now: Date },
): Promise<{ ok: true } | { ok: false; reason: "empty" | "too_long" | "unknown" }> {
  const words = plainText(text);
  if (words === "") return { ok: false, reason: "empty" };
  if (words.length > noteMaxLength) return { ok: false, reason: "too_long" };
  const note = {
    text: words,
    written_by: by,
    written_at: now.toISOString(),
    search_text: searchTextOf("message_notes", { text: words }),
  };
  return await db.transaction().execute(async (trx) => {
    // Locked, so that a note is never written on a message that is just being erased.
    const { count } = await change(trx, [messageId], { read_at: note.written_at });
    if (count === 0) return { ok: false, reason: "unknown" } as const;
    await trx
      .insertInto("message_notes")
      .values({ message_id: messageId, ...note })
      .execute();
    return { ok: true } as const;
  });
}

export async function removeNote(
  db: Db,
  { id, messageId }: { id: number; messageId: number },
): Promise<void> {
  await db
    .deleteFrom("message_notes")
    .where("id", "=", id)
    .where("message_id", "=", messageId)
    .execute();
}

/** As a form sends it, but with one kind of line end and nothing that neither database can store. */
function plainText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "").replace(/\r\n?/g, "\n").trim();
}

export const savedReplyMaxLength = 5_000;

export async function listSavedReplies(db: Db) {
  return await db
    .selectFrom("saved_replies")
    .selectAll()
    .orderBy("name")
    .orderBy("id")
    .limit(100)
    .execute();
}

/** Makes a saved reply, or changes the one with this id. */
export async function saveReply(
  db: Db,
  { id = null, ...typed }: { id?: number | null; name: string; text: string },
): Promise<{ ok: true } | { ok: false; reason: "empty" | "too_long" | "unknown" }> {
  const reply = { name: plainText(typed.name), text: plainText(typed.text) };
  if (reply.name === "" || reply.text === "") return { ok: false, reason: "empty" };
  if (reply.name.length > 100 || reply.text.length > savedReplyMaxLength) {
    return { ok: false, reason: "too_long" };
  }
  if (id === null) {
    await db.insertInto("saved_replies").values(reply).execute();
    return { ok: true };
  }
  const { numUpdatedRows } = await db
    .updateTable("saved_replies")
    .set(reply)
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { ok: true } : { ok: false, reason: "unknown" };
}

export async function removeSavedReply(db: Db, { id }: { id: number }): Promise<void> {
  await db.deleteFrom("saved_replies").where("id", "=", id).execute();
}

/** A saved reply to one person. */
export function fillReply(text: string, { firstName }: { firstName: string }): string {
  return text.replaceAll(firstNamePlace, () => firstName);
}

export const firstNamePlace = "{first name}";
