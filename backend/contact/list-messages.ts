import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { type ContactListing, contactListing } from "./contact-listing.ts";

/** Contact messages, newest first; `beforeId` continues after the last id of the previous page. */
export async function listMessages(
  db: Kysely<Database>,
  { limit = 100, beforeId }: { limit?: number; beforeId?: number } = {},
): Promise<ContactListing[]> {
  let query = db.selectFrom("contact_messages").selectAll();
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map(contactListing);
}
