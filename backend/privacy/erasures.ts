import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { mailboxKey } from "../email/mailbox-key.ts";

/** Hashes in one statement, well below the databases' limits on parameters. */
const batchSize = 500;

/** What stays of a mailbox after an erasure. An address can be compared with it, and not be read from it. */
export function addressHash(email: string): string {
  return createHash("sha256")
    .update(`erased mailbox ${mailboxKey(email)}`)
    .digest("hex");
}

/** Remembers that everything about a mailbox was erased, in the caller's transaction. */
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

/** The holder of the mailbox has asked for mail again, and has shown to be the holder: imports may name it again. */
export async function liftErasure(trx: Kysely<Database>, email: string): Promise<void> {
  await trx.deleteFrom("erasures").where("address_hash", "=", addressHash(email)).execute();
}

/** Those of the addresses whose holders asked to be erased and have not come back by themselves. */
export async function erasedAmong(
  db: Kysely<Database>,
  emails: readonly string[],
): Promise<Set<string>> {
  const byHash = Map.groupBy(emails, addressHash);
  const hashes = [...byHash.keys()];
  const erased = new Set<string>();
  for (let start = 0; start < hashes.length; start += batchSize) {
    const rows = await db
      .selectFrom("erasures")
      .select("address_hash")
      .where("address_hash", "in", hashes.slice(start, start + batchSize))
      .execute();
    for (const row of rows) {
      for (const email of byHash.get(row.address_hash) ?? []) erased.add(email);
    }
  }
  return erased;
}
