import { hash } from "node:crypto";
import * as v from "valibot";
import type { Db, ReportKind } from "#db/tables.ts";
import { wordsWithoutAddresses } from "#mail/mail-answer.ts";
import { findMailbox } from "#mail/mailbox-key.ts";
import { bounceKindOf, recordBounce } from "./record-bounce.ts";

type MailEvent = {
  email: string;
  kind: ReportKind;
  words: string;
  /** The service's id of the event, the same in a repeat. */
  id: string;
};

/** Postmark's bounce types about the address; its others are delays, blocks and auto-replies. */
const postmarkKinds = new Map<string, ReportKind>([
  ["HardBounce", "hard"],
  ["BadEmailAddress", "hard"],
  ["ManuallyDeactivated", "hard"],
  ["SoftBounce", "soft"],
  ["DnsError", "soft"],
  ["Undeliverable", "soft"],
]);

const text = v.nullish(v.string(), "");

const postmark = v.pipe(
  v.object({
    RecordType: v.picklist(["Bounce", "SpamComplaint"]),
    ID: v.union([v.number(), v.string()]),
    Type: text,
    Email: v.string(),
    Details: text,
    Description: text,
  }),
  v.transform(({ RecordType, ID, Type, Email: email, Details, Description }): MailEvent[] => {
    const kind = RecordType === "SpamComplaint" ? "complaint" : postmarkKinds.get(Type);
    const words = kind === "complaint" ? "Reported as spam" : Details || Description;
    return kind ? [{ email, kind, words, id: `postmark ${ID}` }] : [];
  }),
);

const resend = v.pipe(
  v.object({
    type: v.picklist(["email.bounced", "email.complained"]),
    data: v.object({
      email_id: v.string(),
      to: v.array(v.string()),
      bounce: v.optional(v.object({ message: text, type: text }), {}),
    }),
  }),
  v.transform(({ type, data: { email_id, to, bounce } }): MailEvent[] => {
    const id = `resend ${email_id}`;
    if (type === "email.complained")
      return to.map((email) => ({ email, kind: "complaint", words: "Reported as spam", id }));
    const { message: words } = bounce;
    const kind = bounce.type === "Permanent" ? "hard" : "soft";
    if (bounceKindOf(words, kind) === "sender") return [];
    return to.map((email) => ({ email, kind, words, id }));
  }),
);

const payload = v.union([postmark, resend]);

/** Null for another payload, and no events for one that changes nothing. */
export function readMailEvents(body: Record<string, unknown>): MailEvent[] | null {
  const read = v.safeParse(payload, body);
  return read.success ? read.output : null;
}

/** Records events by address, all or none, each once. Returns how many were new and about a subscriber. */
export async function recordMailEvents(
  db: Db,
  events: readonly MailEvent[],
  now: Date,
): Promise<number> {
  const addressed = events
    .map((event) => ({ ...event, mailbox: findMailbox(event.email) ?? "" }))
    // In a fixed order, so that two calls can't deadlock.
    .toSorted((a, b) => (a.mailbox < b.mailbox ? -1 : 1));
  return await db.transaction().execute(async (trx) => {
    let recorded = 0;
    for (const { mailbox, kind, words, id } of addressed) {
      const key = hash("sha256", id).slice(0, 32);
      const reportKey = `${key} ${kind === "complaint" ? kind : "failure"}`;
      const refusal = { kind, answer: wordsWithoutAddresses(words) };
      const result = await recordBounce(trx, { mailbox, refusal, now, reportKey });
      if (result === "recorded") recorded += 1;
    }
    return recorded;
  });
}
