import * as v from "valibot";
import { isPlainAddress } from "#backend/email/mail-message.ts";
import { findMailbox } from "#backend/email/mailbox-key.ts";
import type { ImportedSubscriber } from "#backend/newsletter/import-subscribers.ts";
import { isPublishDate } from "#backend/newsletter/publish-date.ts";
import { emailAddress } from "#contracts/text.ts";
import type { Problem } from "../command-error.ts";
import type { FileRecord } from "../files/read-records.ts";

/** Longest wording of consent, in characters. */
export const consentTextMaxLength = 5_000;
const consentPageMaxLength = 500;
const consentAddressMaxLength = 100;

type ReadSubscribers = {
  subscribers: ImportedSubscriber[];
  /** Rows that can't be taken, and why. */
  invalid: Problem[];
  /** Rows whose mailbox stands further up in the file. */
  repeated: number;
};

/**
 * Reads subscribers from records: `email`, and where the file has them `consent_text`, `consent_page`,
 * `consent_address`, `subscribed_at`, `confirmed_at` and `unsubscribed_at`. The given wording and moment stand in for
 * those that a row has not.
 */
export function readSubscriberRecords(
  name: string,
  records: FileRecord[],
  { consent, now }: { consent: string; now: Date },
): ReadSubscribers {
  const subscribers = new Map<string, ImportedSubscriber>();
  const invalid: Problem[] = [];
  let repeated = 0;
  for (const { line, fields } of records) {
    const read = readOne(fields, { consent, now });
    const mailbox = typeof read === "string" ? null : findMailbox(read.email);
    if (typeof read === "string" || mailbox === null) {
      const message = typeof read === "string" ? read : "email is not a valid e-mail address.";
      invalid.push({ file: name, line, message });
      continue;
    }
    const other = subscribers.get(mailbox);
    if (other) repeated += 1;
    if (!other || decidesOver(read, other)) subscribers.set(mailbox, read);
  }
  return { subscribers: [...subscribers.values()], invalid, repeated };
}

/** Of two spellings of a mailbox the one that was confirmed or left last, and otherwise the first. */
function decidesOver(later: ImportedSubscriber, earlier: ImportedSubscriber): boolean {
  const decided = ({ unsubscribedAt, confirmedAt }: ImportedSubscriber) =>
    unsubscribedAt ?? confirmedAt ?? "";
  return decided(later) > decided(earlier);
}

/** The subscriber, or what is wrong with the row. */
function readOne(
  fields: Record<string, unknown>,
  { consent, now }: { consent: string; now: Date },
): ImportedSubscriber | string {
  const email = v.safeParse(emailAddress("email"), fields.email ?? "");
  if (!email.success) return email.issues[0].message;
  if (!isPlainAddress(email.output)) return "email is not a valid e-mail address.";

  const subscribedAt = readTime(fields.subscribed_at);
  const confirmedAt = readTime(fields.confirmed_at);
  const unsubscribedAt = readTime(fields.unsubscribed_at);
  for (const [column, time] of Object.entries({
    subscribed_at: subscribedAt,
    confirmed_at: confirmedAt,
    unsubscribed_at: unsubscribedAt,
  })) {
    if (time === undefined) return `${column} is not a time; write it as 2026-11-21T14:05:00Z.`;
  }
  const consentText = readText(fields.consent_text) ?? consent;
  if (consentText.length > consentTextMaxLength) {
    return `consent_text is longer than ${consentTextMaxLength} characters.`;
  }
  return {
    email: email.output,
    consentText,
    consentPage: readText(fields.consent_page)?.slice(0, consentPageMaxLength) ?? null,
    consentAddress: readText(fields.consent_address)?.slice(0, consentAddressMaxLength) ?? null,
    subscribedAt: subscribedAt ?? now.toISOString(),
    confirmedAt: confirmedAt ?? null,
    unsubscribedAt: unsubscribedAt ?? null,
  };
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

// A day, or a time with its offset from UTC: a time without one could be anybody's. PostgreSQL writes `+00`.
const timeShape =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?))?$/;

/** ISO 8601 in UTC, null where nothing is given, undefined where it is no time. A bare day begins in UTC. */
function readTime(value: unknown): string | null | undefined {
  if (value === null || value === undefined || value === "") return null;
  const match = typeof value === "string" ? timeShape.exec(value.trim()) : null;
  const [, day = "", clock = "00:00", offset = "Z"] = match ?? [];
  if (!isPublishDate(day)) return undefined;
  const wholeOffset = /^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset;
  const time = new Date(`${day}T${clock}${wholeOffset}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
