import type { ReportKind } from "#db/tables.ts";

/** What a mail service tells of one address. */
export type MailEvent = {
  email: string;
  kind: ReportKind;
  /** The mail server's words. */
  words: string;
  /** The service's own name for the event, the same when it's told again; null where it gives none. */
  id: string | null;
};

/** Reads a mail service's payload; null where it isn't that service's. What changes nothing gives no events. */
export type ReadPayload = (body: Record<string, unknown>) => MailEvent[] | null;
