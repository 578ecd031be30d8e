import type { ContactListing } from "#contact/messages.ts";

/** A message as exports name its fields, in the order of the columns. */
export function messageRecord(message: ContactListing) {
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

export const messageColumns: (keyof ReturnType<typeof messageRecord>)[] = [
  "id",
  "received_at",
  "first_name",
  "last_name",
  "email",
  "company",
  "phone",
  "subject",
  "message",
  "sender_address",
  "held_at",
  "held_reason",
  "released_at",
];
