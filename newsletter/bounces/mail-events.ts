import { hash } from "node:crypto";
import * as v from "valibot";
import type { Db, ReportKind } from "#db/tables.ts";
import { wordsWithoutAddresses } from "#mail/mail-answer.ts";
import { findMailbox } from "#mail/mailbox-key.ts";
import { bounceKindOf, recordBounce } from "../record-bounce.ts";

// Reads what mail services post about bounces and complaints: their payloads, and our own.

type MailEvent = {
  email: string;
  kind: ReportKind;
  words: string;
  /** The service's id of the event, the same in a repeat. */
  id: string | null;
};

const text = v.nullish(v.string(), "");

const complaint = (email: string, id: string | null): MailEvent[] => [
  { email, kind: "complaint", words: "Reported as spam", id },
];

/** A refusal for our own fault counts against no subscriber. */
const failure = (
  kind: ReportKind | "sender" | undefined,
  event: Omit<MailEvent, "kind">,
): MailEvent[] => (kind === undefined || kind === "sender" ? [] : [{ ...event, kind }]);

function idOf(service: string, id: string): string | null {
  return id === "" ? null : `${service} ${id}`;
}

/** Our own payload (Standard Webhooks specification, "Payload structure"). */
const own = v.pipe(
  v.variant("type", [
    v.object({
      type: v.literal("mail.bounced"),
      data: v.object({ email: v.string(), kind: v.picklist(["hard", "soft"]), reason: text }),
    }),
    v.object({ type: v.literal("mail.complained"), data: v.object({ email: v.string() }) }),
  ]),
  v.transform(({ type, data }) =>
    type === "mail.complained"
      ? complaint(data.email, null)
      : failure(data.kind, { email: data.email, words: data.reason, id: null }),
  ),
);

/** Postmark's bounce types about the address; its others are delays, blocks and auto-replies. */
const postmarkKinds = new Map<string, ReportKind>([
  ["HardBounce", "hard"],
  ["BadEmailAddress", "hard"],
  ["ManuallyDeactivated", "hard"],
  ["SoftBounce", "soft"],
  ["DnsError", "soft"],
  ["Undeliverable", "soft"],
]);

const postmark = v.pipe(
  v.object({
    RecordType: v.picklist(["Bounce", "SpamComplaint"]),
    ID: v.optional(v.union([v.number(), v.string()]), ""),
    Type: text,
    Email: v.string(),
    Details: text,
    Description: text,
  }),
  v.transform(({ RecordType, ID, Type, Email: email, Details, Description }) => {
    const kind = RecordType === "SpamComplaint" ? "complaint" : postmarkKinds.get(Type);
    return failure(kind, { email, words: Details || Description, id: idOf("postmark", `${ID}`) });
  }),
);

/** Transient bounces that are about the mail's content, not its recipient. */
const sesOurs = ["ContentRejected", "AttachmentRejected", "MessageTooLarge"];

const sesBounce = v.pipe(
  v.object({
    bounceType: v.string(),
    bounceSubType: text,
    bouncedRecipients: v.array(
      v.object({ emailAddress: v.string(), diagnosticCode: text, status: text }),
    ),
    feedbackId: text,
  }),
  v.transform(({ bounceType, bounceSubType, bouncedRecipients, feedbackId }) => {
    if (sesOurs.includes(bounceSubType)) return [];
    return bouncedRecipients.flatMap(({ emailAddress: email, diagnosticCode, status }) => {
      const words = diagnosticCode || status || bounceSubType;
      const kind = bounceType === "Permanent" ? "hard" : "soft";
      // SES reports an out-of-office reply as a transient bounce without the server's words.
      if (kind === "soft" && bounceSubType === "General" && !diagnosticCode) return [];
      if (bounceKindOf(words, kind) === "sender") return [];
      return failure(kind, { email, words, id: idOf("ses", feedbackId) });
    });
  }),
);

const sesComplaint = v.pipe(
  v.object({
    complainedRecipients: v.array(v.object({ emailAddress: v.string() })),
    complaintFeedbackType: text,
    feedbackId: text,
  }),
  v.transform(({ complainedRecipients, complaintFeedbackType, feedbackId }) => {
    if (complaintFeedbackType === "not-spam") return [];
    const id = idOf("ses", feedbackId);
    return complainedRecipients.flatMap(({ emailAddress }) => complaint(emailAddress, id));
  }),
);

const ses = v.pipe(
  v.union([v.object({ bounce: sesBounce }), v.object({ complaint: sesComplaint })]),
  v.transform((event) => ("bounce" in event ? event.bounce : event.complaint)),
);

const sesWrappedBySns = v.pipe(
  v.object({ Message: v.pipe(v.string(), v.parseJson(), ses) }),
  v.transform(({ Message }) => Message),
);

/** Mailgun's codes for addresses on its own suppression lists, which it didn't try. Whoever left there wants no mail. */
const mailgunSuppressed = new Map<string, ReportKind>([
  ["suppress-bounce", "hard"],
  ["suppress-complaint", "complaint"],
  ["suppress-unsubscribe", "complaint"],
]);

/** Mailgun's webhooks "Permanent Failure" and "Spam Complaints"; it retries a temporary failure itself. */
const mailgun = v.pipe(
  v.object({
    "event-data": v.object({
      event: v.string(),
      id: text,
      recipient: v.string(),
      severity: text,
      reason: text,
      "delivery-status": v.optional(
        v.object({ message: text, description: text, "enhanced-code": text }),
        {},
      ),
    }),
  }),
  v.transform(({ "event-data": { event, recipient: email, severity, reason, ...data } }) => {
    const id = idOf("mailgun", data.id);
    if (event === "complained") return complaint(email, id);
    if (event !== "failed" || severity !== "permanent") return [];
    const { "enhanced-code": code, message, description } = data["delivery-status"];
    const words = `${code} ${message || description}`.trim();
    const said = bounceKindOf(words, reason === "bounce" ? "hard" : "soft");
    const kind =
      mailgunSuppressed.get(reason) ?? (reason.startsWith("suppress-") ? "sender" : said);
    return failure(kind, { email, words, id });
  }),
);

const resend = v.pipe(
  v.object({
    type: v.picklist(["email.bounced", "email.complained"]),
    data: v.object({
      email_id: text,
      to: v.array(v.string()),
      bounce: v.optional(v.object({ message: text, type: text }), {}),
    }),
  }),
  v.transform(({ type, data: { email_id, to, bounce } }) => {
    const id = idOf("resend", email_id);
    if (type === "email.complained") return to.flatMap((email) => complaint(email, id));
    const { message: words } = bounce;
    const kind = bounce.type === "Permanent" ? "hard" : "soft";
    if (bounceKindOf(words, kind) === "sender") return [];
    return to.flatMap((email) => failure(kind, { email, words, id }));
  }),
);

const payload = v.union([own, postmark, ses, sesWrappedBySns, mailgun, resend]);

/** Null for another service's payload, and no events for one that changes nothing. */
export function readMailEvents(body: Record<string, unknown>): MailEvent[] | null {
  const read = v.safeParse(payload, body);
  return read.success ? read.output : null;
}

/** Records events by address, all or none, each once. Returns how many were new and about a subscriber. */
export async function recordMailEvents(
  db: Db,
  events: readonly MailEvent[],
  { callId, now }: { callId: string; now: Date },
): Promise<number> {
  const addressed = events
    .map((event) => ({ ...event, mailbox: findMailbox(event.email) ?? "" }))
    // In a fixed order, so that two calls can't deadlock.
    .toSorted((a, b) => (a.mailbox < b.mailbox ? -1 : 1));
  return await db.transaction().execute(async (trx) => {
    let recorded = 0;
    for (const { mailbox, kind, words, id } of addressed) {
      const key = hash("sha256", id ?? callId).slice(0, 32);
      const reportKey = `${key} ${kind === "complaint" ? kind : "failure"}`;
      const refusal = { kind, answer: wordsWithoutAddresses(words) };
      const result = await recordBounce(trx, { mailbox, refusal, now, reportKey });
      if (result === "recorded") recorded += 1;
    }
    return recorded;
  });
}
