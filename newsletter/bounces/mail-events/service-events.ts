import * as v from "valibot";
import { bounceKindOf } from "../../bounce-kind.ts";
import type { MailEvent, ReadPayload } from "./mail-event.ts";

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

/** Of Postmark's bounce types those that speak of the address. Delays, blocks and answering machines aren't among them. */
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
export const readPostmark: ReadPayload = (body) => {
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

/** Of transient bounces those that are ours: what the mail holds, not whom it's for. */
const sesOurs = new Set(["ContentRejected", "AttachmentRejected", "MessageTooLarge"]);

/** SES's notifications and published events, alone or as SNS wraps them up. */
export const readSes: ReadPayload = (body) => {
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
    if (bounceKindOf(words) === "sender") return [];
    const kind = bounce.bounceType === "Permanent" ? "hard" : "soft";
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

/** What Mailgun hasn't even tried, as it's on its own lists. */
const mailgunSuppressed = new Map<string, MailEvent["kind"]>([
  ["suppress-bounce", "hard"],
  ["suppress-complaint", "complaint"],
]);

/** The webhooks "Permanent Failure" and "Spam Complaints"; a temporary failure is tried again by Mailgun. */
export const readMailgun: ReadPayload = (body) => {
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
  const said = bounceKindOf(words);
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
export const readResend: ReadPayload = (body) => {
  const read = v.safeParse(resend, body);
  if (!read.success) return null;
  const { type, data } = read.output;
  const id = idOf("resend", data.email_id);
  const words = data.bounce?.message || "Reported as spam";
  if (type === "email.bounced" && bounceKindOf(words) === "sender") return [];
  const bounced = data.bounce?.type === "Permanent" ? "hard" : "soft";
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
