import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { retention } from "#content/retention.ts";
import { readMark, setMark } from "#db/marks.ts";
import type { Database, Db } from "#db/tables.ts";
import { deleteMailFilesBefore } from "#mail/mail-files.ts";
import { addressHash, recordErasure } from "./apply-event.ts";
import { deleteStaged } from "./import-list.ts";
import { forgetDeletedPages } from "./person.ts";
import { endImpliedConsents } from "./subscribe.ts";

type Deps = { db: Kysely<Database>; dataDir: string; newsletterWebhookUrl: string | null };

/**
 * Deletes all that content/retention.ts promises to delete, and ends implied consents that are over. Returns how much of each;
 * null where the clock has jumped. Undelivered jobs stay with their message or sign-up.
 */
export async function deleteExpired({ db, dataDir, newsletterWebhookUrl }: Deps, now: Date) {
  if (!(await isClockTrusted(db, now))) return null;
  const deliveredBefore = daysBefore(now, retention.deliveryDays);
  const messagesBefore = yearsBefore(now, retention.contactMessageYears);
  const unconfirmedBefore = yearsBefore(now, retention.unconfirmedSignUpYears);
  const leftLongAgo = sql<SqlBool>`unsubscribed_at < ${yearsBefore(now, retention.consentYears)}
    and (pending_since is null or pending_since < ${unconfirmedBefore})`;
  const count = async (statement: RawBuilder<unknown>) =>
    Number((await statement.execute(db)).numAffectedRows);
  const consentsEnded = await endImpliedConsents(db, { now, newsletterWebhookUrl });
  await rememberDepartures(db, leftLongAgo);
  const deleted = {
    consentsEnded,
    messages: await count(sql`
      delete from contact_messages where received_at < ${messagesBefore} and mailbox_key not in (
        select mailbox_key from contact_messages where received_at >= ${messagesBefore})`),
    messageAddresses: await count(sql`
      update contact_messages set sender_address = null where sender_address is not null
        and received_at < ${daysBefore(now, retention.contactAddressDays)}`),
    subscribers: await count(sql`
      delete from subscribers where ${leftLongAgo}
        or (confirmed_at is null and unsubscribed_at is null
          and subscribed_at < ${unconfirmedBefore})`),
    deliveries: await count(sql`
      delete from outbox where delivered_at < ${deliveredBefore}
        or erased_at < ${daysBefore(now, retention.requestDays)}
        or created_at < ${messagesBefore}
        or (created_at < ${unconfirmedBefore} and kind <> 'contact-email')`),
    mailFiles: await deleteMailFilesBefore(dataDir, deliveredBefore),
    stagedSubscribers: await deleteStaged(db),
    binned: await emptyBin(db, daysBefore(now, retention.binDays)),
  };
  if (Object.values(deleted).some((count) => count > 0)) await forgetDeletedPages(db);
  return deleted;
}

/** So that no import brings back people who left. */
async function rememberDepartures(db: Db, areThey: RawBuilder<SqlBool>): Promise<void> {
  const left = await db
    .selectFrom("subscribers")
    .select(["mailbox_key as mailbox", "unsubscribed_at as leftAt"])
    .where(areThey)
    .execute();
  for (const { mailbox, leftAt } of left)
    await recordErasure(db, { address_hash: addressHash(mailbox), erased_at: leftAt ?? "" });
}

/** Empties the desk's bin, but keeps drafts saved after their issue went there. */
async function emptyBin(db: Db, before: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from drafts where binned_at < ${before}
    or (base_version = version
      and issue_id in (select id from binned_issues where binned_at < ${before}))`.execute(db);
  await sql`delete from draft_pictures where draft_id not in (select id from drafts)`.execute(db);
  const issues = await sql`delete from binned_issues where binned_at < ${before}`.execute(db);
  const known = sql`(select id from final_newsletters union select id from binned_issues)`;
  await sql`delete from issue_pictures where issue_id not in ${known}`.execute(db);
  await sql`update drafts set issue_id = null, base_fingerprint = null, base_version = null
    where issue_id is not null and issue_id not in ${known}`.execute(db);
  return Number(numAffectedRows) + Number(issues.numAffectedRows);
}

function yearsBefore(now: Date, years: number): string {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() - years);
  return then.toISOString();
}

const dayMs = 24 * 60 * 60 * 1000;

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString();
}

/** False where the clock jumped a day back or a month ahead, until it has run on for a week. */
async function isClockTrusted(db: Db, now: Date): Promise<boolean> {
  const [lastSeen, jumped] = ["clock last seen", "clock jumped"];
  const daysSince = (mark: string | null) =>
    mark === null ? null : (now.getTime() - Date.parse(mark)) / dayMs;
  const sinceLast = daysSince(await readMark(db, lastSeen)) ?? 0;
  const sinceJump = daysSince(await readMark(db, jumped));
  const isSteady = sinceLast >= -1 && sinceLast <= 30;
  const hasSettled = sinceJump !== null && sinceJump >= 7 && sinceJump <= 30;
  const always = new Date("9999");
  if (isSteady || hasSettled) {
    await setMark(db, { name: lastSeen, at: now, ifBefore: always });
    await db.deleteFrom("marks").where("name", "=", jumped).execute();
    return true;
  }
  if (sinceJump === null || sinceJump < 0 || sinceJump > 30) {
    await setMark(db, { name: jumped, at: now, ifBefore: always });
  }
  return false;
}
