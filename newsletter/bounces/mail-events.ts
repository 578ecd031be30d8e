import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import * as v from "valibot";
import type { Database, ReportKind } from "#db/tables.ts";
import { findMailbox } from "#mail/mailbox-key.ts";
import { bounceKindOf, recordBounce, reportWords } from "../record-bounce.ts";

// Reads what mail services post about bounces and complaints: their payloads, and our own.

export type MailEvent = {
  email: string;
  kind: ReportKind;
  words: string;
  /** The service's id of the event, the same in a repeat. */
  id: string | null;
};

/** Returns null for another service's payload, and no events for one that changes nothing. */
type ReadPayload = (body: Record<string, unknown>) => MailEvent[] | null;

const emailMaxLength = 320;
const reasonMaxLength = 2_000;

const email = v.pipe(v.string(), v.maxLength(emailMaxLength));

/** Our own payload (Standard Webhooks specification, "Payload structure"). */
const schema = v.variant("type", [
  v.object({
    type: v.literal("mail.bounced"),
    data: v.object({
      email,
      kind: v.picklist(["hard", "soft"]),
      reason: v.optional(v.pipe(v.string(), v.maxLength(reasonMaxLength)), ""),
    }),
  }),
  v.object({ type: v.literal("mail.complained"), data: v.object({ email }) }),
]);

const readOwnEvent: ReadPayload = (body) => {
  const read = v.safeParse(schema, body);
  if (!read.success) return null;
  const { type, data } = read.output;
  return type === "mail.complained"
    ? [{ email: data.email, kind: "complaint", words: "Reported as spam", id: null }]
    : [{ email: data.email, kind: data.kind, words: data.reason, id: null }];
};

const text = v.optional(v.nullish(v.string(), ""), "");
const addressesMax = 100;

const postmark = v.object({
  RecordType: v.picklist(["Bounce", "SpamComplaint"]),
  ID: v.optional(v.union([v.number(), v.string()])),
  Type: text,
  Email: v.string(),
  Details: text,
  Description: text,
});

/** Postmark's bounce types about the address; its others are delays, blocks and auto-replies. */
const postmarkKinds = new Map<string, MailEvent["kind"]>([
  ["HardBounce", "hard"],
  ["BadEmailAddress", "hard"],
  ["ManuallyDeactivated", "hard"],
  ["SoftBounce", "soft"],
  ["DnsError", "soft"],
  ["Undeliverable", "soft"],
  ["SpamComplaint", "complaint"],
]);

/** The webhooks "Bounce" and "Spam complaint". */
const readPostmark: ReadPayload = (body) => {
  const read = v.safeParse(postmark, body);
  if (!read.success) return null;
  const { RecordType, ID, Type, Email, Details, Description } = read.output;
  const kind = RecordType === "SpamComplaint" ? "complaint" : postmarkKinds.get(Type ?? "");
  const id = ID === undefined ? null : `postmark ${ID}`;
  return kind === undefined ? [] : [{ email: Email, kind, words: Details || Description, id }];
};

const sesRecipients = v.pipe(
  v.array(v.object({ emailAddress: v.string(), diagnosticCode: text, status: text })),
  v.maxLength(addressesMax),
);
const ses = v.object({
  bounce: v.optional(
    v.object({
      bounceType: v.string(),
      bounceSubType: text,
      bouncedRecipients: sesRecipients,
      feedbackId: text,
    }),
  ),
  complaint: v.optional(
    v.object({
      complainedRecipients: sesRecipients,
      complaintFeedbackType: text,
      feedbackId: text,
    }),
  ),
});

/** Transient bounces that are about the mail's content, not its recipient. */
const sesOurs = new Set(["ContentRejected", "AttachmentRejected", "MessageTooLarge"]);

/** SES's notifications and published events, bare or wrapped by SNS. */
const readSes: ReadPayload = (body) => {
  const inner = typeof body.Message === "string" ? parsed(body.Message) : body;
  if (!["Bounce", "Complaint"].includes(String(inner.notificationType ?? inner.eventType)))
    return null;
  const read = v.safeParse(ses, inner);
  if (!read.success) return null;
  const { bounce, complaint } = read.output;
  if (complaint) {
    if (complaint.complaintFeedbackType === "not-spam") return [];
    const id = idOf("ses", complaint.feedbackId);
    return complaint.complainedRecipients.map(({ emailAddress }) => ({
      email: emailAddress,
      kind: "complaint",
      words: "Reported as spam",
      id,
    }));
  }
  if (!bounce || sesOurs.has(bounce.bounceSubType ?? "")) return [];
  const id = idOf("ses", bounce.feedbackId);
  return bounce.bouncedRecipients.flatMap(({ emailAddress, diagnosticCode, status }) => {
    const words = diagnosticCode || status || bounce.bounceSubType || "";
    const isPermanent = bounce.bounceType === "Permanent";
    // SES reports an out-of-office reply as a transient bounce without the server's words.
    if (!isPermanent && bounce.bounceSubType === "General" && !diagnosticCode) return [];
    const kind = isPermanent ? "hard" : "soft";
    if (bounceKindOf(words, kind) === "sender") return [];
    return [{ email: emailAddress, kind, words, id } as const];
  });
};

const mailgun = v.object({
  "event-data": v.object({
    event: v.string(),
    id: text,
    recipient: v.string(),
    severity: text,
    reason: text,
    "delivery-status": v.optional(
      v.object({ message: text, description: text, "enhanced-code": text }),
    ),
  }),
});

/** Mailgun's codes for addresses on its own suppression lists, which it didn't try. Whoever left there wants no mail. */
const mailgunSuppressed = new Map<string, MailEvent["kind"]>([
  ["suppress-bounce", "hard"],
  ["suppress-complaint", "complaint"],
  ["suppress-unsubscribe", "complaint"],
]);

/** The webhooks "Permanent Failure" and "Spam Complaints"; Mailgun retries a temporary failure itself. */
const readMailgun: ReadPayload = (body) => {
  const read = v.safeParse(mailgun, body);
  if (!read.success) return null;
  const { event, id: eventId, recipient, severity, reason, ...rest } = read.output["event-data"];
  const id = idOf("mailgun", eventId);
  if (event === "complained") {
    return [{ email: recipient, kind: "complaint", words: "Reported as spam", id }];
  }
  if (event !== "failed" || severity !== "permanent") return [];
  const status = rest["delivery-status"];
  const words =
    `${status?.["enhanced-code"] ?? ""} ${status?.message || status?.description || ""}`.trim();
  const said = bounceKindOf(words, reason === "bounce" ? "hard" : "soft");
  const kind =
    mailgunSuppressed.get(reason ?? "") ?? (reason?.startsWith("suppress-") ? "sender" : said);
  return kind === "sender" ? [] : [{ email: recipient, kind, words, id }];
};

const resend = v.object({
  type: v.picklist(["email.bounced", "email.complained"]),
  data: v.object({
    email_id: text,
    to: v.pipe(v.array(v.string()), v.maxLength(addressesMax)),
    bounce: v.optional(v.object({ message: text, type: text })),
  }),
});

/** The webhooks `email.bounced` and `email.complained`. */
const readResend: ReadPayload = (body) => {
  const read = v.safeParse(resend, body);
  if (!read.success) return null;
  const { type, data } = read.output;
  const id = idOf("resend", data.email_id);
  const words = type === "email.complained" ? "Reported as spam" : (data.bounce?.message ?? "");
  const bounced = data.bounce?.type === "Permanent" ? "hard" : "soft";
  if (type === "email.bounced" && bounceKindOf(words, bounced) === "sender") return [];
  const kind = type === "email.complained" ? "complaint" : bounced;
  return data.to.map((email) => ({ email, kind, words, id }));
};

function idOf(service: string, id: string | null): string | null {
  return id ? `${service} ${id}` : null;
}

function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const payloads: ReadPayload[] = [readOwnEvent, readPostmark, readSes, readMailgun, readResend];

/** Null for an unknown service. */
export function readMailEvents(body: Record<string, unknown>): MailEvent[] | null {
  for (const read of payloads) {
    const events = read(body);
    if (events !== null) return events;
  }
  return null;
}

/** Records events by address, all or none, each once. Returns how many were new and about a subscriber. */
export async function recordMailEvents(
  db: Kysely<Database>,
  events: readonly MailEvent[],
  { callId, now }: { callId: string; now: Date },
): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    let recorded = 0;
    // In a fixed order, so that two calls can't deadlock.
    for (const { mailbox, kind, words, id } of inOrder(events)) {
      const key = hash("sha256", id ?? callId, "hex").slice(0, 32);
      const reportKey = `${key} ${kind === "complaint" ? kind : "failure"}`;
      const refusal = { kind, answer: reportWords(words) };
      const result = await recordBounce(trx, { mailbox, refusal, now, reportKey });
      if (result === "recorded") recorded += 1;
    }
    return recorded;
  });
}

function inOrder(events: readonly MailEvent[]) {
  return events
    .flatMap((event) => {
      const mailbox = findMailbox(event.email);
      return mailbox === null ? [] : [{ ...event, mailbox }];
    })
    .toSorted((a, b) => (a.mailbox < b.mailbox ? -1 : 1));
}
