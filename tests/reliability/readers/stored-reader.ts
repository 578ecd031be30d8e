import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { addressHash } from "#newsletter/erasures.ts";
import type { ExpectedReader } from "./expected-reader.ts";
import type { Mailbox } from "./spellings.ts";

/** What is stored, in the words of what is expected. */
export async function storedReader(
  db: Kysely<Database>,
  { mailbox }: { mailbox: Mailbox },
): Promise<ExpectedReader> {
  const row = await db
    .selectFrom("subscribers")
    .selectAll()
    .where("mailbox_key", "=", mailbox.key)
    .executeTakeFirst();
  const hash = addressHash(mailbox.key);
  const erasure = await db
    .selectFrom("erasures")
    .select("address_hash")
    .where("address_hash", "=", hash)
    .unionAll(db.selectFrom("departures").select("address_hash").where("address_hash", "=", hash))
    .executeTakeFirst();
  if (!row) return { is: "nobody", pending: "nothing", erased: erasure !== undefined };
  const waits = row.pending_since !== null;
  return {
    is: standingOf(row),
    pending: row.held_at ? "held" : waits ? "waiting" : "nothing",
    erased: erasure !== undefined,
  };
}

function standingOf(row: {
  unsubscribed_at: string | null;
  confirmed_at: string | null;
  bounced_at: string | null;
}): ExpectedReader["is"] {
  if (row.unsubscribed_at) return "gone";
  if (!row.confirmed_at) return "nobody";
  return row.bounced_at ? "bounced" : "reader";
}
