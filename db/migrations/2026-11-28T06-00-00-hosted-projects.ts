import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/** For a database that other programs write issues to, and for projects of the first hosted functions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  // Triggers find their tables whatever schemas the writer's session looks in.
  for (const name of [
    "draw_archive_version",
    "note_issue_edit",
    "forget_issue_edits",
    "forget_prepared_issue",
    "forget_prepared_issues",
    "refuse_change",
    "refuse_unless_subscriber_gone",
  ]) {
    await sql`alter function ${sql.ref(name)}() set search_path from current`.execute(db);
  }
  const { rows } =
    await sql`select where to_regclass('chalkline.submission_counts') is not null`.execute(db);
  if (rows.length > 0) await moveHostedTables(db);
}

/**
 * The first hosted functions had tables of their own in the schema `chalkline`. One token both confirmed and left, and
 * a webhook heard of every sign-up.
 */
async function moveHostedTables(db: Kysely<unknown>): Promise<void> {
  const iso = (column: string) =>
    sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const subscribedAt = iso("subscribed_at");
  // Messages were stored without their mailbox.
  const mailboxOf = (email: RawBuilder<unknown>) => {
    const untagged = sql`regexp_replace(lower(${email}), '(.)\\+[^@]*@', '\\1@')`;
    return sql`case when ${untagged} ~ '@g(oogle)?mail\\.com$'
      then replace(split_part(${untagged}, '@', 1), '.', '') || '@gmail.com' else ${untagged} end`;
  };
  await sql`insert into subscribers (email, mailbox_key, token, confirm_token, subscribed_at, confirmed_at,
      unsubscribed_at, pending_email, pending_since, webhook_told_at)
    select email, mailbox, token, token, ${subscribedAt}, ${iso("confirmed_at")}, ${iso("unsubscribed_at")},
      case when state = 'unconfirmed' then email end,
      case when state = 'unconfirmed' then ${subscribedAt} end,
      case when state <> 'unsubscribed' then ${subscribedAt} end
    from chalkline.subscribers order by subscribed_at`.execute(db);
  const wordingHash = sql`encode(sha256(convert_to(consent_text, 'utf8')), 'hex')`;
  await sql`insert into consent_wordings (hash, wording)
    select distinct ${wordingHash}, consent_text from chalkline.subscribers
    on conflict do nothing`.execute(db);
  await sql`insert into consent_events
      (mailbox_key, event, email, wording_hash, page, network_address, occurred_at, recorded_at)
    select mailbox, 'signed_up', email, ${wordingHash}, consent_page, consent_address,
      ${subscribedAt}, ${subscribedAt}
    from chalkline.subscribers order by subscribed_at`.execute(db);
  for (const [event, column] of [
    ["confirmed", "confirmed_at"],
    ["left", "unsubscribed_at"],
  ] as const) {
    await sql`insert into consent_events (mailbox_key, event, email, way, occurred_at, recorded_at)
      select mailbox, ${event}, email, ${event === "left" ? "link" : null}, ${iso(column)}, ${iso(column)}
      from chalkline.subscribers where ${sql.ref(column)} is not null`.execute(db);
  }
  await sql`insert into contact_messages (first_name, last_name, email, mailbox_key, company, phone, subject,
      message, submission_key, sender_address, received_at)
    select first_name, last_name, email, ${mailboxOf(sql`email`)}, company, phone, subject, message, submission_key,
      sender_address, ${iso("received_at")}
    from chalkline.contact_messages order by id`.execute(db);
  await sql`insert into outbox (delivery_id, kind, payload, created_at, next_attempt_at, mailbox_key)
    select delivery_id, kind, payload || case when payload ? 'token'
        then jsonb_build_object('confirmToken', payload->'token') else '{}' end,
      ${iso("created_at")}, ${iso("due_at")}, ${mailboxOf(sql`coalesce(payload->>'email', payload#>>'{data,email}')`)}
    from chalkline.outbox where delivered_at is null and attempts < 16 order by created_at`.execute(
    db,
  );
  await sql`drop table chalkline.subscribers, chalkline.contact_messages, chalkline.outbox,
    chalkline.submission_counts`.execute(db);
}
