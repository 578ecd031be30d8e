import type { Generated, Kysely } from "kysely";

/** Why a message or a sign-up is quarantined: the field that people don't see was filled in. */
export type QuarantineReason = "hidden_field";

/** `signed_up`, `held`, `imported` and `added` have the wording that was agreed to. */
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

/** By the link's page, a mail program's button (RFC 8058), the operator, an imported list, or the end of an implied consent. */
export type LeavingWay = "link" | "one_click" | "operator" | "import" | "expired";

/** The open database, or a transaction in it. */
export type Db = Kysely<Database>;

/**
 * The tables, as Kysely reads and writes them. Times of our own tables are text in one fixed form on both databases,
 * ISO 8601 in UTC with milliseconds (`2026-11-21T14:05:09.123Z`), so that they compare and sort as text.
 */
export type Database = {
  /** The newsletter's issues. Exactly these columns, so that an existing table works unchanged. */
  final_newsletters: {
    id: Generated<number>;
    title: string;
    content_markdown: string;
    /** `YYYY-MM-DD`. */
    publish_date: string;
  };
  /** Issues rendered for pages, and their words for search. Deleted by triggers when an issue changes. */
  prepared_issues: {
    issue_id: number;
    /** A hash of the body and of the rules it was rendered by. */
    body_key: string;
    html: string;
    plain_text: string;
  };
  /** One row: a random word that triggers replace after every change to the issues. */
  archive_version: { version: string };
  /** Written by triggers. */
  issue_edits: { issue_id: number; edited_at: string };
  /**
   * One row a mailbox. What the law asks a sender to prove is in the ledger (CASL, s. 13). A new sign-up by a subscriber who
   * has left is in the columns that begin with `pending`.
   */
  subscribers: {
    id: Generated<number>;
    /** As typed when it was confirmed, or as typed last before that. */
    email: string;
    /** The normalised address; unique. */
    mailbox_key: string;
    /** Unguessable; part of the unsubscribe links for good. */
    token: string;
    confirm_token: string | null;
    /** When the confirmed sign-up came, or the latest one before that. */
    subscribed_at: string;
    confirmed_at: string | null;
    unsubscribed_at: string | null;
    /** A sign-up that is not confirmed yet: the address as typed, and when it came. */
    pending_email: string | null;
    pending_since: string | null;
    mail_delivery_id: string | null;
    /** When the webhook was told of the subscription; NULL if it wasn't, or was told of its end. */
    webhook_told_at: string | null;
    /** Since when the address bounces: it gets no issue until it is released or confirmed again. */
    bounced_at: string | null;
    /** Until when an implied consent counts (CASL, s. 10(10)); NULL for an express one. */
    consent_ends_at: Generated<string | null>;
    /** Its address without accents and capitals. */
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
    /** Hash of the form's idempotency key and the message's words; unique; NULL where the sender gave no key. */
    submission_key: string | null;
    sender_address: string | null;
    received_at: string;
    answered_at: Generated<string | null>;
    /** The day in Toronto for which it was left: `YYYY-MM-DD`. */
    later_until: Generated<string | null>;
    /** The path of the site's page that its sender came from, where they allow it to be noted. */
    from_page: Generated<string | null>;
    /** Its names, addresses and words without accents and capitals. */
    search_text: Generated<string>;
  } & QuarantineColumns;
  /** Jobs: mails and webhook calls. Rows stay after delivery. */
  outbox: {
    id: Generated<number>;
    /** Unique and stable: the Message-ID and the `webhook-id` are made from it. */
    delivery_id: string;
    /** Names its deliverer, of those in `mail/outbox-jobs.ts`. */
    kind: string;
    payload: string;
    /** The mailbox that it is about; NULL if none, or after an erasure. */
    mailbox_key: string | null;
    attempts: Generated<number>;
    /** How many attempts the receiver refused; another attempt seldom helps. */
    refusals: Generated<number>;
    /** 0 in every new job; the index of waiting jobs begins with it. */
    priority: Generated<number>;
    created_at: string;
    next_attempt_at: string;
    /** The lease: after `claimed_until`, any worker may take the job over. */
    claimed_by: string | null;
    claimed_until: string | null;
    delivered_at: string | null;
    failed_at: string | null;
    last_error: string | null;
    request_id: string | null;
    /** When its address was erased before delivery: the row is deleted on delivery. */
    erased_at: string | null;
  };
  /** Hashes of erased addresses: no import and no restored backup may bring them back. */
  erasures: { address_hash: string; erased_at: string };
  /** Hashes of mailboxes that left and were then removed: no import may bring them back. */
  departures: { address_hash: string; left_at: string };
  /**
   * The ledger of consent, append only by triggers: entries are deleted only with their subscriber, by erasure, removal or
   * age.
   */
  consent_events: {
    id: Generated<number>;
    mailbox_key: string;
    event: ConsentEvent;
    email: string;
    /** The exact wording shown beside the form when consent was given. */
    wording_hash: string | null;
    page: string | null;
    network_address: string | null;
    way: LeavingWay | null;
    occurred_at: string;
    /** Later than `occurred_at` if it was imported. */
    recorded_at: string;
  };
  consent_wordings: { hash: string; wording: string };
  /** Tokens of older links, which still lead to the mailbox but confirm nothing. */
  former_tokens: { token: string; mailbox_key: string };
  /** Hashes of mailboxes that get no mail about a sign-up until a time. */
  mail_pauses: { address_hash: string; until: string };
  /** Times of things that this database remembers, such as the arrival of the starter issues. */
  marks: { name: string; set_at: string };
  /** Leases on work that one instance does at a time. */
  leases: { name: string; held_by: string; held_until: string };
  /**
   * One issue going out to its subscribers. Its mail is composed when it begins, and stored once, so that all of them get
   * the same; until then `subject`, `html` and `plain_text` are empty.
   */
  sends: {
    id: Generated<number>;
    /** Unguessable; the Message-IDs and the placeholder of the unsubscribe link are made from it. */
    send_key: string;
    issue_id: number;
    title: string;
    /** The line beside the subject, if it isn't the issue's. */
    preheader: Generated<string | null>;
    audience: SendAudience;
    state: SendState;
    subject: string;
    /** With a placeholder for each subscriber's own link. */
    html: string;
    plain_text: string;
    created_at: string;
    begins_at: string;
    begun_at: string | null;
    /** When no row was open any more, or when it was cancelled. */
    ended_at: string | null;
    /** Why it paused or cancelled itself; NULL if the operator did. */
    pause_reason: string | null;
    /** The mail server's words while it refuses everything; NULL while mail goes. */
    trouble: Generated<string | null>;
  };
  /** A recipient of a send; unique by subscriber and issue, so that two sends never mail the same issue to anybody. */
  send_rows: {
    id: Generated<number>;
    send_id: number;
    issue_id: number;
    /** The subscriber's id, which is never reused. The address is read when the mail is handed over. */
    reader_id: number;
    state: RowState;
    attempts: Generated<number>;
    /** When it is looked at next; for one that was handed over, when its worker counts as dead. */
    due_at: string;
    /** The worker that handed it over last, and the only one that may settle it. */
    claimed_by: string | null;
    settled_at: string | null;
    /** The mail server's last words, or why it was withdrawn. */
    answer: string | null;
    /** The left side of the mail's Message-ID, if another send set it. */
    message_id: Generated<string | null>;
  };
  /** Bounces and complaints, stored for as long as the subscriber is. */
  bounces: {
    id: Generated<number>;
    mailbox_key: string;
    kind: ReportKind;
    status_code: string | null;
    answer: string;
    occurred_at: string;
    /** The same for every report of one bounce; null if the server refused during delivery. */
    report_key: string | null;
  };
  /** The line that mail programs show beside the subject, if the issue's file has one. */
  issue_preheaders: { issue_id: number; preheader: string };
  pictures: {
    /** SHA-256 of its bytes, base64url; part of its address. */
    hash: string;
    media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
    size_bytes: number;
    kept_at: string;
    /** Text, so that copying between databases needs no special case. */
    base64: string;
  };
  /** A picture is deleted with the last issue and draft that show it. */
  issue_pictures: { issue_id: number; hash: string };
  /** An issue as the operator writes it, before it is published, or a correction of one that is. */
  drafts: {
    id: Generated<number>;
    issue_id: number | null;
    title: string;
    preheader: string;
    format: "markdown" | "html";
    body: string;
    /** Counts the saves, so that a second window can't overwrite a newer text. */
    version: number;
    created_at: string;
    saved_at: string;
    /** The issue's when the draft was made from it or published; null for a draft of no issue. */
    base_fingerprint: string | null;
    /** The version with the issue's words; later ones have words that aren't published. */
    base_version: number | null;
    /** In the bin since then; deleted a month later. */
    binned_at: string | null;
  };
  /** An issue that was removed at the desk, for a month, under the id that it had. */
  binned_issues: {
    id: number;
    title: string;
    html: string;
    publish_date: string;
    preheader: string | null;
    binned_at: string;
  };
  /** A draft that the running site publishes at an hour. The row goes with the publication, or with the draft. */
  plans: {
    id: Generated<number>;
    draft_id: number;
    due_at: string;
    /** To whom it is mailed too; NULL if to nobody. */
    audience: SendAudience | null;
    /** Why it could not be published; the operator has been told, and nothing is tried until it is changed. */
    problem: string | null;
    created_at: string;
  };
  draft_pictures: { draft_id: number; hash: string };
  /** The new subscribers of a list until it is taken over whole. A killed import leaves some to the next one. */
  staged_subscribers: {
    id: Generated<number>;
    /** Unguessable; of one import. */
    list: string;
    address_hash: string;
    /** The next three are for the ledger. */
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
  /** The owner's own words (content/site-words.ts). */
  site_words: {
    name: string;
    value: string;
    changed_at: string;
  };
  /** `value` is null where the delivered words came back; `changed_by` is empty where it isn't known. */
  site_word_changes: { name: string; changed_at: string; changed_by: string; value: string | null };
  /** What the owner has set at the desk (operator/owner-settings.ts); empty for what is not to be as in the environment. */
  settings: { name: string; value: string; changed_at: string };
  /** Those who open the desk from anywhere, by passkey. */
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
    /** The authenticator's count of uses; 0 where it has none. */
    counter: number;
    /** JSON: how browsers reach it. */
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

/** Set if it is suspected spam: stored, but nothing is mailed about it until its release. */
type QuarantineColumns = {
  /** NULL again once it is released. */
  held_at: string | null;
  held_reason: QuarantineReason | null;
  released_at: string | null;
};

/** `all`: every confirmed subscriber. `new`: those whose mail of the issue was neither accepted nor refused for good. */
export type SendAudience = "all" | "new";

/** Waiting for its time; handing over; stopped until it is resumed; every row settled; or ended early by the operator. */
export type SendState = "waiting" | "sending" | "paused" | "finished" | "cancelled";

/**
 * The first three states are open; the others are final in their send. `refused`: the receiver won't accept the mail.
 * `withdrawn`: never handed over again, because the subscriber left, was erased or bounced, or the send was cancelled.
 */
export type RowState =
  | "waiting"
  | "handed_over"
  | "deferred"
  | "accepted"
  | "refused"
  | "withdrawn";

/** `hard`: the address accepts no mail at all. `soft`: it refused this mail. `complaint`: reported as spam. */
export type ReportKind = "hard" | "soft" | "complaint";
