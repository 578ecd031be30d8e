import type { Db } from "#db/tables.ts";

/** The contact messages, the newest first. */
export async function listMessages(db: Db) {
  return await db
    .selectFrom("contact_messages")
    .selectAll()
    .select(["first_name as firstName", "last_name as lastName"])
    .select(["sender_address as senderAddress", "received_at as receivedAt"])
    .select(["held_at as heldAt", "held_reason as heldReason", "released_at as releasedAt"])
    .orderBy("id", "desc")
    .execute();
}
