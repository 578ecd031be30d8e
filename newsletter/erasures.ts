import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";

/** An erased mailbox is remembered by this hash alone. */
export function addressHash(email: string): string {
  return createHash("sha256")
    .update(`erased mailbox ${mailboxKey(email)}`)
    .digest("hex");
}

export async function recordErasure(
  trx: Db,
  { address_hash, erased_at }: { address_hash: string; erased_at: string },
): Promise<void> {
  await sql`insert into erasures (address_hash, erased_at) values (${address_hash}, ${erased_at})
    on conflict (address_hash) do update set erased_at = excluded.erased_at`.execute(trx);
}

/** Remembers that a removed subscriber had left. */
export async function recordDeparture(
  trx: Db,
  { mailbox, leftAt }: { mailbox: string; leftAt: string },
): Promise<void> {
  await sql`insert into departures (address_hash, left_at) values (${addressHash(mailbox)}, ${leftAt})
    on conflict (address_hash) do update set left_at = excluded.left_at`.execute(trx);
}

/** The subscriber came back by their own link, so imports may name them again. */
export async function liftErasure(trx: Db, mailbox: string): Promise<void> {
  for (const table of ["erasures", "departures"] as const) {
    await trx.deleteFrom(table).where("address_hash", "=", addressHash(mailbox)).execute();
  }
}

/** Which of the addresses were erased, or removed after leaving, and haven't come back. */
export async function erasedAmong(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const hashes = emails.map(addressHash);
  const among = (table: "erasures" | "departures") =>
    db.selectFrom(table).select("address_hash").where("address_hash", "in", hashes);
  const rows = await among("erasures").union(among("departures")).execute();
  const known = new Set(rows.map(({ address_hash }) => address_hash));
  return new Set(emails.filter((email) => known.has(addressHash(email))));
}
