import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { type ContactListing, contactListing } from "./contact-listing.ts";

/** Contact messages, newest first, or only the held ones; `beforeId` continues after the last id of the previous page. */
export async function listMessages(
  db: Kysely<Database>,
  {
    limit = 100,
    beforeId,
    held = false,
  }: { limit?: number; beforeId?: number; held?: boolean } = {},
): Promise<ContactListing[]> {
  let query = db.selectFrom("contact_messages").selectAll();
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  if (held) query = query.where("held_at", "is not", null);
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map(contactListing);
}

/** The contact message of an id. */
export async function findMessage(
  db: Kysely<Database>,
  { id }: { id: number },
): Promise<{ ok: true; message: ContactListing } | { ok: false; reason: "unknown_message" }> {
  const row = await db
    .selectFrom("contact_messages")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row
    ? { ok: true, message: contactListing(row) }
    : { ok: false, reason: "unknown_message" };
}
