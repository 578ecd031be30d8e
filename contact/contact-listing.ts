import type { Selectable } from "kysely";
import type { ContactMessage } from "#contracts/contact-message.ts";
import type { ContactMessagesTable } from "#db/tables.ts";
import type { HeldReason } from "./held/held-reason.ts";

/** A stored contact message as the operator sees it. */
export type ContactListing = ContactMessage & {
  id: number;
  /** The visitor's network address, where known. */
  senderAddress: string | null;
  /** ISO 8601. */
  receivedAt: string;
  /** Since when it is held as suspected spam; null where it is not, or not any more. */
  heldAt: string | null;
  heldReason: HeldReason | null;
  releasedAt: string | null;
};

/** What the visitor filled in. */
export function contactMessage(row: Selectable<ContactMessagesTable>): ContactMessage {
  return {
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    company: row.company,
    phone: row.phone,
    subject: row.subject,
    message: row.message,
  };
}

export function contactListing(row: Selectable<ContactMessagesTable>): ContactListing {
  return {
    id: row.id,
    ...contactMessage(row),
    senderAddress: row.sender_address,
    receivedAt: row.received_at,
    heldAt: row.held_at,
    heldReason: row.held_reason,
    releasedAt: row.released_at,
  };
}
