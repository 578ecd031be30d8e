import { sql } from "kysely";
import { longTorontoTime } from "#content/toronto-time.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { isPostgres, type OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import type { Db } from "#db/tables.ts";
import { type FoundIssue, findIssue } from "../issues.ts";
import { isConfirmed } from "../subscriber-states.ts";
import { tokenPlaceholderOf } from "./hand-over.ts";
import { cancelSend, pauseForOperator } from "./steer-send.ts";

export type Sender = {
  site: SiteIdentity;
  /** Why nothing may go out by these settings, as the operator is told; null where all that is needed is set. */
  hindrance: string | null;
};

type BegunSend = { id: number; issueId: number; recipients: number };

/**
 * Begins every due send: composes its mail from the issue and the settings as they are now, and fixes its recipients, in
 * one transaction. From then on neither changes.
 */
export async function beginDueSends(
  { db, withoutTimeouts }: Pick<OpenDatabase, "db" | "withoutTimeouts">,
  sender: Sender,
  now: Date,
): Promise<BegunSend[]> {
  const due = await dueSends(db, now).execute();
  const begun: BegunSend[] = [];
  if (due.length === 0) return begun;
  // Loaded with the first send: the style inliner is large.
  const { composeIssueMail } = await import("#mail/issue-mail/compose-issue-mail.ts");
  for (const { id } of due) {
    // A long list takes longer than a visitor's statement may.
    const one = await withoutTimeouts((patient) =>
      patient.transaction().execute((trx) => begin(trx, { id, sender, composeIssueMail, now })),
    );
    if (one) begun.push(one);
  }
  return begun;
}

/** A send or a plan this much late waits for the operator: this week's news may be last week's by now. */
export const latestMs = 6 * 60 * 60 * 1000;

export async function pauseLateSends(db: Db, now: Date): Promise<void> {
  const tooLongAgo = new Date(now.getTime() - latestMs);
  for (const { id, begins_at } of await dueSends(db, tooLongAgo).execute()) {
    const reason = `it was to begin on ${longTorontoTime(begins_at)}, more than six hours ago; the site wasn't running then, or had no mail server`;
    await db.transaction().execute((trx) => pauseForOperator(trx, { id, reason, now }));
  }
}

function dueSends(db: Db, now: Date) {
  return db
    .selectFrom("sends")
    .select(["id", "issue_id", "send_key", "preheader", "begins_at"])
    .where("ended_at", "is", null)
    .where("state", "=", "waiting")
    .where("begins_at", "<=", now.toISOString())
    .orderBy("id");
}

type Beginning = {
  id: number;
  sender: Sender;
  composeIssueMail: typeof import("#mail/issue-mail/compose-issue-mail.ts").composeIssueMail;
  now: Date;
};

async function begin(trx: Db, beginning: Beginning): Promise<BegunSend | null> {
  const { id, sender, now } = beginning;
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
  const issue = await findIssue(trx, send.issue_id);
  if (!issue) {
    await cancelSend(trx, { id, now, reason: "its issue was removed" });
    return null;
  }
  const preheader = send.preheader ?? issue.preheader;
  const mail = compose(beginning, { issue, preheader, sendKey: send.send_key });
  const hindrance = sender.hindrance ?? mail.hindrance;
  if (hindrance) {
    await pauseForOperator(trx, { id, reason: hindrance, now });
    return null;
  }
  const recipients = await fixAudience(trx, { id, issueId: issue.id, now });
  await trx
    .updateTable("sends")
    .set({ state: "sending", begun_at: now.toISOString(), title: issue.title, ...mail.columns })
    .where("id", "=", id)
    .execute();
  return { id, issueId: issue.id, recipients };
}

function compose(
  { sender: { site }, composeIssueMail, now }: Beginning,
  letter: { issue: FoundIssue; preheader: string | null; sendKey: string },
) {
  const tokenPlaceholder = tokenPlaceholderOf(letter.sendKey);
  try {
    const { subject, html, text } = composeIssueMail({ ...letter, site, tokenPlaceholder, now });
    return { columns: { subject, html, plain_text: text }, hindrance: null };
  } catch (error) {
    return { columns: {}, hindrance: `its mail can't be composed: ${describeCauses(error)}` };
  }
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

/** Counts the confirmed subscribers, and those whose mail of the issue was neither accepted nor refused for good. */
export async function countAudience(
  db: Db,
  issueId: number,
): Promise<{ confirmed: number; withoutIssue: number }> {
  const { rows } = await sql<{ confirmed: number; withoutIssue: number }>`
    select count(*) as confirmed, count(*) - (
      select count(*) from send_rows join subscribers on subscribers.id = reader_id
      where send_id in (select id from sends where issue_id = ${issueId})
        and state <> 'withdrawn' and ${isConfirmed}) as "withoutIssue"
    from subscribers where ${isConfirmed}`.execute(db);
  return rows[0] ?? { confirmed: 0, withoutIssue: 0 };
}
