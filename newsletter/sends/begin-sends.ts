import { sql } from "kysely";
import { longTorontoTime } from "#content/toronto-time.ts";
import { isPostgres, type OpenDatabase } from "#db/database-handle.ts";
import type { Db } from "#db/tables.ts";
import { isConfirmed } from "../subscriber-states.ts";
import { pauseForOperator } from "./steer-send.ts";

type BegunSend = { id: number; issueId: number; recipients: number };

/** Begins every due send, each with all its recipients or not at all. */
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

/** A send that is six hours late waits for the operator: this week's news may be last week's by now. */
export async function holdLateSends(db: Db, now: Date): Promise<void> {
  const sixHoursAgo = new Date(now.getTime() - 6 * 60 * 60 * 1000);
  for (const { id, begins_at } of await dueSends(db, sixHoursAgo).execute()) {
    const reason = `it was to begin on ${longTorontoTime(begins_at)}, more than six hours ago; the site wasn't running then, or had no mail server`;
    await db.transaction().execute((trx) => pauseForOperator(trx, { id, reason, now }));
  }
}

function dueSends(db: Db, now: Date) {
  return db
    .selectFrom("sends")
    .select(["id", "issue_id", "audience", "begins_at"])
    .where("ended_at", "is", null)
    .where("state", "=", "waiting")
    .where("begins_at", "<=", now.toISOString())
    .orderBy("id");
}

async function begin(trx: Db, id: number, now: Date): Promise<BegunSend | null> {
  const send = await dueSends(trx, now)
    .where("id", "=", id)
    .$if(isPostgres(trx), (select) => select.forUpdate().skipLocked())
    .executeTakeFirst();
  if (!send) return null;
  // Wait until a cancelled send has settled its mails, so that no recipient is missed.
  const { rows: underWay } = await sql`
    select 1 from send_rows join sends on sends.id = send_rows.send_id
    where sends.issue_id = ${send.issue_id} and sends.id <> ${id} and settled_at is null
    limit 1`.execute(trx);
  if (underWay.length > 0) return null;
  const recipients = await fixAudience(trx, { id, issueId: send.issue_id, now });
  await trx
    .updateTable("sends")
    .set({ state: "sending", begun_at: now.toISOString() })
    .where("id", "=", id)
    .execute();
  return { id, issueId: send.issue_id, recipients };
}

/**
 * Adds one row for each confirmed subscriber in one statement: nobody is in it twice or gets the issue twice. A row
 * that an earlier send withdrew is reused with its Message-ID (see `rowMessageId`), since an attempt may have arrived.
 */
async function fixAudience(
  trx: Db,
  { id, issueId, now }: { id: number; issueId: number; now: Date },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into send_rows (send_id, issue_id, reader_id, state, due_at)
    select cast(${id} as bigint), cast(${issueId} as bigint), id, 'waiting',
      cast(${now.toISOString()} as text)
    from subscribers where ${isConfirmed} order by id
    on conflict (reader_id, issue_id) do update set
      send_id = excluded.send_id, state = excluded.state, due_at = excluded.due_at,
      attempts = 0, settled_at = null, answer = null,
      message_id = coalesce(send_rows.message_id,
        (select send_key from sends where sends.id = send_rows.send_id) || '.' || send_rows.id)
    where send_rows.state = 'withdrawn'`.execute(trx);
  return Number(numAffectedRows);
}
