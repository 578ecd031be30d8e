import { type Kysely, sql } from "kysely";
import type { Database } from "./tables.ts";

type Lease = { name: string; holder: string; now: Date; leaseMs: number };

/** Takes or renews a lease on work that one instance does at a time. Returns whether the holder has it. */
export async function takeLease(db: Kysely<Database>, { name, holder, now, leaseMs }: Lease) {
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
  // A lease that ends a minute too far ahead was written while a clock was wrong.
  const { numAffectedRows = 0n } = await sql`
    insert into leases (name, held_by, held_until) values (${name}, ${holder}, ${after(leaseMs)})
    on conflict (name) do update set held_by = excluded.held_by, held_until = excluded.held_until
    where leases.held_by = ${holder} or leases.held_until <= ${after(0)}
      or leases.held_until > ${after(leaseMs + 60_000)}`.execute(db);
  return numAffectedRows > 0n;
}

/** Releases a lease: from `until` on, anybody may take it. */
export async function endLease(
  db: Kysely<Database>,
  { name, holder, until }: Pick<Lease, "name" | "holder"> & { until: Date },
): Promise<void> {
  await db
    .updateTable("leases")
    .set({ held_by: "", held_until: until.toISOString() })
    .where("name", "=", name)
    .where("held_by", "=", holder)
    .execute();
}
