import type { ContactMessage } from "./contact-message.ts";
import type { RequestOrigin, SiteSettings } from "./site-settings.ts";

/** The two ports between the site's pages and the features. Browsers reach the second over the wire. */

export type IssueHead = {
  id: number;
  /** Its position by id, counted from 1 at the oldest (specification, section 3). */
  number: number;
  /** `Issue #3` for an issue without a title. */
  title: string;
  /** As stored: `YYYY-MM-DD` or an ISO 8601 time. */
  publishDate: string | null;
};

export type ArchiveIssue = IssueHead & {
  /** Safe inside an element of class `issue-body`. */
  html: string;
  plainText: string;
  older: IssueHead | null;
  newer: IssueHead | null;
};

/** The newsletter's issues. Every function rejects if they can't be read. */
export type Archive = {
  /** Every issue, newest first. Returns the same array until something changes. */
  heads(): Promise<readonly IssueHead[]>;
  /** Null if no issue has that id. */
  issue(id: number): Promise<ArchiveIssue | null>;
  /** The words of these issues for the search, by id; an issue that is gone has none. */
  plainTexts(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** By id a key that changes with an issue's body; none for an issue whose words no search has asked for yet. */
  bodyKeys(): Promise<ReadonlyMap<number, string>>;
  /** When issues were edited after their publication, as ISO times by id. */
  edits(): Promise<ReadonlyMap<number, string>>;
  /** Changes with every change to the issues; checked at most once a second. */
  version(): Promise<string>;
};

export type FormFailure = { ok: false; error: unknown } & (
  | { reason: "rate_limited" | "unavailable"; retryAfterSeconds: number }
  /** `isRefusal`: the input itself was refused, so a retry would fail the same way. */
  | { reason: "function_error" | "unexpected"; isRefusal?: boolean }
);

export type SubscribeResult =
  | { ok: true; duplicate: boolean; message: string | null }
  | { ok: false; reason: "refused"; message: string | null }
  | FormFailure;

export type MailLinkResult =
  | { ok: true }
  | { ok: false; reason: "refused"; message: string }
  | FormFailure;

/** Visitors' forms. No function rejects. */
export type Forms = {
  subscribe(email: string, evidence: FormEvidence): Promise<SubscribeResult>;
  /** Repeats with the same key and words make one message. An empty key means none. */
  sendMessage(
    message: ContactMessage,
    options: { idempotencyKey: string; evidence: FormEvidence },
  ): Promise<{ ok: true } | FormFailure>;
  confirm(token: string): Promise<MailLinkResult>;
  unsubscribe(token: string, way: "link" | "one_click"): Promise<MailLinkResult>;
};

export type FormFunction =
  | "newsletter-signup"
  | "newsletter-confirm"
  | "newsletter-unsubscribe"
  | "send-contact-email";

/** Calls a function behind the forms with a JSON body. Never rejects. */
export type CallFormFunction = (
  name: FormFunction,
  body: object,
  headers?: Record<string, string>,
) => Promise<{ ok: true; data: unknown } | FormFailure>;

export type FormSender = {
  clientAddress: string | null;
  requestId?: string;
  /** The address of the page with the form, which is stored with a consent. */
  page: string;
};

export type SiteServices = {
  settings: SiteSettings;
  archive: Archive;
  formsFor: (sender: FormSender) => Forms;
  /** Reports an error that occurred while a page was made. */
  reportError: (error: unknown, origin?: RequestOrigin) => void;
};

export const defaultRetrySeconds = 60;

/** The shape of an idempotency key: visible ASCII, which fits into a header. */
export const idempotencyKeyShape = /^[\u0021-\u007e]{1,200}$/;

/** The longest accepted secret of a link in mail; ours are far shorter. */
export const mailLinkTokenMaxLength = 200;

/** The header in which the site's own forms send their evidence (api/functions.ts reads it). API clients omit it. */
export const formEvidenceHeader = "Form-Evidence";

/** How a form was filled in. Missing evidence counts neither for nor against the sender. */
export type FormEvidence = {
  honeypotFilled: boolean;
  /** Milliseconds from the opening of the page to the sending; null if unknown. */
  openForMs: number | null;
  /** SHA-256, in hexadecimal, of the wording of consent that the form showed. */
  wordingHash?: string;
  /** The path of the site's page that the visitor came from, where they allow it to be noted. */
  fromPage?: string;
};

/** `open-for-ms=5120; from=/pricing`, or `honeypot; open-for-ms=80`. */
export function writeFormEvidence({
  honeypotFilled,
  openForMs,
  wordingHash,
  fromPage,
}: FormEvidence): string {
  return [
    ...(honeypotFilled ? ["honeypot"] : []),
    ...(openForMs === null ? [] : [`open-for-ms=${Math.max(0, Math.round(openForMs))}`]),
    ...(wordingHash ? [`wording=${wordingHash}`] : []),
    ...(fromPage ? [`from=${fromPage}`] : []),
  ].join("; ");
}
