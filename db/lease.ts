import type { Kysely } from "kysely";
import type { Database } from "./tables.ts";

/** A lease that ends further ahead was written while a clock was wrong. */
const clockToleranceMs = 60_000;

type Lease = { name: string; holder: string; now: Date; leaseMs: number };

/** Takes or renews a lease on work that one instance does at a time. Returns whether the holder has it. */
export async function takeLease(
  db: Kysely<Database>,
  { name, holder, now, leaseMs }: Lease,
): Promise<boolean> {
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
  const lease = { held_by: holder, held_until: after(leaseMs) };
  const taken = await db
    .insertInto("leases")
    .values({ name, ...lease })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet(lease)
        .where((eb) =>
          eb.or([
            eb("leases.held_by", "=", holder),
            eb("leases.held_until", "<=", after(0)),
            eb("leases.held_until", ">", after(leaseMs + clockToleranceMs)),
          ]),
        ),
    )
    .returning("name")
    .executeTakeFirst();
  return taken !== undefined;
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
