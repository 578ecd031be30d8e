import { sql } from "kysely";
import type { Db } from "#db/tables.ts";
import {
  addressHash,
  applyEvent,
  loadSubscriber,
  recordErasure,
} from "./subscribers/apply-event.ts";
import { repeatErasures } from "./subscribers/person.ts";

/** Carries ends, erasures and sends since the backup into the restored database. */
export async function carryOverSince(trx: Db, now: Date): Promise<void> {
  const erasures = trx.withSchema("before_restore").selectFrom("erasures").selectAll();
  await repeatErasures(trx, await erasures.execute(), now);
  await repeatEnds(trx, now);
  await carrySendsOver(trx, now);
  await settleLetters(trx, now);
  await stopPlans(trx, now);
  await keepDesk(trx);
  await sql`insert into consent_wordings select * from before_restore.consent_wordings where true
    on conflict do nothing`.execute(trx);
  // Old windows must not overwrite a restored draft.
  await sql`update drafts set version = version + highest, base_version = base_version + highest
    from (select coalesce(max(version), 0) + 1 as highest from before_restore.drafts) as former`.execute(
    trx,
  );
}

/** Ends since the backup stay; mailboxes missing in it get a hash. */
async function repeatEnds(trx: Db, now: Date): Promise<void> {
  const former = trx.withSchema("before_restore");
  const people = await trx
    .selectFrom("subscribers")
    .select(["mailbox_key", "unsubscribed_at", "bounced_at", "confirmed_at", "released_at"])
    .execute();
  const known = new Map(people.map((row) => [row.mailbox_key, row]));
  const ended = await former
    .selectFrom("subscribers")
    .select(["mailbox_key as mailbox", "unsubscribed_at as leftAt", "bounced_at as bouncedAt"])
    .where((on) => on.or([on("unsubscribed_at", "is not", null), on("bounced_at", "is not", null)]))
    .execute();
  for (const { mailbox, leftAt, bouncedAt } of ended) {
    const row = known.get(mailbox);
    const at = leftAt ?? bouncedAt ?? "";
    if (!row) {
      const address_hash = addressHash(mailbox);
      if (leftAt) await recordErasure(trx, { address_hash, erased_at: leftAt });
      continue;
    }
    const isEnded = row.unsubscribed_at !== null || (leftAt === null && row.bounced_at !== null);
    // The backup may be newer, and they may have come back in it.
    const backAt = [row.confirmed_at ?? "", leftAt ? "" : (row.released_at ?? "")];
    if (isEnded || backAt.some((time) => at < time)) continue;
    const { way } = (await former
      .selectFrom("consent_events")
      .select("way")
      .where("mailbox_key", "=", mailbox)
      .where("event", "=", "left")
      .orderBy("id", "desc")
      .executeTakeFirst()) ?? { way: null };
    await applyEvent(trx, await loadSubscriber(trx, mailbox, now), {
      event: leftAt ? "leave" : "bounce",
      way: way ?? undefined,
      occurredAt: new Date(at),
      ...{ now, newsletterWebhookUrl: null },
    });
  }
}

/** Keeps who was mailed, and ends sends that began since. */
async function carrySendsOver(trx: Db, now: Date): Promise<void> {
  // Another installation's numbers mean other sends.
  const { rows: others } = await sql`select 1 from sends join before_restore.sends as former
    on former.id = sends.id where former.send_key <> sends.send_key limit 1`.execute(trx);
  if (others.length > 0) return;
  await sql`update sends set state = former.state, subject = former.subject, html = former.html,
      plain_text = former.plain_text, begins_at = former.begins_at, begun_at = former.begun_at,
      ended_at = former.ended_at, pause_reason = former.pause_reason, trouble = former.trouble
    from before_restore.sends as former
    where former.id = sends.id and sends.ended_at is null`.execute(trx);
  const isOpen = sql`former.ended_at is null`;
  await sql`insert into sends (id, send_key, issue_id, title, subject, html, plain_text,
       created_at, begins_at, begun_at, state, ended_at, pause_reason)
    select id, send_key, issue_id, title, subject, html, plain_text, created_at,
      begins_at, begun_at, case when ${isOpen} then 'cancelled' else state end,
      coalesce(ended_at, ${now.toISOString()}),
      case when ${isOpen} then 'a backup from before it was restored' else pause_reason end
    from before_restore.sends as former where issue_id in (select id from final_newsletters)
      and id not in (select id from sends)`.execute(trx);
  await sql`insert into send_rows (send_id, issue_id, reader_id, state, attempts, due_at, settled_at,
      answer, message_id)
    select send_id, former.issue_id, reader_id, former.state, attempts, due_at, settled_at, answer,
      coalesce(message_id, send_key || '.' || former.id)
    from before_restore.send_rows as former join sends on sends.id = send_id
    where true on conflict (reader_id, issue_id) do update set send_id = excluded.send_id,
      state = excluded.state, attempts = excluded.attempts, due_at = excluded.due_at,
      settled_at = excluded.settled_at, answer = excluded.answer, message_id = excluded.message_id
    where send_rows.state not in ('accepted', 'refused')`.execute(trx);
}

/** Keeps only letters of the last two days that aren't known to have left. */
async function settleLetters(trx: Db, now: Date): Promise<void> {
  await sql`update outbox set delivered_at = former.delivered_at, failed_at = former.failed_at,
      attempts = former.attempts, refusals = former.refusals, last_error = former.last_error
    from before_restore.outbox as former
    where former.delivery_id = outbox.delivery_id and outbox.delivered_at is null
      and (former.delivered_at is not null or former.failed_at is not null)`.execute(trx);
  const oldest = new Date(now.getTime() - 2 * 86_400_000).toISOString();
  await sql`delete from outbox where delivered_at is null and failed_at is null
    and created_at < ${oldest}
    and delivery_id not in (select delivery_id from before_restore.outbox)`.execute(trx);
}

/** Stops what is over or wasn't planned any more. */
async function stopPlans(trx: Db, now: Date): Promise<void> {
  const problem = "A backup from before it was changed was restored. Look at it, and plan it anew.";
  await sql`update plans set problem = ${problem} where problem is null
    and (due_at <= ${now.toISOString()} or not exists (
      select 1 from before_restore.plans as former where former.id = plans.id
        and former.due_at = plans.due_at and former.problem is null))`.execute(trx);
}

/** Keeps the desk's people of this installation, and no restored sessions. */
async function keepDesk(trx: Db): Promise<void> {
  const people = trx.withSchema("before_restore").selectFrom("desk_people").select("id").limit(1);
  const isKept = (await people.execute()).length > 0;
  const tables = ["desk_people", "desk_passkeys", "desk_links", "desk_sessions"] as const;
  const replaced = isKept ? tables : tables.slice(2);
  for (const table of replaced.toReversed()) await trx.deleteFrom(table).execute();
  if (!isKept) return;
  for (const table of tables)
    await sql`insert into ${sql.table(table)}
      select * from ${sql.table(`before_restore.${table}`)}`.execute(trx);
}
