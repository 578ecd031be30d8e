import type { Generated } from "kysely";

/** Why a message or a sign-up is quarantined: the field that people don't see was filled in. */
export type HeldReason = "hidden_field";

/**
 * What happened with a subscriber's consent. `signed_up`, `held` and `imported` come with the wording that was agreed to;
 * the others refer to what is there.
 */
export type ConsentEvent =
  | "signed_up"
  | "held"
  | "imported"
  | "released"
  | "confirmed"
  | "bounced"
  | "complained"
  | "left";

/**
 * How somebody left: the page behind the link, a mail program's button (RFC 8058), the operator, or, as an address that
 * bounced, in another program whose list was imported.
 */
export type LeavingWay = "link" | "one_click" | "operator" | "import";

/**
 * The tables, as Kysely reads and writes them. Times of our own tables are text in one fixed form on both databases,
 * ISO 8601 in UTC with milliseconds (`2026-11-21T14:05:09.123Z`), so that they compare and sort as text.
 */
export type Database = {
  final_newsletters: IssuesTable;
  prepared_issues: PreparedIssuesTable;
  archive_version: ArchiveVersionTable;
  issue_edits: IssueEditsTable;
  subscribers: SubscribersTable;
  contact_messages: ContactMessagesTable;
  outbox: OutboxTable;
  erasures: ErasuresTable;
  departures: DeparturesTable;
  consent_events: ConsentEventsTable;
  consent_wordings: ConsentWordingsTable;
  former_tokens: FormerTokensTable;
  mail_pauses: MailPausesTable;
  marks: MarksTable;
  leases: LeasesTable;
  sends: SendsTable;
  send_rows: SendRowsTable;
  bounces: BouncesTable;
  issue_preheaders: IssuePreheadersTable;
  imported_posts: ImportedPostsTable;
  pictures: PicturesTable;
  issue_pictures: IssuePicturesTable;
  daily_visits: DailyVisitsTable;
};

/** The newsletter's issues. Exactly these columns, so that an existing table works as it stands. */
export type IssuesTable = {
  id: Generated<number>;
  title: string;
  content_markdown: string;
  /** `YYYY-MM-DD`. */
  publish_date: string;
};

/**
 * What pages show of the issues, made once of what is stored. Search finds their words in the column `words` on
 * PostgreSQL, and in the full-text table `issue_search` on SQLite.
 */
type PreparedIssuesTable = {
  issue_id: number;
  /** A hash of the rules and of the body that it was made of: see `preparedBodyKey`. */
  body_key: string;
  html: string;
  plain_text: string;
};

/** One row: a word that triggers draw anew after every change to the issues. */
type ArchiveVersionTable = { version: string };

/**
 * One row a mailbox, whatever has happened to it. What the law asks a sender to prove is in the ledger (CASL, s. 13).
 * A sign-up that waits or is quarantined beside a subscriber who has left is in the columns that begin with `pending`.
 */
export type SubscribersTable = {
  id: Generated<number>;
  /** As typed when it was confirmed; as typed last where nothing has been confirmed yet. */
  email: string;
  /** The mailbox, however the address is spelled; unique. */
  mailbox_key: string;
  /** Opaque and unguessable; part of the unsubscribe links, for good. */
  token: string;
  /** The same of the latest confirm link. */
  confirm_token: string | null;
  /** When the confirmed sign-up came, or the one that waits where none was ever confirmed. */
  subscribed_at: string;
  confirmed_at: string | null;
  unsubscribed_at: string | null;
  /** A sign-up that is not confirmed yet: the address as typed, and when it came. */
  pending_email: string | null;
  pending_since: string | null;
  /** The latest mail about a sign-up in the outbox. */
  mail_delivery_id: string | null;
  /** Since when the webhook knows of the subscription; NULL where it doesn't, or has heard of the end. */
  webhook_told_at: string | null;
  /** Since when the address takes no mail: it gets no issue until it is released or confirmed again. */
  bounced_at: string | null;
} & HeldColumns;

/** Links that were mailed before and still lead to the mailbox; they confirm nothing. */
type FormerTokensTable = {
  token: string;
  mailbox_key: string;
};

/**
 * What happened with each consent, in its order. Append only, by triggers: an entry is deleted with its subscriber alone,
 * by erasure, removal or age.
 */
export type ConsentEventsTable = {
  id: Generated<number>;
  mailbox_key: string;
  event: ConsentEvent;
  /** As typed. */
  email: string;
  /** The exact wording shown beside the form when consent was given. */
  wording_hash: string | null;
  /** The path of the form's page, where known. */
  page: string | null;
  /** The visitor's network address, where known. */
  network_address: string | null;
  /** How somebody left. */
  way: LeavingWay | null;
  occurred_at: string;
  /** Later than that where it was imported. */
  recorded_at: string;
};

/** Each wording of consent once, under its SHA-256. */
type ConsentWordingsTable = {
  hash: string;
  wording: string;
};

/** Mailboxes whose row is gone or says nothing of it, and until when they get no mail about a sign-up; by hash. */
type MailPausesTable = {
  address_hash: string;
  until: string;
};

export type ContactMessagesTable = {
  id: Generated<number>;
  first_name: string;
  last_name: string;
  email: string;
  /** The mailbox that the address leads to, however it is spelled. */
  mailbox_key: string;
  company: string;
  phone: string;
  subject: string;
  message: string;
  /** Hash of the form's idempotency key and the message's words; unique; NULL where the sender gave no key. */
  submission_key: string | null;
  sender_address: string | null;
  received_at: string;
} & HeldColumns;

/** Of what a visitor has sent and the site suspects to be spam: kept, and nothing sent on about it until its release. */
type HeldColumns = {
  /** NULL again once it is released. */
  held_at: string | null;
  /** Stays after the release. */
  held_reason: HeldReason | null;
  released_at: string | null;
};

/** Whose mail goes first where more waits than is sent: the smaller one's. */
export type Priority = 0 | 1 | 2;

/** What must leave the house. One row a job; rows are kept after delivery. */
export type OutboxTable = {
  id: Generated<number>;
  /** Stable for ever: the email's Message-ID and the webhook's `webhook-id` are made of it. Unique. */
  delivery_id: string;
  /** Which deliverer takes it, of those in `mail/outbox-jobs.ts`. */
  kind: string;
  /** JSON text, as the deliverer of that kind reads it. */
  payload: string;
  /** Whose mailbox it is about; NULL where it is about nobody, or may name nobody any more. */
  mailbox_key: string | null;
  attempts: Generated<number>;
  /** How many of the attempts the receiver answered with a refusal, which another one seldom changes. */
  refusals: Generated<number>;
  /** Of what is due at once, smaller goes first. */
  priority: Generated<Priority>;
  created_at: string;
  next_attempt_at: string;
  /** Who works on it and until when; after that moment anybody may take it over. */
  claimed_by: string | null;
  claimed_until: string | null;
  delivered_at: string | null;
  /** Set after the last attempt; cleared by the operator's retry. */
  failed_at: string | null;
  last_error: string | null;
  /** The request that it follows from, as the log names it. */
  request_id: string | null;
  /** When its address was erased while it still had to go: the row goes with the delivery. */
  erased_at: string | null;
};

/**
 * Addresses whose holders had everything about them erased, as hashes that can be compared and not read: no import and
 * no restored backup may bring them back.
 */
export type ErasuresTable = {
  address_hash: string;
  erased_at: string;
};

/** Mailboxes that had left and were removed then, as the same hashes: no import may bring them back either. */
type DeparturesTable = {
  address_hash: string;
  left_at: string;
};

/** Things that happened once to this database, such as the arrival of the starter issues. */
type MarksTable = {
  name: string;
  set_at: string;
};

/** Work that one instance of the server does at a time. */
type LeasesTable = {
  name: string;
  held_by: string;
  held_until: string;
};

/** `all`: every confirmed subscriber. `new`: those whose mail of the issue was neither accepted nor refused for good. */
export type SendAudience = "all" | "new";

/**
 * Waiting for its time; its rows being handed over; stopped until it is resumed; every row settled; or ended by the
 * operator before that.
 */
export type SendState = "waiting" | "sending" | "paused" | "finished" | "cancelled";

/** One issue going out to its readers. The mail is kept as it was made, so that all of them get the same. */
type SendsTable = {
  id: Generated<number>;
  /** Unguessable; the Message-IDs and the placeholder of the reader's own link are made of it. */
  send_key: string;
  issue_id: number;
  /** The issue's, for when it is gone. */
  title: string;
  audience: SendAudience;
  state: SendState;
  subject: string;
  /** With a placeholder where each reader's own link goes. */
  html: string;
  plain_text: string;
  created_at: string;
  begins_at: string;
  /** When its rows were written. */
  begun_at: string | null;
  /** When no row was open any more, or when it was cancelled. */
  ended_at: string | null;
  /** Why it has paused itself; NULL where the operator did. */
  pause_reason: string | null;
};

/**
 * What becomes of an issue for one recipient. The first three are open; the others are final in their send. `refused`: the
 * receiver won't take the mail. `withdrawn`: never handed over again, because the subscriber left, was erased or bounced,
 * or because the send was cancelled.
 */
export type RowState =
  | "waiting"
  | "handed_over"
  | "deferred"
  | "accepted"
  | "refused"
  | "withdrawn";

/** What becomes of one issue for one reader; unique on both, so that nobody is mailed an issue by two sends. */
export type SendRowsTable = {
  id: Generated<number>;
  send_id: number;
  issue_id: number;
  /** The subscriber's id, which is never given twice. The address is read from there when the mail is handed over. */
  reader_id: number;
  state: RowState;
  /** How often the mail server was given the mail. */
  attempts: Generated<number>;
  /** When it is looked at next: of one that was handed over, when whoever did so counts as dead. */
  due_at: string;
  /** Who handed it over last; what settles it is fenced by this. */
  claimed_by: string | null;
  /** Set with the last state: nothing more happens to the row. */
  settled_at: string | null;
  /** The mail server's last words, or why it was withdrawn. */
  answer: string | null;
  /** The left side of the mail's Message-ID, where another send than its present one gave it. */
  message_id: Generated<string | null>;
};

/** `hard`: the address takes no mail, now or later. `soft`: it didn't take this one. `complaint`: called spam (RFC 5965). */
export type ReportKind = "hard" | "soft" | "complaint";

/** Each time that an address refused mail, for as long as its subscriber is kept. */
export type BouncesTable = {
  id: Generated<number>;
  mailbox_key: string;
  kind: ReportKind;
  /** RFC 3463, where the server gave one. */
  status_code: string | null;
  /** The mail server's words. */
  answer: string;
  occurred_at: string;
  /** The same for every report of one thing; null where the server said it in the conversation. */
  report_key: string | null;
};

/** The line that mail programs show beside the subject, where the issue's file gave one. */
type IssuePreheadersTable = {
  issue_id: number;
  preheader: string;
};

/** When an issue was last changed after it was stored; a trigger writes it. */
type IssueEditsTable = {
  issue_id: number;
  edited_at: string;
};

/** Which issue a post of another program's archive has become. */
type ImportedPostsTable = {
  /** The program and the post's own name there; unique. */
  source: string;
  /** Its part of the address there. */
  slug: string;
  issue_id: number;
};

/** A picture of an imported issue, stored by the site itself. */
type PicturesTable = {
  /** SHA-256 of its bytes, base64url: its address is made of it. */
  hash: string;
  media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  size_bytes: number;
  kept_at: string;
  /** Text, so that a copy between the databases needs no more than for every other table. */
  base64: string;
};

/** Which issues show a picture: it goes with the last of them. */
type IssuePicturesTable = { issue_id: number; hash: string };

/** Visits of a day in Toronto, in sums: of what `kind` says, under each name. Nothing tells who came. */
type DailyVisitsTable = {
  /** `YYYY-MM-DD`. */
  day: string;
  kind: VisitKind;
  name: string;
  visits: number;
};

/**
 * What a daily sum is of. `page` and `issue` are visits by what was shown, `referrer` and `campaign` visits from outside
 * by where they came from, and `event` what visits are for.
 */
export type VisitKind = "page" | "issue" | "referrer" | "campaign" | "event";
