import { raw } from "hono/html";
import { type Selectable, sql, type Updateable } from "kysely";
import { nameOfNewsletter } from "#content/own-words.ts";
import { newsletterName } from "#content/site.ts";
import type { SiteIdentity } from "#content/site-settings.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import { isPostgres, type OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { isHeld } from "#db/marks.ts";
import type { Database, Db, RowState } from "#db/tables.ts";
import type { MailMessage } from "#mail/create-mailer.ts";
import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import { type Refusal, recordBounce } from "../bounces/record-bounce.ts";
import { type FoundIssue, findIssue } from "../issues/issues.ts";
import { lockMailbox } from "../subscribers/load-subscriber.ts";
import { isMailedAt, subscriberStateOf } from "../subscribers/subscriber-states.ts";
import { cancelSend, pauseForOperator } from "./sends.ts";

export type Sender = {
  site: SiteIdentity;
  hindrance: string | null;
};

type BegunSend = { id: number; issueId: number; recipients: number };

/** Begins every due send: composes its mail and fixes its recipients in one transaction. */
export async function beginDueSends(
  { db, withoutTimeouts }: Pick<OpenDatabase, "db" | "withoutTimeouts">,
  sender: Sender,
  now: Date,
): Promise<BegunSend[]> {
  const due = await dueSends(db, now).execute();
  const begun: BegunSend[] = [];
  if (due.length === 0) return begun;
  // The style inliner is large.
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

/** A send or plan that is later waits for the operator: its news may be old. */
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
    .where(({ not }) => not(isHeld))
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
  // A cancelled send must settle first, so that no recipient is missed.
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
 * Adds a row for each confirmed subscriber in one statement. Reuses withdrawn rows with their
 * Message-ID.
 */
async function fixAudience(
  trx: Db,
  { id, issueId, now }: { id: number; issueId: number; now: Date },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into send_rows (send_id, issue_id, reader_id, state, due_at)
    select cast(${id} as bigint), cast(${issueId} as bigint), id, 'waiting',
      cast(${now.toISOString()} as text)
    from subscribers where ${isMailedAt(now.toISOString())} order by id
    on conflict (reader_id, issue_id) do update set
      send_id = excluded.send_id, state = excluded.state, due_at = excluded.due_at,
      attempts = 0, settled_at = null, answer = null,
      message_id = coalesce(send_rows.message_id,
        (select send_key from sends where sends.id = send_rows.send_id) || '.' || send_rows.id)
    where send_rows.state = 'withdrawn'`.execute(trx);
  return Number(numAffectedRows);
}

export type OpenSend = Awaited<ReturnType<typeof openSends>>[number];

export async function openSends(db: Db) {
  return await db
    .selectFrom("sends")
    .select(["id", "send_key as key", "issue_id as issueId", "subject", "html"])
    .select(["plain_text as text", ({ fn }) => fn.coalesce("begun_at", "begins_at").as("begunAt")])
    .where("state", "=", "sending")
    .orderBy("id")
    .execute();
}

export type HandedOver = NonNullable<Awaited<ReturnType<typeof handOver>>>;

type HandOver = {
  sendId: number;
  /** Unique to the worker, which must still have the claim to settle the row. */
  claimant: string;
  now: Date;
  leaseMs: number;
};

/** Claims the next due mail; withdraws recipients who left meanwhile. Null where none is due. */
export async function handOver(db: Db, { sendId, claimant, now, leaseMs }: HandOver) {
  const at = now.toISOString();
  return await db.transaction().execute(async (trx) => {
    // Locked, so that nothing is handed over after a pause.
    const send = await trx
      .selectFrom("sends")
      .select("id")
      .where("id", "=", sendId)
      .where("state", "=", "sending")
      .where(({ not }) => not(isHeld))
      .$if(isPostgres(trx), (select) => select.forShare())
      .executeTakeFirst();
    if (!send) return null;
    for (;;) {
      const row = await trx
        .selectFrom("send_rows")
        .select(["id", "reader_id", "attempts", "message_id"])
        .where("send_id", "=", sendId)
        .where("settled_at", "is", null)
        .where("due_at", "<=", at)
        .orderBy("due_at")
        .orderBy("id")
        .limit(1)
        .$if(isPostgres(trx), (select) => select.forUpdate().skipLocked())
        .executeTakeFirst();
      if (!row) return null;
      // Locked, so that an unsubscribe comes before the hand-over or after it.
      const subscriber = await trx
        .selectFrom("subscribers")
        .selectAll()
        .select(isMailedAt(at).as("isMailed"))
        .where("id", "=", row.reader_id)
        .$if(isPostgres(trx), (select) => select.forShare())
        .executeTakeFirst();
      const update = trx.updateTable("send_rows").where("id", "=", row.id);
      if (!subscriber?.isMailed) {
        const answer = subscriber ? whyNotMailed(subscriber) : "no longer a subscriber";
        await update.set({ state: "withdrawn", settled_at: at, answer }).execute();
        continue;
      }
      // It may have arrived, so it keeps its Message-ID.
      const attempts = row.attempts + 1;
      const due_at = new Date(now.getTime() + leaseMs).toISOString();
      const claim = { state: "handed_over", claimed_by: claimant, due_at, attempts } as const;
      await update.set(claim).execute();
      return {
        id: row.id,
        mailbox: subscriber.mailbox_key,
        email: subscriber.email,
        token: subscriber.token,
        attempts,
        keptMessageId: row.message_id,
        claimedBy: claimant,
      };
    }
  });
}

function whyNotMailed(subscriber: Selectable<Database["subscribers"]>): string {
  const state = subscriberStateOf(subscriber, false);
  return state === "agreed for a time" ? "the implied consent is over" : state;
}

export type RowOutcome = { row: Updateable<Database["send_rows"]>; refusal?: Refusal | null };

/** Settles a row and its bounce in one transaction. False where another worker has taken it over. */
export async function settleRow(
  db: Db,
  mail: HandedOver,
  { row, refusal }: RowOutcome,
  now: Date,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    // In the order of an erasure, to avoid deadlocks.
    if (refusal || row.answer) await lockMailbox(trx, mail.mailbox);
    // The recipient may have been erased meanwhile.
    const answer = sql<string | null>`case when reader_id in (select id from subscribers)
      then ${row.answer ?? null} end`;
    const result = await trx
      .updateTable("send_rows")
      .set({ claimed_by: null, ...row, ...(row.answer && { answer }) })
      .where("id", "=", mail.id)
      .where("claimed_by", "=", mail.claimedBy)
      .where("state", "=", "handed_over")
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) return false;
    if (refusal) await recordBounce(trx, { mailbox: mail.mailbox, refusal, now });
    return true;
  });
}

export async function isAnyMailDue(db: Db, sends: readonly OpenSend[]): Promise<boolean> {
  const ids = [0, ...sends.map(({ id }) => id)];
  const due = await db
    .selectFrom("send_rows")
    .select("id")
    .where("send_id", "in", ids)
    .where("settled_at", "is", null)
    .where("due_at", "<=", new Date().toISOString())
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

export async function countMailed(db: Db, since: Date): Promise<number> {
  const at = since.toISOString();
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from send_rows where state = 'accepted' and settled_at > ${at})
      + (select count(*) from outbox where delivered_at > ${at} and kind like '%-email') as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Replaced by each subscriber's token; no issue can contain it. */
export function tokenPlaceholderOf(sendKey: string): string {
  return `reader-${sendKey}`;
}

/** The Message-ID's local part, the same at every attempt and in every send. */
function rowMessageId(sendKey: string, { id, kept }: { id: number; kept: string | null }) {
  return kept ?? `${sendKey}.${id}`;
}

export function recipientMail(
  send: OpenSend,
  recipient: { id: number; email: string; token: string; keptMessageId: string | null },
  site: SiteIdentity,
): MailMessage {
  const placeholder = tokenPlaceholderOf(send.key);
  return {
    deliveryId: rowMessageId(send.key, { id: recipient.id, kept: recipient.keptMessageId }),
    date: send.begunAt,
    to: { name: "", address: recipient.email },
    subject: send.subject,
    text: send.text.replaceAll(placeholder, recipient.token),
    html: raw(send.html.replaceAll(placeholder, recipient.token)) as MailMessage["html"],
    headers: newsletterHeaders(site, {
      token: recipient.token,
      feedbackId: `issue-${send.issueId}:send-${send.id}`,
    }),
  };
}

/**
 * RFC 8058 (https only), RFC 2369, RFC 2919 and Gmail's Feedback-ID. No Auto-Submitted: a person
 * wrote it (RFC 3834).
 */
export function newsletterHeaders(
  site: SiteIdentity,
  { token, feedbackId }: { token: string; feedbackId: string },
): Record<string, string> {
  const { hostname } = new URL(site.url);
  const newsletter = nameOfNewsletter(site);
  const link = unsubscribeLink(site, token);
  const byMail = `<mailto:${site.email}?subject=${encodeURIComponent(`Unsubscribe from ${newsletter}`)}>`;
  const byClick = link.startsWith("https://");
  return {
    "List-Unsubscribe": byClick ? `<${link}>, ${byMail}` : byMail,
    ...(byClick ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
    "List-Id": `${phrase(newsletter)} <${listLabel}.${hostname}>`,
    "Feedback-ID": `${feedbackId}:newsletter:${senderLabel(site.name)}`,
  };
}

/** Quoted if needed (RFC 5322, section 3.2.5). */
function phrase(words: string): string {
  return /^[\p{L}\p{N} -]+$/u.test(words) ? words : `"${words.replace(/["\\]/g, "")}"`;
}

const listLabel = newsletterName.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function senderLabel(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "newsletter"
  );
}

type ListedRows = { sendId: number; state?: RowState; afterId?: number; limit?: number };

export async function listSendRows(
  db: Db,
  { sendId, state, afterId = 0, limit = 500 }: ListedRows,
) {
  let query = db
    .selectFrom("send_rows as row")
    .innerJoin("sends", "sends.id", "row.send_id")
    .leftJoin("subscribers as subscriber", "subscriber.id", "row.reader_id")
    .select(["row.id", "sends.send_key as sendKey", "row.message_id as kept", "subscriber.email"])
    .select(["row.state", "row.attempts", "row.due_at as dueAt", "row.settled_at as settledAt"])
    .select("row.answer")
    .where("row.send_id", "=", sendId)
    .where("row.id", ">", afterId)
    .orderBy("row.id")
    .limit(limit);
  if (state) query = query.where("row.state", "=", state);
  const rows = await query.execute();
  return rows.map(({ sendKey, kept, ...row }) => ({
    ...row,
    messageId: rowMessageId(sendKey, { id: row.id, kept }),
  }));
}
