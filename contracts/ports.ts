import type { ContactMessage } from "./contact-message.ts";
import type { FormEvidence } from "./form-evidence.ts";

/**
 * The two ports between the site's pages and the features. Each has two implementations: the features themselves,
 * called in this process, and a hosted Supabase project through its own client.
 */

/** An issue as lists name it. */
export type IssueHead = {
  id: number;
  /** Its position counted from the oldest, by id, from 1 (specification, section 3). */
  number: number;
  /** `Issue #3` where the issue has none. */
  title: string;
  /** As stored: `YYYY-MM-DD` or an ISO 8601 time. */
  publishDate: string | null;
};

export type ArchiveIssue = IssueHead & {
  /** Safe to show inside an element of class `issue-body`. */
  html: string;
  plainText: string;
  older: IssueHead | null;
  newer: IssueHead | null;
};

/** Stretches of a text in turn: at 0, 2, 4… what stands between, at 1, 3, 5… words that were looked for. */
export type HighlightedText = string[];

/** Words to find, as `searchWords` returns them, all of them or any. */
export type IssueQuery = { words: readonly string[]; combine: "all" | "any" };

export type FoundIssue = {
  head: IssueHead;
  /** Whether the title alone has all the words. */
  isInTitle: boolean;
  title: HighlightedText;
};

/** Most issues that one search finds. */
export const maxFoundIssues = 200;

/** The newsletter's issues. Every function rejects where they can't be read. */
export type Archive = {
  /** Every issue as it is now, newest first; the same list for as long as nothing changes. */
  heads(): Promise<readonly IssueHead[]>;
  /** Null where no issue has that id. */
  issue(id: number): Promise<ArchiveIssue | null>;
  /** The best first, {@link maxFoundIssues} at most. */
  search(query: IssueQuery): Promise<FoundIssue[]>;
  /** Passages of some of these issues with the words highlighted, by id. */
  excerpts(
    query: IssueQuery,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, HighlightedText>>;
  /** When issues were changed after they were published, as ISO times by id. */
  edits(): Promise<ReadonlyMap<number, string>>;
  /** Changes with every change to the issues; looked at once a second at most. */
  version(): Promise<string>;
};

export type FormFailure = { ok: false; error: unknown } & (
  | { reason: "rate_limited" | "unavailable"; retryAfterSeconds: number }
  /** `isRefusal`: the words themselves can't be taken, so that a second try would end the same way. */
  | { reason: "function_error" | "unexpected"; isRefusal?: boolean }
);

export type SubscribeResult =
  | { ok: true; duplicate: boolean; message: string | null }
  | { ok: false; reason: "refused"; message: string | null }
  | FormFailure;

export type SendMessageResult = { ok: true } | FormFailure;

export type MailLinkResult =
  | { ok: true }
  | { ok: false; reason: "refused"; message: string }
  | FormFailure;

/** What visitors send. No function rejects. */
export type Forms = {
  subscribe(email: string, evidence: FormEvidence): Promise<SubscribeResult>;
  /** Every send with the same key and words is one message. An empty key is none. */
  sendMessage(
    message: ContactMessage,
    options: { idempotencyKey: string; evidence: FormEvidence },
  ): Promise<SendMessageResult>;
  /** Acts on the link of a mail. */
  confirm(token: string): Promise<MailLinkResult>;
  unsubscribe(token: string, way: "link" | "one_click"): Promise<MailLinkResult>;
};

/** Who sends a form. */
export type FormSender = {
  clientAddress: string | null;
  requestId?: string;
  /** The address of the page with the form, which is stored with a consent. */
  page: string;
};

/** How long a visitor is asked to wait where nothing else is known. */
export const defaultRetrySeconds = 60;
