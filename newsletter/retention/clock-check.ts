import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A site that was off for this long is likelier to have a clock that was set wrong than not to. */
const aheadMaxMs = 30 * dayMs;
const behindMaxMs = dayMs;
/** How long a clock that has jumped has to go on before it is believed. */
const trustedAfterMs = dayMs;

const lastSeen = "clock last seen";
const jumpedAt = "clock jumped at";

/**
 * Whether the time is one to delete by. A machine that starts with a wrong date, years ahead, would otherwise delete
 * what is to be kept for years. After a jump from the time last seen here, by more than a month ahead or a day back, the
 * new time is believed a day later. Notes the time.
 */
export async function isClockTrusted(db: Kysely<Database>, now: Date): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const sinceLast = await msSince(trx, lastSeen, now);
    const hasJumped = sinceLast !== null && (sinceLast > aheadMaxMs || sinceLast < -behindMaxMs);
    if (hasJumped) await note(trx, jumpedAt, now);
    await note(trx, lastSeen, now);
    const sinceJump = await msSince(trx, jumpedAt, now);
    return sinceJump === null || sinceJump >= trustedAfterMs;
  });
}

async function msSince(trx: Kysely<Database>, name: string, now: Date): Promise<number | null> {
  const mark = await trx
    .selectFrom("marks")
    .select("set_at")
    .where("name", "=", name)
    .executeTakeFirst();
  return mark ? now.getTime() - Date.parse(mark.set_at) : null;
}

async function note(trx: Kysely<Database>, name: string, now: Date): Promise<void> {
  const set_at = now.toISOString();
  await trx
    .insertInto("marks")
    .values({ name, set_at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ set_at }))
    .execute();
}
