import { sql } from "kysely";
import type { Db } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

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
 * Sets a mark, unless it has a time from `ifBefore` on; without `ifBefore`, unless it is there. One that is more than a day
 * ahead of the new time was set while a clock was wrong. Returns whether it did, as one of several concurrent transactions does.
 */
export async function setMark(
  trx: Db,
  { name, at, ifBefore }: { name: string; at: Date; ifBefore?: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into marks (name, set_at) values (${name}, ${at.toISOString()})
    on conflict (name) do update set set_at = excluded.set_at
    where marks.set_at < ${ifBefore?.toISOString() ?? ""}
      or marks.set_at > ${ifBefore ? new Date(at.getTime() + dayMs).toISOString() : "9999"}`.execute(
    trx,
  );
  return numAffectedRows > 0n;
}
