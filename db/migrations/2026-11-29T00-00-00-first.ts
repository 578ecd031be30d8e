import { type Generated, type Kysely, PostgresAdapter, sql } from "kysely";

type Column<Type> = { words: string; type?: Type };

function column<Type>(words: string): Column<Type> {
  return { words };
}

const id = column<Generated<number>>("identity");
const text = column<string>("text not null");
const textOrNull = column<string | null>("text");
const textKey = column<string>("text primary key");
const uniqueText = column<string>("text not null unique");
const foldedText = column<Generated<string>>("text not null default ''");
const number = column<number>("bigint not null");
const numberOrNull = column<number | null>("bigint");
const numberKey = column<number>("bigint primary key");
const count = column<Generated<number>>("bigint not null default 0");
const ofPerson = column<number>("bigint not null references desk_people (id) on delete cascade");
const ofSubscriber = column<string>(
  "text not null references subscribers (mailbox_key) on delete cascade",
);

/** Nothing is mailed about it until its release. */
const quarantine = {
  held_at: textOrNull,
  held_reason: textOrNull,
  released_at: textOrNull,
};

const listedSubscriber = {
  /** As typed at the confirmation, or last before it. */
  email: text,
  subscribed_at: text,
  confirmed_at: textOrNull,
  unsubscribed_at: textOrNull,
  pending_email: textOrNull,
  pending_since: textOrNull,
  /** Gets no issue until released or confirmed again. */
  bounced_at: textOrNull,
  /** End of an implied consent (CASL, s. 10(10)); NULL for an express one. */
  consent_ends_at: textOrNull,
};

/** The whole schema. Times are text: ISO 8601 in UTC with milliseconds, so that they sort. */
const tables = {
  /** Exactly these columns, so that an existing table works unchanged. */
  final_newsletters: {
    id,
    title: text,
    content_markdown: text,
    publish_date: column<string>("date not null"),
  },
  /** Issues as pages and search read them. Triggers delete outdated rows. */
  prepared_issues: { issue_id: numberKey, body_key: text, html: text, plain_text: text },
  issue_edits: { issue_id: numberKey, edited_at: text },
  issue_preheaders: { issue_id: numberKey, preheader: text },
  /** Visits by an issue's links, added up. */
  issue_visits: { issue_id: numberKey, visits: number },
  /** One random word, which triggers replace after every change. */
  archive_version: { version: text },
  pictures: {
    /** SHA-256, base64url. */
    hash: textKey,
    media_type: text,
    kept_at: text,
    size_bytes: number,
    width: number,
    height: number,
    /** Text, so that copying needs no special case. */
    base64: text,
  },
  issue_pictures: { issue_id: number, hash: text },
  /** A new issue, or a correction of `issue_id`. */
  drafts: {
    id,
    issue_id: numberOrNull,
    title: text,
    preheader: text,
    body: text,
    /** So that a second window can't overwrite newer words. */
    version: number,
    created_at: text,
    saved_at: text,
    /** Null for a draft of no issue. */
    base_fingerprint: textOrNull,
    /** Later versions have unpublished words. */
    base_version: numberOrNull,
    binned_at: textOrNull,
  },
  draft_pictures: { draft_id: number, hash: text },
  plans: {
    id,
    draft_id: column<number>("bigint not null unique references drafts (id) on delete cascade"),
    due_at: text,
    /** NULL if mailed to nobody. */
    audience: textOrNull,
    /** Not retried until the plan changes. */
    problem: textOrNull,
    created_at: text,
  },
  /** Removed issues, kept for a month. */
  binned_issues: {
    id: numberKey,
    title: text,
    html: text,
    publish_date: text,
    preheader: textOrNull,
    binned_at: text,
  },
  /** One row a mailbox. `pending` columns are a new sign-up after leaving. */
  subscribers: {
    id,
    /** Normalised. */
    mailbox_key: uniqueText,
    /** Permanent, in unsubscribe links. */
    token: uniqueText,
    confirm_token: column<string | null>("text unique"),
    ...listedSubscriber,
    mail_delivery_id: textOrNull,
    /** NULL if the webhook wasn't told, or was told of its end. */
    webhook_told_at: textOrNull,
    ...quarantine,
    /** Without accents and capitals. */
    search_text: foldedText,
  },
  /** They still lead to the mailbox but confirm nothing. */
  consent_wordings: { hash: textKey, wording: text },
  /** The consent ledger, append only by triggers. */
  consent_events: {
    id,
    mailbox_key: ofSubscriber,
    event: text,
    email: text,
    wording_hash: column<string | null>("text references consent_wordings (hash)"),
    page: textOrNull,
    network_address: textOrNull,
    way: textOrNull,
    occurred_at: text,
    recorded_at: text,
  },
  mail_pauses: { address_hash: textKey, until: text },
  /** Mailboxes that were erased, or left and were removed: no import may bring them back. */
  erasures: { address_hash: textKey, erased_at: text },
  /** A killed import leaves rows to the next one. */
  staged_subscribers: {
    id,
    list: text,
    address_hash: text,
    wording_hash: text,
    page: textOrNull,
    network_address: textOrNull,
    mailbox_key: text,
    token: text,
    ...listedSubscriber,
    search_text: text,
  },
  contact_messages: {
    id,
    first_name: text,
    last_name: text,
    email: text,
    company: text,
    phone: text,
    subject: text,
    message: text,
    /** Hash of the idempotency key and the words. */
    submission_key: column<string | null>("text unique"),
    sender_address: textOrNull,
    received_at: text,
    ...quarantine,
    mailbox_key: text,
    answered_at: textOrNull,
    /** `YYYY-MM-DD` in Toronto. */
    later_until: textOrNull,
    /** The page of the site before the form, if the visitor lets it be noted. */
    from_page: textOrNull,
    /** The issue whose link led there, if the same visitor lets it. */
    from_issue: numberOrNull,
    search_text: foldedText,
  },
  outbox: {
    id,
    /** Stable: the Message-ID and `webhook-id` derive from it. */
    delivery_id: uniqueText,
    kind: text,
    payload: text,
    attempts: count,
    refusals: count,
    created_at: text,
    next_attempt_at: text,
    /** After `claimed_until`, any worker may take the job over. */
    claimed_by: textOrNull,
    claimed_until: textOrNull,
    delivered_at: textOrNull,
    failed_at: textOrNull,
    last_error: textOrNull,
    request_id: textOrNull,
    /** Deleted on delivery, since its address was erased. */
    erased_at: textOrNull,
    /** NULL if none, or after an erasure. */
    mailbox_key: textOrNull,
  },
  /** How many were confirmed when a day in Toronto was last counted. No erasure changes it. */
  subscriber_days: { day: textKey, confirmed: number },
  /** The last mail that was read in each bounce mailbox (RFC 3501, section 2.3.1.1). */
  bounce_mailboxes: { mailbox: textKey, uid_validity: text, last_uid: number },
  leases: { name: textKey, held_by: text, held_until: text },
  /** `subject`, `html` and `plain_text` are empty until the send begins. */
  sends: {
    id,
    /** The Message-IDs and the link's placeholder derive from it. */
    send_key: uniqueText,
    issue_id: number,
    title: text,
    state: text,
    subject: text,
    html: text,
    plain_text: text,
    created_at: text,
    begins_at: text,
    begun_at: textOrNull,
    ended_at: textOrNull,
    /** NULL if the operator did it. */
    pause_reason: textOrNull,
    /** The mail server's words while nothing goes out. */
    trouble: textOrNull,
  },
  /** Unique by subscriber and issue. Only the id names the subscriber, so an erasure leaves nothing personal. */
  send_rows: {
    id,
    send_id: column<number>("bigint not null references sends (id) on delete cascade"),
    issue_id: number,
    /** Never reused. The address is read at the hand-over. */
    reader_id: number,
    state: text,
    attempts: count,
    /** Next attempt, or the end of the worker's claim. */
    due_at: text,
    /** Only this worker may settle the row. */
    claimed_by: textOrNull,
    settled_at: textOrNull,
    answer: textOrNull,
    /** Set if an earlier send made it. */
    message_id: textOrNull,
    /** The first hand-over, whose hour the mail bears at every attempt. */
    handed_at: textOrNull,
  },
  bounces: {
    id,
    mailbox_key: ofSubscriber,
    kind: text,
    status_code: textOrNull,
    answer: text,
    occurred_at: text,
    /** Recorded once; null if the server refused during delivery. */
    report_key: textOrNull,
  },
  site_words: { name: textKey, value: text, changed_at: text },
  /** Settings of the desk, over the environment's. */
  settings: { name: textKey, value: text, changed_at: text },
  desk_people: { id, name: uniqueText, created_at: text },
  desk_links: { token_hash: textKey, person_id: ofPerson, ends_at: text },
  desk_passkeys: {
    credential: textKey,
    person_id: ofPerson,
    device: text,
    public_key: text,
    counter: number,
    transports: text,
    created_at: text,
    used_at: textOrNull,
  },
  desk_sessions: {
    secret_hash: textKey,
    person_id: ofPerson,
    credential: column<string>(
      "text not null references desk_passkeys (credential) on delete cascade",
    ),
    created_at: text,
    ends_at: text,
  },
  /** Such as the arrival of the starter issues. */
  marks: { name: textKey, set_at: text },
};

type Tables = typeof tables;

/** The tables after this migration; what later ones add is declared in db/tables.ts. */
export type FirstTables = {
  [Table in keyof Tables]: {
    [Name in keyof Tables[Table]]: Tables[Table][Name] extends Column<infer Type> ? Type : never;
  };
};

const constraints: Partial<Record<keyof Tables, string>> = {
  issue_pictures: "primary key (issue_id, hash)",
  draft_pictures: "primary key (draft_id, hash)",
  send_rows: "unique (reader_id, issue_id)",
};

/** Partial where a table grows for years and what is asked for stays short. */
const indexes = [
  "issue_pictures_hash on issue_pictures (hash)",
  "draft_pictures_hash on draft_pictures (hash)",
  "plans_due on plans (due_at) where problem is null",
  "subscribers_held on subscribers (held_at) where held_at is not null",
  "subscribers_consent_ends on subscribers (consent_ends_at) where consent_ends_at is not null",
  "subscribers_states on subscribers (confirmed_at, unsubscribed_at, bounced_at, held_at)",
  "subscribers_left on subscribers (unsubscribed_at, id) where unsubscribed_at is not null",
  "subscribers_unconfirmed on subscribers (subscribed_at, id) where confirmed_at is null and unsubscribed_at is null",
  "subscribers_bounced on subscribers (id) where bounced_at is not null",
  "consent_events_mailbox on consent_events (mailbox_key, id)",
  "consent_events_recorded on consent_events (recorded_at, event)",
  "mail_pauses_until on mail_pauses (until)",
  "contact_messages_held on contact_messages (held_at) where held_at is not null",
  "contact_messages_mailbox on contact_messages (mailbox_key, id)",
  "contact_messages_received on contact_messages (received_at, id)",
  "contact_messages_addressed on contact_messages (received_at, id) where sender_address is not null",
  "contact_messages_work on contact_messages (held_at, answered_at, later_until)",
  "outbox_waiting on outbox (kind, next_attempt_at, id) where delivered_at is null and failed_at is null",
  "outbox_failed on outbox (kind, id) where failed_at is not null and delivered_at is null",
  "outbox_delivered on outbox (delivered_at, id) where delivered_at is not null",
  "outbox_erased on outbox (erased_at, id) where erased_at is not null",
  "outbox_created on outbox (created_at, id)",
  "outbox_mailbox on outbox (mailbox_key, id) where mailbox_key is not null",
  "sends_issue on sends (issue_id)",
  "sends_under_way on sends (state, id) where ended_at is null",
  "sends_cancelled on sends (id) where state = 'cancelled'",
  "send_rows_open on send_rows (send_id, due_at, id) where settled_at is null",
  "send_rows_state on send_rows (send_id, state)",
  "send_rows_accepted on send_rows (settled_at) where state = 'accepted'",
  "bounces_mailbox on bounces (mailbox_key, occurred_at)",
];

const uniqueIndexes = [
  "sends_open on sends (issue_id) where ended_at is null",
  "bounces_report on bounces (mailbox_key, report_key)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const run = (words: string) => sql.raw(words).execute(db);
  const identity = onPostgres
    ? "bigint generated by default as identity primary key"
    : "integer primary key autoincrement";
  const own = (words: string) =>
    onPostgres
      ? words.replace("identity", identity)
      : words.replace("identity", identity).replace("bigint", "integer").replace("date", "text");
  for (const [name, columns] of Object.entries(tables)) {
    const lines = Object.entries(columns).map(
      ([column, { words }]: [string, Column<unknown>]) => `${column} ${own(words)}`,
    );
    const constraint = constraints[name as keyof Tables];
    if (constraint) lines.push(constraint);
    // A table made by another program keeps its shape.
    const unlessThere = name === "final_newsletters" ? "if not exists" : "";
    // SQLite stores any type in any column unless a table is strict.
    await run(
      `create table ${unlessThere} ${name} (${lines.join(", ")}) ${onPostgres ? "" : "strict"}`,
    );
  }
  for (const index of indexes) await run(`create index ${index}`);
  for (const index of uniqueIndexes) await run(`create unique index ${index}`);
  // For counts by state.
  await run(
    onPostgres
      ? "create index subscribers_confirmed on subscribers (confirmed_at) include (unsubscribed_at, bounced_at)"
      : "create index subscribers_confirmed on subscribers (confirmed_at, unsubscribed_at, bounced_at)",
  );
  for (const words of onPostgres ? postgresWords : sqliteWords) await run(words);
}

// Triggers follow changes to issues by any program: version, edit time, prepared body. The version is random, so that a
// restored state gets its own. The ledgers are append only, and entries go with their subscriber alone.

const triggerFunction = (name: string, body: string) => `create function ${name}() returns trigger
  language plpgsql set search_path from current as $$ begin ${body} end $$`;

const postgresWords = [
  "insert into archive_version (version) values (gen_random_uuid()::text)",
  triggerFunction(
    "draw_archive_version",
    "update archive_version set version = gen_random_uuid()::text; return null;",
  ),
  `create trigger archive_version_drawn
    after insert or update or delete or truncate on final_newsletters
    for each statement execute function draw_archive_version()`,
  triggerFunction(
    "note_issue_edit",
    `delete from prepared_issues where issue_id = old.id;
    if tg_op = 'DELETE' then
      delete from issue_edits where issue_id = old.id;
    elsif (old.title, old.content_markdown) is distinct from (new.title, new.content_markdown) then
      insert into issue_edits (issue_id, edited_at)
        values (new.id, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        on conflict (issue_id) do update set edited_at = excluded.edited_at;
    end if;
    return null;`,
  ),
  `create trigger issue_edit_noted after update of title, content_markdown or delete
    on final_newsletters for each row execute function note_issue_edit()`,
  triggerFunction(
    "forget_issues",
    "delete from issue_edits; delete from prepared_issues; return null;",
  ),
  `create trigger issues_forgotten after truncate on final_newsletters
    for each statement execute function forget_issues()`,
  triggerFunction("refuse_change", "raise exception '% is append only', tg_table_name;"),
  triggerFunction(
    "refuse_unless_subscriber_gone",
    `if exists (select 1 from subscribers where mailbox_key = old.mailbox_key) then
      raise exception '% is append only', tg_table_name;
    end if;
    return old;`,
  ),
  `create trigger consent_events_stay before update on consent_events
    for each row execute function refuse_change()`,
  `create trigger consent_events_remain before delete on consent_events
    for each row execute function refuse_unless_subscriber_gone()`,
  `create trigger consent_wordings_stay before update or delete on consent_wordings
    for each row execute function refuse_change()`,
];

const randomWord = "lower(hex(randomblob(16)))";
const refusal = (table: string) => `begin select raise(abort, '${table} is append only'); end`;

const sqliteWords = [
  "create index final_newsletters_heads on final_newsletters (id desc, title, publish_date)",
  `insert into archive_version (version) values (${randomWord})`,
  ...["insert", "update", "delete"].map(
    (change) => `create trigger archive_version_on_${change} after ${change} on final_newsletters
      begin update archive_version set version = ${randomWord}; end`,
  ),
  `create trigger issue_edit_on_update after update of title, content_markdown on final_newsletters
    when old.title is not new.title or old.content_markdown is not new.content_markdown begin
      delete from prepared_issues where issue_id = new.id;
      delete from issue_edits where issue_id = new.id;
      insert into issue_edits (issue_id, edited_at)
        values (new.id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
    end`,
  // An insert that replaces a row runs no delete trigger.
  ...[
    ["insert", "new"],
    ["delete", "old"],
  ].map(
    ([change, row]) => `create trigger issue_edit_on_${change} after ${change} on final_newsletters
      begin
        delete from prepared_issues where issue_id = ${row}.id;
        delete from issue_edits where issue_id = ${row}.id;
      end`,
  ),
  ...["consent_events", "consent_wordings"].map(
    (table) => `create trigger ${table}_stay before update on ${table} ${refusal(table)}`,
  ),
  `create trigger consent_events_remain before delete on consent_events
    when exists (select 1 from subscribers where mailbox_key = old.mailbox_key)
    ${refusal("consent_events")}`,
  `create trigger consent_wordings_remain before delete on consent_wordings
    ${refusal("consent_wordings")}`,
];
