import { sql } from "kysely";
import type { Db } from "./tables.ts";

/** A restore's time, as it was asked for; the same while its end is to come; and until the owner says that all goes on. */
export const restoredMark = "restored";
export const unfinishedMark = "restore unfinished";
export const heldMark = "held since a restore";

/** Letters that are not from after it stand still; empty where none does. */
export const heldUntil = sql<string>`coalesce((select set_at from marks where name = ${heldMark}), '')`;
/** Whether plans and sends stand still. */
export const isHeld = sql<boolean>`exists (select 1 from marks where name = ${heldMark})`;

/** A mark's time, ISO 8601; null where it was never set. */
export async function readMark(db: Db, name: string): Promise<string | null> {
  const mark = await db
    .selectFrom("marks")
    .select("set_at")
    .where("name", "=", name)
    .executeTakeFirst();
  return mark?.set_at ?? null;
}

/**
 * Sets a mark, unless it has a time from `ifBefore` on; without `ifBefore`, unless it is there. Returns whether it did, as
 * one of several concurrent transactions does.
 */
export async function setMark(
  trx: Db,
  { name, at, ifBefore }: { name: string; at: Date; ifBefore?: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into marks (name, set_at) values (${name}, ${at.toISOString()})
    on conflict (name) do update set set_at = excluded.set_at
    where marks.set_at < ${ifBefore?.toISOString() ?? ""}`.execute(trx);
  return numAffectedRows > 0n;
}
