import type { Kysely, Updateable } from "kysely";
import { commitTogether } from "#db/commit-together.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database, SendRowsTable } from "#db/tables.ts";
import { lockMailboxes } from "../load-subscriber.ts";
import { type Refusal, recordBounce } from "../record-bounce.ts";
import type { HandedOver } from "./hand-over.ts";
import { rowTransitions } from "./row-states.ts";

/** How a hand-over ended that the server didn't accept. */
export type RowOutcome =
  /** Tried again at that moment. */
  | { event: "defer"; answer: string; dueAt: Date }
  /** For good; `refusal` where it is the address's. */
  | { event: "refuse"; answer: string; refusal: Refusal | null }
  /** It was not given to the server, or that can't be known: as if it had not been tried. */
  | { event: "hand back"; dueAt: Date; tried: boolean };

/**
 * Writes down how a hand-over ended, with what it says of the address, together or not at all. `false`: the row had been
 * taken over by another since, and nothing was written.
 */
export async function settleRow(
  db: Kysely<Database>,
  row: HandedOver,
  outcome: RowOutcome,
  now: Date,
): Promise<boolean> {
  // One statement is its own transaction, and on PostgreSQL that is two round trips less.
  const isAlone = isPostgres(db) && !(outcome.event === "refuse" && outcome.refusal);
  const write = async (trx: Kysely<Database>) => {
    // Before the row, as an erasure of the same reader does it, so that neither waits for the other for ever.
    if (outcome.event === "refuse" && outcome.refusal) await lockMailboxes(trx, [row.mailbox]);
    const { from, to } = rowTransitions[outcome.event];
    const result = await trx
      .updateTable("send_rows")
      .set({ state: to, claimed_by: null, ...changeOf(row, outcome, now) })
      .where("id", "=", row.id)
      .where("claimed_by", "=", row.claimedBy)
      .where("state", "in", from)
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) return false;
    if (outcome.event === "refuse" && outcome.refusal) {
      await recordBounce(trx, { mailbox: row.mailbox, refusal: outcome.refusal, now });
    }
    return true;
  };
  return isAlone ? await write(db) : await commitTogether(db, write);
}

function changeOf(
  { attempts }: HandedOver,
  outcome: RowOutcome,
  now: Date,
): Updateable<SendRowsTable> {
  if (outcome.event === "hand back") {
    const { dueAt, tried } = outcome;
    return { due_at: dueAt.toISOString(), ...(tried ? {} : { attempts: attempts - 1 }) };
  }
  const { answer } = outcome;
  if (outcome.event === "defer") return { answer, due_at: outcome.dueAt.toISOString() };
  return { answer, settled_at: now.toISOString() };
}
