import { raw } from "hono/html";
import type { Updateable } from "kysely";
import { nameOfNewsletter } from "#content/own-words.ts";
import { newsletterName } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, Db } from "#db/tables.ts";
import type { MailMessage } from "#mail/create-mailer.ts";
import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import { lockMailboxes } from "../load-subscriber.ts";
import { type Refusal, recordBounce } from "../record-bounce.ts";
import { subscriberStateOf } from "../subscriber-states.ts";

export type HandedOver = NonNullable<Awaited<ReturnType<typeof handOver>>>;

type HandOver = {
  sendId: number;
  /** Unique to the worker, which must still have the claim to settle the row. */
  claimant: string;
  now: Date;
  leaseMs: number;
};

/**
 * Claims the next due mail of a send before it leaves. A recipient who left, bounced or was erased since the send began
 * is withdrawn in the same transaction. Null where none is due.
 */
export async function handOver(db: Db, { sendId, claimant, now, leaseMs }: HandOver) {
  const at = now.toISOString();
  return await db.transaction().execute(async (trx) => {
    // Locked, so that nothing is handed over after a pause.
    const send = await trx
      .selectFrom("sends")
      .select("id")
      .where("id", "=", sendId)
      .where("state", "=", "sending")
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
        .where("id", "=", row.reader_id)
        .$if(isPostgres(trx), (select) => select.forShare())
        .executeTakeFirst();
      const update = trx.updateTable("send_rows").where("id", "=", row.id);
      const state = subscriber ? subscriberStateOf(subscriber, false) : "no longer a subscriber";
      if (!subscriber || state !== "confirmed") {
        await update.set({ state: "withdrawn", settled_at: at, answer: state }).execute();
        continue;
      }
      // A mail that a crash interrupted is handed over again: it may have arrived, so it keeps its Message-ID.
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

/** The row's new values, and the refusal where the address is at fault. */
export type RowOutcome = { row: Updateable<Database["send_rows"]>; refusal?: Refusal | null };

/**
 * Writes the outcome and what it says of the address in one transaction. Returns false, and writes nothing, where
 * another worker has taken the row over.
 */
export async function settleRow(
  db: Db,
  mail: HandedOver,
  { row, refusal }: RowOutcome,
  now: Date,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    // Before the row, in the order of an erasure, so that the two can't deadlock.
    if (refusal) await lockMailboxes(trx, [mail.mailbox]);
    const result = await trx
      .updateTable("send_rows")
      .set({ claimed_by: null, ...row })
      .where("id", "=", mail.id)
      .where("claimed_by", "=", mail.claimedBy)
      .where("state", "=", "handed_over")
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) return false;
    if (refusal) await recordBounce(trx, { mailbox: mail.mailbox, refusal, now });
    return true;
  });
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

/** Replaced by each subscriber's token; no issue can contain it. */
export function tokenPlaceholderOf(sendKey: string): string {
  return `reader-${sendKey}`;
}

/**
 * The local part of a mail's Message-ID, the same at every attempt and in every send. `kept` is that of an earlier
 * send.
 */
export function rowMessageId(sendKey: string, { id, kept }: { id: number; kept: string | null }) {
  return kept ?? `${sendKey}.${id}`;
}

type Recipient = { id: number; email: string; token: string; keptMessageId: string | null };

/** One recipient's mail: the address, their link, and the headers of a newsletter. */
export function recipientMail(
  send: OpenSend,
  recipient: Recipient,
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
 * Unsubscribing by one click (RFC 8058, https only) or by mail (RFC 2369), the list's name (RFC 2919), and Gmail's
 * Feedback-ID. No Auto-Submitted, since a person wrote the issue (RFC 3834, section 5).
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

/** Quoted where it has more than letters and digits (RFC 5322, section 3.2.5). */
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
