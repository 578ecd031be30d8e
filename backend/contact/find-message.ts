import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { type ContactListing, contactListing } from "./contact-listing.ts";

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
