import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { contactMessage } from "./contact-listing.ts";

type ReleaseMessageResult = { ok: true } | { ok: false; reason: "unknown_message" | "not_held" };

/**
 * Lets a held message go: the row and the email to the firm, together or not at all. It is the mail that would have
 * gone out at once, with the time at which the message was received.
 */
export async function releaseMessage(
  { db, now }: { db: Kysely<Database>; now: Date },
  { id }: { id: number },
): Promise<ReleaseMessageResult> {
  return await db.transaction().execute(async (trx): Promise<ReleaseMessageResult> => {
    const row = await trx
      .updateTable("contact_messages")
      .set({ held_at: null, released_at: now.toISOString() })
      .where("id", "=", id)
      .where("held_at", "is not", null)
      .returningAll()
      .executeTakeFirst();
    if (row) {
      const payload = {
        ...contactMessage(row),
        messageId: row.id,
        receivedAt: row.received_at,
      };
      await enqueue(trx, { kind: "contact-email", payload, now });
      return { ok: true };
    }
    const known = await trx
      .selectFrom("contact_messages")
      .select("id")
      .where("id", "=", id)
      .executeTakeFirst();
    return { ok: false, reason: known ? "not_held" : "unknown_message" };
  });
}
