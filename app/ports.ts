import type { ContactMessage } from "#content/contact-message.ts";
import type { RequestOrigin, SiteSettings } from "#content/site-settings.ts";

export type IssueHead = {
  id: number;
  /** Its position by id, from 1 (specification, section 3). */
  number: number;
  /** Never empty. */
  title: string;
  /** `YYYY-MM-DD` or an ISO 8601 time. */
  publishDate: string | null;
};

export type CardPicture = { path: string; type: string; width: number; height: number };

export type ArchiveIssue = IssueHead & {
  /** The picture that networks show with a shared link; null for the newsletter's own. */
  card: CardPicture | null;
  html: string;
  plainText: string;
  older: IssueHead | null;
  newer: IssueHead | null;
};

/** Rejects if the issues can't be read. */
export type Archive = {
  /** Newest first; the same array until something changes. */
  heads(): Promise<readonly IssueHead[]>;
  issue(id: number): Promise<ArchiveIssue | null>;
  /** By id; none for an issue that is gone. */
  plainTexts(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** ISO times by id, of edits after the publication. */
  edits(): Promise<ReadonlyMap<number, string>>;
  /** Checked at most once a second. */
  version(): Promise<string>;
};

export type FormFailure = { ok: false; error: unknown } & (
  | { reason: "rate_limited" | "unavailable"; retryAfterSeconds: number }
  /** A retry of a refusal would fail the same way. */
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

/** No function rejects. */
export type Forms = {
  subscribe(email: string, evidence: FormEvidence): Promise<SubscribeResult>;
  /** The same key and words make one message; an empty key means none. */
  sendMessage(
    message: ContactMessage,
    options: { idempotencyKey: string; evidence: FormEvidence },
  ): Promise<{ ok: true } | FormFailure>;
  confirm(token: string): Promise<MailLinkResult>;
  unsubscribe(token: string, way: "link" | "one_click"): Promise<MailLinkResult>;
};

export type FormSender = {
  clientAddress: string | null;
  requestId?: string;
  /** Stored with a consent. */
  page: string;
};

export type SiteServices = {
  settings: SiteSettings;
  archive: Archive;
  formsFor: (sender: FormSender) => Forms;
  reportError: (error: unknown, origin?: RequestOrigin) => void;
};

/** Visible ASCII, which fits into a header. */
export const idempotencyKeyShape = /^[\u0021-\u007e]{1,200}$/;

export const mailLinkTokenMaxLength = 200;

/** From the site's own forms (server/api/functions.ts). API clients omit it. */
export const formEvidenceHeader = "Form-Evidence";

/** Missing evidence counts neither for nor against the sender. */
export type FormEvidence = {
  honeypotFilled: boolean;
  /** Milliseconds; null if unknown. */
  openForMs: number | null;
  /** SHA-256, in hexadecimal. */
  wordingHash?: string;
  /** The page before, if the visitor lets it be noted. */
  fromPage?: string;
  /** The issue whose link led to that page or this one, likewise. */
  fromIssue?: number | null;
};

/** `open-for-ms=5120; from=/pricing`, or `honeypot; open-for-ms=80`. */
export function writeFormEvidence(evidence: FormEvidence): string {
  const { honeypotFilled, openForMs, wordingHash, fromPage, fromIssue } = evidence;
  return [
    ...(honeypotFilled ? ["honeypot"] : []),
    ...(openForMs === null ? [] : [`open-for-ms=${Math.max(0, Math.round(openForMs))}`]),
    ...(wordingHash ? [`wording=${wordingHash}`] : []),
    ...(fromPage ? [`from=${fromPage}`] : []),
    ...(fromIssue ? [`issue=${fromIssue}`] : []),
  ].join("; ");
}
