import { sql } from "kysely";
import type { Db } from "./tables.ts";

/** All have the restore's time: `unfinished` until it ends, `frozen` until the owner lets mail out. */
export const restoredMark = "restored";
export const unfinishedMark = "restore unfinished";
export const frozenMark = "held since a restore";

/** Older letters are frozen; empty where none is. */
export const frozenUntil = sql<string>`coalesce((select set_at from marks where name = ${frozenMark}), '')`;
/** Whether plans and sends are frozen. */
export const isFrozen = sql<boolean>`exists (select 1 from marks where name = ${frozenMark})`;

/** ISO 8601; null if never set. */
export async function readMark(db: Db, name: string): Promise<string | null> {
  const mark = await db
    .selectFrom("marks")
    .select("set_at")
    .where("name", "=", name)
    .executeTakeFirst();
  return mark?.set_at ?? null;
}

/** Sets a mark unless one at or after `ifBefore` exists. Returns whether it did. */
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
