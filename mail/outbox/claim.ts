import type { Kysely, Selectable } from "kysely";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database, OutboxTable } from "#db/tables.ts";
import type { MailPace } from "./mail-paces.ts";
import { notePacedMail } from "./note-paced-mail.ts";
import { readPace } from "./pace.ts";
import type { OutboxKind } from "./payloads.ts";
import { type Priority, priorities } from "./priority.ts";

export type ClaimedRow = Selectable<OutboxTable>;

type Claim = {
  kind: OutboxKind;
  /** At most this many rows. */
  limit: number;
  /** Unique to this claim; what settles the rows later is fenced by it. */
  claimant: string;
  now: Date;
  leaseMs: number;
};

type Claimed = {
  rows: ClaimedRow[];
  /** Given where the pace allows no more: before this moment there is nothing to look for. */
  nextAt?: Date;
};

/**
 * Takes deliveries of one kind that are due and that nobody holds, for the length of the lease: the smallest priority
 * first, and of each the oldest. Where the kind has a pace, no more than it allows; the first time that it holds
 * something back, the operator is told, in the same transaction.
 */
export async function claimDeliveries(
  db: Kysely<Database>,
  claim: Claim,
  pace?: MailPace,
): Promise<Claimed> {
  // Most looks find nothing, and then there is nothing to write either.
  if (!(await isAnyDue(db, claim))) return { rows: [] };
  if (!pace) return { rows: await claimByPriority(db, claim) };
  return await db.transaction().execute(async (trx) => {
    const { allowed, nextAt, spend } = await readPace(trx, pace, claim.now);
    const rows =
      allowed === 0
        ? []
        : await claimByPriority(trx, { ...claim, limit: Math.min(claim.limit, allowed) });
    await spend(rows.length);
    if (allowed > 0) return { rows };
    await notePacedMail(trx, pace, claim.now);
    return { rows, nextAt };
  });
}

function freeAndDue(db: Kysely<Database>, { kind, now }: Claim) {
  const nowText = now.toISOString();
  return db
    .selectFrom("outbox")
    .select("id")
    .where("delivered_at", "is", null)
    .where("failed_at", "is", null)
    .where("kind", "=", kind)
    .where("next_attempt_at", "<=", nowText)
    .where((eb) => eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<", nowText)]));
}

async function isAnyDue(db: Kysely<Database>, claim: Claim): Promise<boolean> {
  const due = await freeAndDue(db, claim)
    .where("priority", "in", priorities)
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

async function claimByPriority(db: Kysely<Database>, claim: Claim): Promise<ClaimedRow[]> {
  const rows: ClaimedRow[] = [];
  for (const priority of priorities) {
    const limit = claim.limit - rows.length;
    if (limit <= 0) break;
    rows.push(...(await claimOfPriority(db, { ...claim, limit }, priority)));
  }
  return rows;
}

/** The attempt is counted here, so that a delivery that kills the process ends too. */
async function claimOfPriority(
  db: Kysely<Database>,
  claim: Claim,
  priority: Priority,
): Promise<ClaimedRow[]> {
  const { limit, claimant, now, leaseMs } = claim;
  const onPostgres = isPostgres(db);
  // Materialized: PostgreSQL could otherwise run the inner select again for each row and take more than the limit.
  const rows = await db
    .with(
      (cte) => cte("due").materialized(),
      () =>
        freeAndDue(db, claim)
          .where("priority", "=", priority)
          .orderBy("next_attempt_at")
          .orderBy("id")
          .limit(limit)
          .$if(onPostgres, (select) => select.forUpdate().skipLocked()),
    )
    .updateTable("outbox")
    .set((eb) => ({
      claimed_by: claimant,
      claimed_until: new Date(now.getTime() + leaseMs).toISOString(),
      attempts: eb("attempts", "+", 1),
    }))
    .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
    .returningAll()
    .execute();
  // Updated rows come back in any order.
  return rows.toSorted((a, b) => a.next_attempt_at.localeCompare(b.next_attempt_at) || a.id - b.id);
}
