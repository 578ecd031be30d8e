import { type ContactListing, listMessages } from "#contact/messages.ts";
import type { Db } from "#db/tables.ts";
import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import { listSubscribers, type SubscriberListing } from "./list-subscribers.ts";
import { type ExportedRecord, inPages } from "./records.ts";

export type Export = { columns: string[]; records: AsyncIterable<ExportedRecord> };

/** The subscribers with the proof of their consent; with `linksTo`, the site's address, also each one's link to leave. */
export function exportSubscribers(
  db: Db,
  { confirmed = false, linksTo }: { confirmed?: boolean; linksTo?: string } = {},
): Export {
  const state = confirmed ? "confirmed" : undefined;
  const columns = Object.keys(subscriberRecord({} as SubscriberListing));
  async function* read() {
    const page = (limit: number, afterId?: number) =>
      listSubscribers(db, { state, afterId, limit });
    for await (const subscriber of inPages(page)) {
      const record = subscriberRecord(subscriber);
      if (linksTo === undefined) yield record;
      else
        yield { ...record, unsubscribe_url: unsubscribeLink({ url: linksTo }, subscriber.token) };
    }
  }
  return {
    columns: linksTo === undefined ? columns : [...columns, "unsubscribe_url"],
    records: read(),
  };
}

/** A subscriber without the secret of their links. */
export function subscriberRecord(subscriber: SubscriberListing): Record<string, string | null> {
  const { state, bounce } = subscriber;
  return {
    email: subscriber.email,
    state: state === "unconfirmed" ? "subscribed" : state,
    subscribed_at: subscriber.subscribedAt,
    confirmed_at: subscriber.confirmedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
    consent_text: subscriber.consentText,
    consent_page: subscriber.consentPage,
    consent_address: subscriber.consentAddress,
    held_at: subscriber.heldAt,
    held_reason: subscriber.heldReason,
    released_at: subscriber.releasedAt,
    bounced_at: subscriber.bouncedAt,
    bounced_by: bounce?.kind ?? null,
    bounce_code: bounce?.statusCode ?? null,
    bounce_answer: bounce?.answer ?? null,
    consent_ends_at: subscriber.consentEndsAt,
  };
}

export function exportMessages(db: Db): Export {
  const page = (limit: number, beforeId?: number) => listMessages(db, { limit, beforeId });
  async function* read() {
    for await (const message of inPages(page)) yield messageRecord(message);
  }
  return { columns: Object.keys(messageRecord({} as ContactListing)), records: read() };
}

function messageRecord(message: ContactListing) {
  return {
    id: message.id,
    received_at: message.receivedAt,
    first_name: message.firstName,
    last_name: message.lastName,
    email: message.email,
    company: message.company,
    phone: message.phone,
    subject: message.subject,
    message: message.message,
    sender_address: message.senderAddress,
    held_at: message.heldAt,
    held_reason: message.heldReason,
    released_at: message.releasedAt,
  };
}
