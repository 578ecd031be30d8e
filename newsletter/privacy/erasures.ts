import { hash } from "node:crypto";
import { domainToUnicode } from "node:url";
import type { Kysely } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";

/** What stays of a mailbox after an erasure. An address can be compared with it, and not be read from it. */
export function addressHash(email: string): string {
  return hashOf(mailboxKey(email));
}

/** That hash first, and the one under which an older version kept a domain with letters beyond ASCII. */
export function addressHashes(email: string): string[] {
  const mailbox = mailboxKey(email);
  const at = mailbox.lastIndexOf("@");
  const readable = `${mailbox.slice(0, at + 1)}${domainToUnicode(mailbox.slice(at + 1))}`;
  return readable === mailbox ? [hashOf(mailbox)] : [hashOf(mailbox), hashOf(readable)];
}

function hashOf(mailbox: string): string {
  return hash("sha256", `erased mailbox ${mailbox}`, "hex");
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

/** Remembers that a mailbox had left whose subscription is removed, in the caller's transaction. */
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

/** The holder of the mailbox has asked for mail again, and has shown to be the holder: imports may name it again. */
export async function liftErasure(trx: Kysely<Database>, email: string): Promise<void> {
  const hashes = addressHashes(email);
  await trx.deleteFrom("erasures").where("address_hash", "in", hashes).execute();
  await trx.deleteFrom("departures").where("address_hash", "in", hashes).execute();
}

/** Those of the addresses whose holders were erased, or had left and were removed, and have not come back by themselves. */
export async function erasedAmong(
  db: Kysely<Database>,
  emails: readonly string[],
): Promise<Set<string>> {
  const emailsByHash = new Map<string, string[]>();
  for (const email of emails) {
    for (const hash of addressHashes(email)) {
      emailsByHash.set(hash, [...(emailsByHash.get(hash) ?? []), email]);
    }
  }
  const erased = new Set<string>();
  for (const some of chunks(emailsByHash.keys())) {
    const rows = await db
      .selectFrom("erasures")
      .select("address_hash")
      .where("address_hash", "in", some)
      .union(db.selectFrom("departures").select("address_hash").where("address_hash", "in", some))
      .execute();
    for (const row of rows) {
      for (const email of emailsByHash.get(row.address_hash) ?? []) erased.add(email);
    }
  }
  return erased;
}
