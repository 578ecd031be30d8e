import { type Kysely, sql } from "kysely";
import type { OpenDatabase } from "#db/database-handle.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import { isConfirmed } from "../subscriber-states.ts";
import {
  hasOpenRows,
  mayBeTakenOver,
  messageIdOfRow,
  wasSentAtFormerAddress,
} from "./earlier-rows.ts";
import { sendStatesBefore } from "./send-states.ts";

export type BegunSend = { id: number; issueId: number; readers: number };

/** Begins every send whose time has come; each with its rows or not at all, by whichever copy of the server is first. */
export async function beginDueSends(
  { db, withoutTimeouts }: Pick<OpenDatabase, "db" | "withoutTimeouts">,
  now: Date,
): Promise<BegunSend[]> {
  const due = await dueSends(db, now).execute();
  const begun: BegunSend[] = [];
  for (const { id } of due) {
    // A long list takes longer than a visitor's statement may.
    const one = await withoutTimeouts((patient) =>
      patient.transaction().execute((trx) => begin(trx, id, now)),
    );
    if (one) begun.push(one);
  }
  return begun;
}

/** Whether a send waits to begin whose time has come. */
export async function isAnySendDue(db: Kysely<Database>, now: Date): Promise<boolean> {
  return (await dueSends(db, now).limit(1).executeTakeFirst()) !== undefined;
}

function dueSends(db: Kysely<Database>, now: Date) {
  return db
    .selectFrom("sends")
    .select(["id", "issue_id", "audience"])
    .where("ended_at", "is", null)
    .where("state", "in", sendStatesBefore.begin)
    .where("begins_at", "<=", now.toISOString())
    .orderBy("id");
}

async function begin(trx: Kysely<Database>, id: number, now: Date): Promise<BegunSend | null> {
  const send = await dueSends(trx, now)
    .where("id", "=", id)
    .$if(isPostgres(trx), (select) => select.forUpdate().skipLocked())
    .executeTakeFirst();
  if (!send) return null;
  // Nobody is left out because the mail of a cancelled send was in hand at this moment.
  if (await hasOpenRows(trx, { issueId: send.issue_id, exceptSend: id })) return null;
  const readers = await fixAudience(trx, { id, issueId: send.issue_id, now });
  await trx
    .updateTable("sends")
    .set({ state: "sending", begun_at: now.toISOString() })
    .where("id", "=", id)
    .execute();
  return { id, issueId: send.issue_id, readers };
}

/**
 * One row for each confirmed reader, in one statement: whoever joins later is not in it, nobody is in it twice, and
 * nobody who has a row of the issue already, or was sent it at an address of theirs before, gets another. A row that an
 * earlier send has withdrawn is this one's now, with its Message-ID: what was tried may have arrived, and nobody gets the
 * issue under two.
 */
async function fixAudience(
  trx: Kysely<Database>,
  { id, issueId, now }: { id: number; issueId: number; now: Date },
): Promise<number> {
  const result = await trx
    .insertInto("send_rows")
    .columns(["send_id", "issue_id", "reader_id", "state", "due_at"])
    .expression(
      trx
        .selectFrom("subscribers")
        .select([
          sql<number>`cast(${id} as bigint)`.as("send_id"),
          sql<number>`cast(${issueId} as bigint)`.as("issue_id"),
          "subscribers.id",
          sql<"waiting">`'waiting'`.as("state"),
          sql<string>`cast(${now.toISOString()} as text)`.as("due_at"),
        ])
        .where(isConfirmed)
        .where(({ not }) => not(wasSentAtFormerAddress(issueId)))
        .orderBy("subscribers.id"),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["reader_id", "issue_id"])
        .doUpdateSet(({ ref }) => ({
          send_id: ref("excluded.send_id"),
          state: ref("excluded.state"),
          due_at: ref("excluded.due_at"),
          message_id: messageIdOfRow,
          attempts: 0,
          settled_at: null,
          answer: null,
        }))
        .where(mayBeTakenOver),
    )
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0n);
}
