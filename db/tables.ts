import type { Generated, Kysely } from "kysely";

/** The field that people don't see was filled in. */
export type QuarantineReason = "hidden_field";

export type ConsentEvent =
  | "signed_up"
  | "held"
  | "imported"
  | "added"
  | "released"
  | "confirmed"
  | "bounced"
  | "complained"
  | "left";

/**
 * By link, a mail program's button (RFC 8058), the operator, an import, or the end of an implied
 * consent.
 */
export type LeavingWay = "link" | "one_click" | "operator" | "import" | "expired";

/** A database or a transaction. */
export type Db = Kysely<Database>;

/** The tables. Times are ISO 8601 in UTC with milliseconds, so that they sort as text. */
export type Database = {
  /** Exactly these columns, so that an existing table works unchanged. */
  final_newsletters: {
    id: Generated<number>;
    title: string;
    content_markdown: string;
    publish_date: string;
  };
  /** Issues as pages and search read them. Triggers delete outdated rows. */
  prepared_issues: {
    issue_id: number;
    body_key: string;
    html: string;
    plain_text: string;
  };
  /** One random word, which triggers replace after every change. */
  archive_version: { version: string };
  issue_edits: { issue_id: number; edited_at: string };
  /** One row a mailbox. `pending` columns are a new sign-up after leaving. */
  subscribers: {
    id: Generated<number>;
    /** As typed at the confirmation, or last before it. */
    email: string;
    /** Normalised and unique. */
    mailbox_key: string;
    /** Permanent, in unsubscribe links. */
    token: string;
    confirm_token: string | null;
    subscribed_at: string;
    confirmed_at: string | null;
    unsubscribed_at: string | null;
    pending_email: string | null;
    pending_since: string | null;
    mail_delivery_id: string | null;
    /** NULL if the webhook wasn't told, or was told of its end. */
    webhook_told_at: string | null;
    /** Gets no issue until released or confirmed again. */
    bounced_at: string | null;
    /** End of an implied consent (CASL, s. 10(10)); NULL for an express one. */
    consent_ends_at: Generated<string | null>;
    /** Without accents and capitals. */
    search_text: Generated<string>;
  } & QuarantineColumns;
  contact_messages: {
    id: Generated<number>;
    first_name: string;
    last_name: string;
    email: string;
    mailbox_key: string;
    company: string;
    phone: string;
    subject: string;
    message: string;
    /** Hash of the idempotency key and the words. */
    submission_key: string | null;
    sender_address: string | null;
    received_at: string;
    answered_at: Generated<string | null>;
    /** `YYYY-MM-DD` in Toronto. */
    later_until: Generated<string | null>;
    /** The page of the site before the form, if the visitor lets it be noted. */
    from_page: Generated<string | null>;
    search_text: Generated<string>;
  } & QuarantineColumns;
  outbox: {
    id: Generated<number>;
    /** Stable: the Message-ID and `webhook-id` derive from it. */
    delivery_id: string;
    kind: string;
    payload: string;
    /** NULL if none, or after an erasure. */
    mailbox_key: string | null;
    attempts: Generated<number>;
    refusals: Generated<number>;
    created_at: string;
    next_attempt_at: string;
    /** After `claimed_until`, any worker may take the job over. */
    claimed_by: string | null;
    claimed_until: string | null;
    delivered_at: string | null;
    failed_at: string | null;
    last_error: string | null;
    request_id: string | null;
    /** Deleted on delivery, since its address was erased. */
    erased_at: string | null;
  };
  erasures: { address_hash: string; erased_at: string };
  /** Mailboxes that left and were removed: no import may bring them back. */
  departures: { address_hash: string; left_at: string };
  /** The consent ledger, append only by triggers. */
  consent_events: {
    id: Generated<number>;
    mailbox_key: string;
    event: ConsentEvent;
    email: string;
    wording_hash: string | null;
    page: string | null;
    network_address: string | null;
    way: LeavingWay | null;
    occurred_at: string;
    recorded_at: string;
  };
  consent_wordings: { hash: string; wording: string };
  /** They still lead to the mailbox but confirm nothing. */
  former_tokens: { token: string; mailbox_key: string };
  mail_pauses: { address_hash: string; until: string };
  /** Such as the arrival of the starter issues. */
  marks: { name: string; set_at: string };
  leases: { name: string; held_by: string; held_until: string };
  /** `subject`, `html` and `plain_text` are empty until the send begins. */
  sends: {
    id: Generated<number>;
    /** The Message-IDs and the link's placeholder derive from it. */
    send_key: string;
    issue_id: number;
    title: string;
    preheader: Generated<string | null>;
    audience: SendAudience;
    state: SendState;
    subject: string;
    html: string;
    plain_text: string;
    created_at: string;
    begins_at: string;
    begun_at: string | null;
    ended_at: string | null;
    /** NULL if the operator did it. */
    pause_reason: string | null;
    /** The mail server's words while nothing goes out. */
    trouble: Generated<string | null>;
  };
  /** Unique by subscriber and issue. */
  send_rows: {
    id: Generated<number>;
    send_id: number;
    issue_id: number;
    /** Never reused. The address is read at the hand-over. */
    reader_id: number;
    state: RowState;
    attempts: Generated<number>;
    /** Next attempt, or the end of the worker's claim. */
    due_at: string;
    /** Only this worker may settle the row. */
    claimed_by: string | null;
    settled_at: string | null;
    answer: string | null;
    /** Set if an earlier send made it. */
    message_id: Generated<string | null>;
  };
  bounces: {
    id: Generated<number>;
    mailbox_key: string;
    kind: ReportKind;
    status_code: string | null;
    answer: string;
    occurred_at: string;
    /** Recorded once; null if the server refused during delivery. */
    report_key: string | null;
  };
  issue_preheaders: { issue_id: number; preheader: string };
  pictures: {
    /** SHA-256, base64url. */
    hash: string;
    media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
    size_bytes: number;
    kept_at: string;
    /** Text, so that copying needs no special case. */
    base64: string;
  };
  issue_pictures: { issue_id: number; hash: string };
  /** A new issue, or a correction of `issue_id`. */
  drafts: {
    id: Generated<number>;
    issue_id: number | null;
    title: string;
    preheader: string;
    format: "markdown" | "html";
    body: string;
    /** So that a second window can't overwrite newer words. */
    version: number;
    created_at: string;
    saved_at: string;
    /** Null for a draft of no issue. */
    base_fingerprint: string | null;
    /** Later versions have unpublished words. */
    base_version: number | null;
    binned_at: string | null;
  };
  /** Removed issues, kept for a month. */
  binned_issues: {
    id: number;
    title: string;
    html: string;
    publish_date: string;
    preheader: string | null;
    binned_at: string;
  };
  plans: {
    id: Generated<number>;
    draft_id: number;
    due_at: string;
    /** NULL if mailed to nobody. */
    audience: SendAudience | null;
    /** Not retried until the plan changes. */
    problem: string | null;
    created_at: string;
  };
  draft_pictures: { draft_id: number; hash: string };
  /** A killed import leaves rows to the next one. */
  staged_subscribers: {
    id: Generated<number>;
    list: string;
    address_hash: string;
    wording_hash: string;
    page: string | null;
    network_address: string | null;
    email: string;
    mailbox_key: string;
    token: string;
    subscribed_at: string;
    confirmed_at: string | null;
    unsubscribed_at: string | null;
    bounced_at: string | null;
    pending_email: string | null;
    pending_since: string | null;
    consent_ends_at: string | null;
    search_text: string;
  };
  site_words: {
    name: string;
    value: string;
    changed_at: string;
  };
  /** `value` is null where the delivered words came back. */
  site_word_changes: { name: string; changed_at: string; changed_by: string; value: string | null };
  /** Settings of the desk, over the environment's. */
  settings: { name: string; value: string; changed_at: string };
  desk_people: {
    id: Generated<number>;
    name: string;
    created_at: string;
  };
  desk_links: {
    token_hash: string;
    person_id: number;
    ends_at: string;
  };
  desk_passkeys: {
    credential: string;
    person_id: number;
    device: string;
    public_key: string;
    counter: number;
    transports: string;
    created_at: string;
    used_at: string | null;
  };
  desk_sessions: {
    secret_hash: string;
    person_id: number;
    credential: string;
    created_at: string;
    seen_at: string;
    ends_at: string;
  };
};

/** Nothing is mailed about it until its release. */
type QuarantineColumns = {
  held_at: string | null;
  held_reason: QuarantineReason | null;
  released_at: string | null;
};

/** `new`: those whose mail was neither accepted nor refused for good. */
export type SendAudience = "all" | "new";

export type SendState = "waiting" | "sending" | "paused" | "finished" | "cancelled";

/** The first three are open. `refused`: by the receiver. `withdrawn`: never handed over again. */
export type RowState =
  | "waiting"
  | "handed_over"
  | "deferred"
  | "accepted"
  | "refused"
  | "withdrawn";

/** `hard`: the address is gone. `soft`: it refused this mail. `complaint`: reported as spam. */
export type ReportKind = "hard" | "soft" | "complaint";
