import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";

/** An erased mailbox is remembered by this hash alone. */
export function addressHash(email: string): string {
  return hash("sha256", `erased mailbox ${mailboxKey(email)}`, "hex");
}

export async function recordErasure(
  trx: Kysely<Database>,
  { hash, erasedAt }: { hash: string; erasedAt: string },
): Promise<void> {
  await trx
    .insertInto("erasures")
    .values({ address_hash: hash, erased_at: erasedAt })
    .onConflict((conflict) => conflict.column("address_hash").doUpdateSet({ erased_at: erasedAt }))
    .execute();
}

/** Remembers that a removed subscriber had left. */
export async function recordDeparture(
  trx: Kysely<Database>,
  { mailbox, leftAt }: { mailbox: string; leftAt: string },
): Promise<void> {
  await trx
    .insertInto("departures")
    .values({ address_hash: addressHash(mailbox), left_at: leftAt })
    .onConflict((conflict) => conflict.column("address_hash").doUpdateSet({ left_at: leftAt }))
    .execute();
}

/** The subscriber came back by their own link, so imports may name them again. */
export async function liftErasure(trx: Kysely<Database>, mailbox: string): Promise<void> {
  for (const table of ["erasures", "departures"] as const) {
    await trx.deleteFrom(table).where("address_hash", "=", addressHash(mailbox)).execute();
  }
}

/** Which of the addresses were erased, or removed after leaving, and haven't come back. */
export async function erasedAmong(
  db: Kysely<Database>,
  emails: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>();
  for (const some of chunks(emails.map(addressHash))) {
    for (const table of ["erasures", "departures"] as const) {
      const rows = await db
        .selectFrom(table)
        .select("address_hash")
        .where("address_hash", "in", some)
        .execute();
      for (const { address_hash } of rows) known.add(address_hash);
    }
  }
  return new Set(emails.filter((email) => known.has(addressHash(email))));
}
