import { raw } from "hono/html";
import { type Selectable, sql, type Updateable } from "kysely";
import { nameOfNewsletter } from "#content/own-words.ts";
import { newsletterName } from "#content/site.ts";
import type { SiteIdentity } from "#content/site-settings.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import { isPostgres, type OpenDatabase } from "#db/database-handle.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { isFrozen } from "#db/marks.ts";
import type { Database, Db, RowState } from "#db/tables.ts";
import type { MailMessage } from "#mail/create-mailer.ts";
import type { ComposedMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { meaningOf } from "#mail/mail-answer.ts";
import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import type { Config } from "#settings/settings.ts";
import { recordBounce, type ServerRefusal } from "../bounces/record-bounce.ts";
import { type FoundIssue, findIssue } from "../issues/issues.ts";
import { lockMailbox } from "../subscribers/apply-event.ts";
import { isMailedAt, subscriberStateOf } from "../subscribers/subscriber-states.ts";
import { cancelSend, missingToSend, pauseForOperator, type Refusal } from "./sends.ts";

export type Sender = { site: SiteIdentity; config: Config };

type BegunSend = { id: number; issueId: number; recipients: number };

/** Begins every due send: composes its mail and fixes its recipients in one transaction. */
export async function beginDueSends(
  { db, withoutTimeouts }: Pick<OpenDatabase, "db" | "withoutTimeouts">,
  sender: Sender,
  now: Date,
): Promise<BegunSend[]> {
  const begun: BegunSend[] = [];
  for (const { id } of await dueSends(db, now).execute()) {
    // A long list takes longer than a visitor's statement may.
    const one = await withoutTimeouts((patient) =>
      patient.transaction().execute((trx) => begin(trx, { id, sender, now })),
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
    .select(["id", "issue_id", "send_key", "begins_at"])
    .where("ended_at", "is", null)
    .where("state", "=", "waiting")
    .where("begins_at", "<=", now.toISOString())
    .where(({ not }) => not(isFrozen))
    .orderBy("id");
}

async function begin(
  trx: Db,
  { id, sender, now }: { id: number; sender: Sender; now: Date },
): Promise<BegunSend | null> {
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
  const missing = missingToSend(sender.config).map(({ name }) => name);
  const composed =
    missing.length > 0
      ? { ok: false as const, problem: `it is not set any more: ${missing.join(", ")}` }
      : await composeMail(sender.site, issue, tokenPlaceholderOf(send.send_key));
  if (!composed.ok) {
    await pauseForOperator(trx, { id, reason: composed.problem, now });
    return null;
  }
  const { subject, html, text: plain_text } = composed.mail;
  const recipients = await fixAudience(trx, { id, issueId: issue.id, now });
  await trx
    .updateTable("sends")
    .set({ state: "sending", begun_at: now.toISOString() })
    .set({ title: issue.title, subject, html, plain_text })
    .where("id", "=", id)
    .execute();
  return { id, issueId: issue.id, recipients };
}

/** Refuses what another program has stored and no mail can hold. */
export async function composeMail(
  site: SiteIdentity,
  issue: FoundIssue,
  tokenPlaceholder: string,
): Promise<{ ok: true; mail: ComposedMail } | Refusal> {
  // The style inliner takes longer to load than most commands run.
  const { composeIssueMail } = await import("#mail/issue-mail/compose-issue-mail.ts");
  try {
    return { ok: true, mail: composeIssueMail({ issue, site, tokenPlaceholder }) };
  } catch (error) {
    return { ok: false, problem: `Its mail can’t be composed: ${describeCauses(error)}.` };
  }
}

/** Adds a row for each confirmed subscriber. Withdrawn rows are used again, with their Message-ID. */
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
      attempts = 0, settled_at = null, answer = null, handed_at = null,
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
    .select("plain_text as text")
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
      .where(({ not }) => not(isFrozen))
      .$if(isPostgres(trx), (select) => select.forShare())
      .executeTakeFirst();
    if (!send) return null;
    for (;;) {
      const row = await trx
        .selectFrom("send_rows")
        .select(["id", "reader_id", "attempts", "message_id", "handed_at"])
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
      const handed_at = row.handed_at ?? at;
      const claim = { claimed_by: claimant, due_at, attempts, handed_at };
      await update.set({ state: "handed_over", ...claim }).execute();
      return {
        id: row.id,
        mailbox: subscriber.mailbox_key,
        email: subscriber.email,
        token: subscriber.token,
        attempts,
        keptMessageId: row.message_id,
        handedAt: handed_at,
        claimedBy: claimant,
      };
    }
  });
}

function whyNotMailed(subscriber: Selectable<Database["subscribers"]>): string {
  const state = subscriberStateOf(subscriber, false);
  return state === "agreed for a time" ? "the implied consent is over" : state;
}

export type RowOutcome = { row: Updateable<Database["send_rows"]>; refusal?: ServerRefusal | null };

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

async function countMailed(db: Db, since: Date): Promise<number> {
  const at = since.toISOString();
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from send_rows where state = 'accepted' and settled_at > ${at})
      + (select count(*) from outbox where delivered_at > ${at} and kind like '%-email') as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** How many mails a day's limit leaves to sends; a tenth of it is kept for letters. */
export async function countLeft(db: Db, mailsPerDay: number, since: Date): Promise<number> {
  return Math.floor(0.9 * mailsPerDay) - (await countMailed(db, since));
}

/** Whether sends wait for tomorrow, as the worker, which counts every minute, has last found. */
export async function isDayOver(db: Db, mailsPerDay: number | null, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - 86_400_000 - 120_000);
  return mailsPerDay !== null && (await countLeft(db, mailsPerDay, since)) <= 0;
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
  recipient: Pick<HandedOver, "id" | "email" | "token" | "keptMessageId" | "handedAt">,
  site: SiteIdentity,
): MailMessage {
  const placeholder = tokenPlaceholderOf(send.key);
  return {
    deliveryId: rowMessageId(send.key, { id: recipient.id, kept: recipient.keptMessageId }),
    date: recipient.handedAt,
    to: { name: "", address: recipient.email },
    subject: send.subject,
    text: send.text.replaceAll(placeholder, recipient.token),
    html: raw(send.html.replaceAll(placeholder, recipient.token)) as MailMessage["html"],
    headers: newsletterHeaders(site, recipient.token),
  };
}

/** RFC 8058 (https only), RFC 2369 and RFC 2919. No Auto-Submitted: a person wrote it (RFC 3834). */
export function newsletterHeaders(site: SiteIdentity, token: string): Record<string, string> {
  const newsletter = nameOfNewsletter(site);
  const link = unsubscribeLink(site, token);
  const byMail = `<mailto:${site.email}?subject=${encodeURIComponent(`Unsubscribe from ${newsletter}`)}>`;
  const byClick = link.startsWith("https://");
  return {
    "List-Unsubscribe": byClick ? `<${link}>, ${byMail}` : byMail,
    ...(byClick && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
    "List-Id": `${newsletter.replace(/[^\w '&-]/g, "")} <${listLabel}.${new URL(site.url).hostname}>`,
  };
}

const listLabel = newsletterName.toLowerCase().replace(/[^a-z0-9]+/g, "-");

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

const refusals = {
  address: "do not exist, or take no mail",
  us: "are at servers that refuse mail from yours",
  mail: "are at servers that refuse this issue",
  later: "took none, though their servers only put it off",
};

/** The rows that were refused, by why. */
export async function listRefusals(db: Db, part: Omit<ListedRows, "state">) {
  const rows = await listSendRows(db, { ...part, state: "refused" });
  const whyOf = (answer: string | null) =>
    refusals[meaningOf({ stage: "recipient", words: answer ?? "" }).about];
  return Map.groupBy(rows, ({ answer }) => whyOf(answer))
    .entries()
    .toArray();
}
