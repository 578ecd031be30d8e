import type { Kysely } from "kysely";
import { clockToleranceMs } from "#db/clock-tolerance.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import type { MailPace } from "./mail-paces.ts";

/**
 * A token bucket kept as one time (the generic cell rate algorithm, ITU-T I.371): each mail moves it an interval on, and
 * it is never further ahead than `atOnce` intervals. In the transaction that claims, so that a restart forgets nothing
 * and copies of the server share it. Where fewer than `least` are allowed, none are yet.
 */
export async function readPace(
  trx: Kysely<Database>,
  { name, atOnce, everyMs }: MailPace,
  now: Date,
  least = 1,
): Promise<{ allowed: number; nextAt: Date; spend(mails: number): Promise<void> }> {
  const nowMs = now.getTime();
  await trx
    .insertInto("mail_paces")
    .values({ name, paid_until: now.toISOString() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const row = await trx
    .selectFrom("mail_paces")
    .select("paid_until")
    .where("name", "=", name)
    .$if(isPostgres(trx), (select) => select.forUpdate())
    .executeTakeFirstOrThrow();
  const furthestMs = nowMs + atOnce * everyMs;
  const storedMs = Date.parse(row.paid_until);
  // Written while the clock was ahead, it would hold all mail up until the clock is there again.
  const paidUntilMs =
    storedMs > furthestMs + clockToleranceMs ? furthestMs : Math.max(storedMs, nowMs);
  const leftMs = furthestMs - paidUntilMs;
  const leastMs = Math.min(least, atOnce) * everyMs;
  const allowed = leftMs < leastMs ? 0 : Math.floor(leftMs / everyMs);
  return {
    allowed,
    nextAt: new Date(allowed > 0 ? nowMs : Math.ceil(nowMs + leastMs - leftMs)),
    async spend(mails) {
      const next = paidUntilMs + mails * everyMs;
      if (next === storedMs) return;
      await trx
        .updateTable("mail_paces")
        .set({ paid_until: new Date(next).toISOString() })
        .where("name", "=", name)
        .execute();
    },
  };
}

/** The names of the paces that allow no further mail at this moment. */
export async function listBusyPaces(
  db: Kysely<Database>,
  paces: Partial<Record<string, MailPace>>,
  now: Date,
): Promise<string[]> {
  const rows = await db.selectFrom("mail_paces").selectAll().execute();
  return Object.values(paces).flatMap((pace) => {
    const paidUntil = rows.find(({ name }) => name === pace?.name)?.paid_until;
    if (!pace || !paidUntil) return [];
    const leftMs = now.getTime() + pace.atOnce * pace.everyMs - Date.parse(paidUntil);
    return leftMs < pace.everyMs ? [pace.name] : [];
  });
}
